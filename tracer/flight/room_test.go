package flight

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// write makes a trace of one device.
func write(t *testing.T, path string, h trace.Header) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := tracefile.NewWriter(f, h)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(trace.End{}), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestMaxDisk: the oldest traces of flight recorders make room, and nothing else, whatever it is called.
func TestMaxDisk(t *testing.T) {
	dir := t.TempDir()
	at := func(minute int) trace.Header {
		return trace.Header{WallStart: time.Date(2026, 11, 28, 3, minute, 0, 0, time.UTC), Trigger: &trace.Trigger{}}
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	write(t, in("flight-20261128-030900.iotrace"), at(1)) // the oldest, by its own clock
	write(t, in("flight-20261128-030200.iotrace"), at(2))
	write(t, in("flight-20261128-030300-2.iotrace"), at(3))
	write(t, in("flight-20261128-030000.iotrace"), trace.Header{}) // somebody's, without a trigger
	write(t, in("mine.iotrace"), at(0))
	if err := errors.Join(os.WriteFile(in("flight-20261128-020000.iotrace"), []byte("no trace"), 0o600),
		os.Symlink(in("mine.iotrace"), in("flight-20261128-010000.iotrace")),
		os.Mkdir(in("flight-20261128-000000.iotrace"), 0o700)); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(in("flight-20261128-030200.iotrace"))
	if err != nil {
		t.Fatal(err)
	}
	one := info.Size()
	o := &Options{Dir: dir, MaxDisk: 4 * one}
	for _, x := range []struct {
		size    int64
		removed []string
	}{
		{one / 2, nil},
		{one + one/2, []string{"flight-20261128-030900.iotrace"}},
		{4 * one, []string{"flight-20261128-030200.iotrace", "flight-20261128-030300-2.iotrace"}},
	} {
		if removed, err := o.makeRoom(x.size); err != nil || !slices.Equal(removed, x.removed) {
			t.Errorf("%d bytes: removed %v, %v; want %v", x.size, removed, err, x.removed)
		}
	}
	if _, err := o.makeRoom(4*one + 1); err == nil || !strings.Contains(err.Error(), "--max-disk") {
		t.Errorf("too large: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 5 {
		t.Errorf("%v, %v", left, err)
	}
}

// TestAtMost: in an hour so many traces are written, and the next one says how often a condition held without one.
func TestAtMost(t *testing.T) {
	r := &recorder{Options: Options{AtMost: 2}}
	hour := int64(time.Hour)
	for _, x := range []struct {
		at   int64
		want bool
	}{{0, true}, {hour / 2, true}, {hour - 1, false}, {hour, true}, {hour + 1, false}, {3 * hour / 2, true}} {
		if got := r.allow(x.at); got != x.want {
			t.Errorf("at %v: %v, want %v", time.Duration(x.at), got, x.want)
		}
	}
	if r.withheld != 2 || r.tell == nil {
		t.Errorf("%d withheld, %v", r.withheld, r.tell)
	}
}

// TestAsked: a trace that was asked for is written whatever the limit, and whoever asked is told where.
func TestAsked(t *testing.T) {
	t.Parallel()
	requests, ended := make(chan Asked), make(chan struct{})
	type said struct {
		path string
		err  error
	}
	got := make(chan said, 3)
	f := newSource(func(s trace.Sink, now func() int64) error {
		for range 2 {
			go func() {
				path, err := Ask(requests, ended)
				got <- said{path, err}
			}()
		}
		return s.Lost(&trace.Lost{To: now(), Count: 1})
	})
	written, failed := run(t, f, Options{Keep: time.Minute, When: when(t, "lost > 5"), Asked: requests, AtMost: 1,
		Duration: 2 * time.Second})
	close(ended)
	if len(written) == 0 || len(failed) > 0 {
		t.Fatalf("%v, %v", written, failed)
	}
	for range 2 {
		x := <-got
		if x.err != nil || !slices.ContainsFunc(written, func(w Written) bool { return w.Path == x.path }) {
			t.Errorf("%+v, written %v", x, written)
		}
	}
	if h, _, _ := read(t, written[0].Path); h.Trigger == nil || h.Trigger.Condition != "" {
		t.Errorf("%+v", h.Trigger)
	}
	if _, err := Ask(requests, ended); err == nil {
		t.Error("a recorder that has ended was asked")
	}
}
