//go:build linux

package testenv

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestWhatADeviceHeld: without a flush a volatile cache loses what was done; a flush keeps what was done as it came.
func TestWhatADeviceHeld(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	j, err := newJournal(log)
	if err != nil {
		t.Fatal(err)
	}
	step := func(at int64, data string) (done time.Time) {
		time.Sleep(time.Millisecond)
		if errno := j.note(time.Now(), at, []byte(data)); errno != 0 {
			t.Fatal(errno)
		}
		time.Sleep(time.Millisecond)
		return time.Now()
	}
	written := step(2, "one")
	flushed := step(flush, "")
	over := step(3, "two")
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		when    time.Time
		through bool
		want    string
	}{
		{written, false, "\x00\x00\x00\x00\x00\x00\x00\x00"}, {written, true, "\x00\x00one\x00\x00\x00"},
		{flushed, false, "\x00\x00one\x00\x00\x00"}, {over, false, "\x00\x00one\x00\x00\x00"},
		{over, true, "\x00\x00otwo\x00\x00"},
	} {
		image := filepath.Join(t.TempDir(), "image")
		if err := Image(log, image, 8, c.when, c.through); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(image); err != nil || !bytes.Equal(got, []byte(c.want)) {
			t.Errorf("%q (%v), want %q; through %v", got, err, c.want, c.through)
		}
	}
}
