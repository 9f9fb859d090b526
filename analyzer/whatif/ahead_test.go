package whatif

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/program"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// reading is how blocks of 4 KiB are read, each of which the program waits 1 ms for and computes 1 ms on.
type reading struct {
	place  func(i int64) (file, block int64)
	op     trace.Op
	flags  trace.IOFlags
	advice int64 // of madvise or fadvise before, 0 for none
	faults bool
	ahead  int64 // bytes that the kernel reads ahead already
}

func inOrder(i int64) (file, block int64)    { return 1, i }
func everywhere(i int64) (file, block int64) { return 1, i * 7919 % 4096 }
func backwards(i int64) (file, block int64)  { return 1, 1000 - i }
func ofFiles(i int64) (file, block int64)    { return 1 + i, 0 }

const blocks = 400

// Readahead helps where one file is read in order, and the kernel did not read as far ahead: not across files, not at
// random, not where the program says so, not past the page cache and not for what is read to be written.
func TestReadAhead(t *testing.T) {
	for name, c := range map[string]struct {
		reading
		helps bool
	}{
		"in order":                     {reading{place: inOrder, op: trace.OpRead}, true},
		"in order, a mapping":          {reading{place: inOrder, op: trace.OpRead, faults: true}, true},
		"in order, said so":            {reading{place: inOrder, op: trace.OpRead, advice: 2}, true},
		"by sendfile":                  {reading{place: inOrder, op: trace.OpSendfile}, true},
		"in order, past the cache":     {reading{place: inOrder, op: trace.OpRead, flags: trace.FlagDirect}, false},
		"in order, said to be random":  {reading{place: inOrder, op: trace.OpRead, advice: 1, faults: true}, false},
		"in order, ahead as far":       {reading{place: inOrder, op: trace.OpRead, ahead: 4 << 20}, false},
		"in order, to write parts":     {reading{place: inOrder, op: trace.OpWrite}, false},
		"at random":                    {reading{place: everywhere, op: trace.OpRead}, false},
		"at random, a mapping":         {reading{place: everywhere, op: trace.OpRead, faults: true}, false},
		"backwards":                    {reading{place: backwards, op: trace.OpRead}, false},
		"the first block of each file": {reading{place: ofFiles, op: trace.OpRead}, false},
	} {
		end := trace.End{Duration: 2*blocks*millisecond + 1, CommandEnd: 2 * blocks * millisecond, Durable: -1}
		r := loaded(t, end, func(w *tracefile.Writer) { c.write(t, w) })
		a := r.Answer(Scenario{Change: Change{Change: program.Change{ReadAhead: 4 << 20}}})
		want := int64(2 * blocks * millisecond)
		if c.helps {
			want = blocks * millisecond
		}
		if off(a.Wall.NS, want) > 0.02 {
			t.Errorf("%s: %d ns, want %d", name, a.Wall.NS, want)
		}
		if c.helps && a.Wall.High < 2*blocks*millisecond {
			t.Errorf("%s: %d ns at most, though the drive was never seen to be faster", name, a.Wall.High)
		}
	}
}

func (c *reading) write(t *testing.T, w *tracefile.Writer) {
	t.Helper()
	must(t, w.Device(&trace.Device{ID: 7, Name: "sda", ReadAhead: c.ahead}))
	for i := range int64(blocks) {
		file, block := c.place(i)
		id := trace.FileID(file)
		if file > 1 || i == 0 {
			must(t, w.File(&trace.File{ID: id, Path: "/data/file", Device: 7, Type: trace.FileRegular}))
		}
		at := 2*i*millisecond + 1
		if c.advice > 0 && i == 0 {
			must(t, w.Syscall(&trace.Syscall{Start: 0, Duration: 1, PID: 1, TID: 1, Op: trace.OpAdvise, File: id,
				Offset2: c.advice}))
		}
		must(t, w.Request(&trace.Request{Queued: at, Issued: at, Completed: at + millisecond, Device: 7, PID: 1, TID: 1,
			Owner: 1, Op: trace.ReqRead, File: id, Offset: block * 4096, Sector: uint64(block * 8), Bytes: 4096}))
		must(t, w.Wait(&trace.Wait{Start: at, Duration: millisecond, PID: 1, TID: 1, Cause: trace.WaitIO,
			By: trace.WokenByRequest, Completed: at + millisecond}))
		if c.faults {
			must(t, w.Fault(&trace.Fault{Start: at, Duration: millisecond, PID: 1, TID: 1, File: id, Offset: block * 4096}))
		} else {
			must(t, w.Syscall(&trace.Syscall{Start: at, Duration: millisecond, PID: 1, TID: 1, Op: c.op, Flags: c.flags,
				File: id, Offset: block * 4096, Requested: 4096, Result: 4096}))
		}
	}
	must(t, w.Process(&trace.Process{Time: 2 * blocks * millisecond, Action: trace.ProcessExit, PID: 1, TID: 1}))
}
