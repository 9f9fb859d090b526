//go:build linux

package ebpf

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// A thread is ready from when it was woken until it runs, for no longer than it waited, and not for less than no time:
// its waker's clock may be ahead of that of the CPU on which it runs.
func TestReadyWithinItsWait(t *testing.T) {
	const ahead = 50_724
	for ready, want := range map[int64]int64{400: 400, 9000: 3395, -ahead: 0} {
		rec := &recording{}
		d := newDecoder(newCallTable(), 0, nil, false)
		d.sink = rec
		decode(t, d, &iotraceWait{Rec: uint8(iotraceRecordREC_WAIT), Pid: 40, Tid: 41, Start: 1000, Dur: 3395,
			Ready: uint64(ready), By: uint8(trace.WokenByThread), Waker: 42, Cause: uint8(trace.WaitFutex)})
		if len(rec.Waits) != 1 || rec.Waits[0].Ready != want || rec.Waits[0].Impossible() != "" {
			t.Errorf("ready for %d: %+v, want %d", ready, rec.Waits, want)
		}
	}
}
