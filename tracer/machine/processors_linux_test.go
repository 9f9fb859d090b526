package machine

import (
	"testing"
	"time"

	"github.com/iotrace/iotrace/trace"
)

func TestParseProcessors(t *testing.T) {
	for text, want := range map[string]trace.Processors{
		"cpu  10 2 30 400 50 6 7 8 9 1\ncpu0 1 1 1 1 1 1 1 1": {
			Busy: 55 * int64(tick), Idle: 450 * int64(tick), Stolen: 8 * int64(tick)},
		"cpu  1 1 1 1 1 1 1": {}, "intr 1 2 3 4 5 6 7 8 9": {}, "cpu  1 1 1 x 1 1 1 1 1": {}, "": {},
	} {
		got, ok := parseProcessors(text)
		if ok != (want.Busy > 0) || ok && (got.Busy != want.Busy || got.Idle != want.Idle || got.Stolen != want.Stolen) {
			t.Errorf("%q: %+v, %v, want %+v", text, got, ok, want)
		}
	}
}

// The processors of this machine did something in a second, and no more than there was of it.
func TestAccount(t *testing.T) {
	a := OpenProcessors()
	began := time.Now()
	for time.Since(began) < time.Second/5 {
	}
	time.Sleep(time.Second / 10)
	p := a.Close()
	if p == nil || p.Busy+p.Idle+p.Stolen <= 0 || p.Busy < int64(time.Second/20) {
		t.Errorf("%+v", p)
	}
}
