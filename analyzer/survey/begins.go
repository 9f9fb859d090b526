package survey

import (
	"cmp"
	"math"
	"slices"

	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// A start of a program begins inside execve: the kernel reads the headers of
// the program and of its interpreter, and clears the rest of a page of each,
// before the new image runs and the exec is recorded. The call itself is no
// event. But a thread reads outside of recorded calls and of page faults only
// there, so the first such read since its last call is where it began.

// MaxBegins is how many launches are followed.
const MaxBegins = 4096

// begins finds them.
type begins struct {
	threads *threads
	files   *world.Files
	command int64 // pid of the command until its exec was seen, -1 without one
	found   []world.Begin
}

// batch looks for begins in a batch: what ended before each exec, kind by
// kind, then the exec. What a thread waits for inside execve ends before it.
func (b *begins) batch(n *trace.Batch) {
	calls, procs, faults, requests := n.Syscalls, n.Processes, n.Faults, n.Requests
	for to := int64(0); to < math.MaxInt64; {
		next := slices.IndexFunc(procs, func(e trace.Process) bool { return e.Action == trace.ProcessExec })
		before := procs
		if to = math.MaxInt64; next >= 0 {
			to, before = procs[next].Time, procs[:next]
		}
		for ; len(calls) > 0 && calls[0].End() <= to; calls = calls[1:] {
			b.threads.get(calls[0].PID, calls[0].TID).called(calls[0].End())
		}
		for _, e := range before {
			if e.Action == trace.ProcessFork {
				b.threads.get(e.PID, e.TID).called(e.Time)
			}
		}
		for ; len(faults) > 0 && faults[0].Start+faults[0].Duration <= to; faults = faults[1:] {
			b.threads.get(faults[0].PID, faults[0].TID).faulted(&faults[0])
		}
		for ; len(requests) > 0 && requests[0].Completed <= to; requests = requests[1:] {
			if requests[0].Op == trace.ReqRead {
				b.readOutside(&requests[0])
			}
		}
		if next >= 0 {
			b.execed(&procs[next])
			procs = procs[next+1:]
		}
	}
}

// readOutside notes a read request of a thread, or of the command that waits to be
// let go.
func (b *begins) readOutside(e *trace.Request) {
	foreign := world.Others(e)
	if foreign && !b.holds(e) {
		return
	}
	tid := e.TID
	if foreign {
		tid = e.PID // whichever thread calls execve has this number after it
	}
	b.threads.get(e.PID, tid).outsideCalls(outside{start: world.QueuedAt(e), file: e.File, foreign: foreign})
}

// holds reports whether the command, which is recorded from its exec on, set
// off a request before it.
func (b *begins) holds(e *trace.Request) bool {
	return int64(e.PID) == b.command && e.Flags&trace.ReqRecorder == 0
}

// execed looks for the begin of the call that ended in a new program. A fault
// or a foreign read on no file of the new image is the old one's.
func (b *begins) execed(e *trace.Process) {
	t, first := b.threads.get(e.PID, e.PID), e.Time
	for _, r := range t.outside {
		f := b.files.File(r.file)
		if r.start < first && (!r.fault && !r.foreign || f != nil && f.Path == e.Exe) {
			first = r.start
		}
	}
	t.called(e.Time)
	if first < e.Time && len(b.found) < MaxBegins {
		b.found = append(b.found, world.Begin{At: first, Exec: e.Time, PID: e.PID})
	}
}

// sorted are the begins in the order in which they are reached.
func (b *begins) sorted() []world.Begin {
	sorting.Stably(b.found, func(x, y world.Begin) int { return cmp.Compare(x.At, y.At) })
	return b.found
}
