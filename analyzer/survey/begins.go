package survey

import (
	"cmp"
	"math"
	"slices"

	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// A start of a program begins inside execve: the kernel reads the headers of
// the program and of its interpreter, and clears the rest of a page of each,
// before the new image runs and the exec is recorded. The call itself is no
// event. But a thread reads outside of recorded calls and of page faults only
// there, so the first such read since its last call is where it began.

// outside is a read from a device, or a page fault, of a thread outside of the
// calls that were recorded.
type outside struct {
	start, end int64
	file       trace.FileID
	fault      bool
	foreign    bool // of the command before it is recorded: its own faults are not known
}

const (
	maxOutside = 64   // that are kept of a thread; only the first of them matter
	MaxBegins  = 4096 // as many launches are followed
)

// starts looks for begins in a batch: what ended before each exec, kind by
// kind, then the exec. What a thread waits for inside execve ends before it.
func (s *Survey) starts(b *trace.Batch) {
	calls, procs, faults, requests := b.Syscalls, b.Processes, b.Faults, b.Requests
	for to := int64(0); to < math.MaxInt64; {
		next := slices.IndexFunc(procs, func(e trace.Process) bool { return e.Action == trace.ProcessExec })
		before := procs
		if to = math.MaxInt64; next >= 0 {
			to, before = procs[next].Time, procs[:next]
		}
		for ; len(calls) > 0 && calls[0].End() <= to; calls = calls[1:] {
			s.threadOf(calls[0].PID, calls[0].TID).called(calls[0].End())
		}
		for _, e := range before {
			if e.Action == trace.ProcessFork {
				s.threadOf(e.PID, e.TID).called(e.Time)
			}
		}
		for ; len(faults) > 0 && faults[0].Start+faults[0].Duration <= to; faults = faults[1:] {
			s.threadOf(faults[0].PID, faults[0].TID).faulted(&faults[0])
		}
		for ; len(requests) > 0 && requests[0].Completed <= to; requests = requests[1:] {
			if requests[0].Op == trace.ReqRead {
				s.readOutside(&requests[0])
			}
		}
		if next >= 0 {
			s.execed(&procs[next])
			procs = procs[next+1:]
		}
	}
}

// called forgets what happened before a call was over.
func (t *ThreadSurvey) called(end int64) {
	t.until = max(t.until, end)
	if len(t.outside) > 0 {
		t.outside = slices.DeleteFunc(t.outside, func(r outside) bool { return r.start < t.until })
	}
}

// faulted adds a fault in the place of the reads that it set off.
func (t *ThreadSurvey) faulted(e *trace.Fault) {
	r := outside{start: e.Start, end: e.Start + max(e.Duration, 0), file: e.File, fault: true}
	t.outside = slices.DeleteFunc(t.outside, r.covers)
	t.outsideCalls(r)
}

func (r outside) covers(x outside) bool { return x.start >= r.start && x.start < r.end && !x.fault }

func (t *ThreadSurvey) outsideCalls(r outside) {
	if r.start < t.until || len(t.outside) >= maxOutside || slices.ContainsFunc(t.outside, func(f outside) bool { return f.fault && f.covers(r) }) {
		return
	}
	t.outside = append(t.outside, r)
}

// readOutside notes a read request of a thread, or of the command that waits to be
// let go.
func (s *Survey) readOutside(e *trace.Request) {
	foreign := world.Others(e)
	if foreign && !s.holds(e) {
		return
	}
	tid := e.TID
	if foreign {
		tid = e.PID // whichever thread calls execve has this number after it
	}
	s.threadOf(e.PID, tid).outsideCalls(outside{start: world.QueuedAt(e), file: e.File, foreign: foreign})
}

// holds reports whether the command, which is recorded from its exec on, set
// off a request before it.
func (s *Survey) holds(e *trace.Request) bool {
	return s.exec < 0 && len(s.Header.PIDs) > 0 && e.PID == s.Header.PIDs[0] && e.Flags&trace.ReqRecorder == 0
}

// execed looks for the begin of the call that ended in a new program. A fault
// or a foreign read on no file of the new image is the old one's.
func (s *Survey) execed(e *trace.Process) {
	t, first := s.threadOf(e.PID, e.PID), e.Time
	for _, r := range t.outside {
		f := s.Files.File(r.file)
		if r.start < first && (!r.fault && !r.foreign || f != nil && f.Path == e.Exe) {
			first = r.start
		}
	}
	t.called(e.Time)
	if first < e.Time && len(s.Begins) < MaxBegins {
		s.Begins = append(s.Begins, world.Begin{At: first, Exec: e.Time, Pid: e.PID})
	}
}

// sortBegins puts them in the order in which they are reached.
func (s *Survey) sortBegins() {
	slices.SortStableFunc(s.Begins, func(a, b world.Begin) int { return cmp.Compare(a.At, b.At) })
}
