package whatif

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// Opening a file for direct I/O, or closing it, moves nothing past the page cache: what is read for it is an inode.
func TestDirectRequestsMoveData(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace")
	out, err := os.Create(path)
	check(t, err)
	w, err := tracefile.NewWriter(out, trace.Header{Scope: "command", PIDs: []uint32{1}})
	check(t, err)
	check(t, w.Device(&trace.Device{ID: 1, Name: "sda"}))
	for i, op := range []trace.Op{trace.OpOpen, trace.OpRead, trace.OpClose} {
		at := 1000 * int64(i)
		check(t, w.Request(&trace.Request{Queued: at + 200, Issued: at + 200, Completed: at + 400, Device: 1, TID: 1,
			Bytes: 4096, Op: trace.ReqRead}))
		check(t, w.Syscall(&trace.Syscall{Start: at + 100, Duration: 800, PID: 1, TID: 1, Op: op, Flags: trace.FlagDirect,
			Result: 10 * int64(i+1), Offset2: trace.NoOffset}))
	}
	check(t, w.Process(&trace.Process{Time: 4000, Action: trace.ProcessExit, PID: 1, TID: 1}))
	check(t, w.Close(trace.End{Duration: 5000, CommandEnd: 4000, Durable: -1}))
	check(t, out.Close())
	p, err := loadSchedule(path)
	check(t, err)
	for i, want := range []int64{0, 20, 0} {
		if r := p.Requests[i]; r.CallBytes != want || r.Direct != (want > 0) {
			t.Errorf("request %d: direct %v, of a call that moved %d bytes, want %d", i, r.Direct, r.CallBytes, want)
		}
	}
}
