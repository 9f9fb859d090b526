package survey

import (
	"math"
	"slices"

	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// MaxThreads bounds the threads that are told apart.
const MaxThreads = 1 << 19

// ThreadSurvey is what is known about a thread beforehand.
type ThreadSurvey struct {
	TID, PID uint32
	first    int64 // start of its first event
	acted    int64 // of the first that is more than that it was made
	last     int64 // end of its last event
	waited   int64 // off the CPU
	Events   int64
	until    int64     // end of its last call
	outside  []outside // reads since then
	spoke    *world.File
	calls    bool // it makes system calls
	async    bool // it has asynchronous operations
}

// heard notes an event.
func (t *ThreadSurvey) heard(start, end int64) {
	t.acted = min(t.acted, start)
	t.made(start)
	t.last = max(t.last, end)
}

// made notes that it was there from an instant on. It may have waited for its first processor then.
func (t *ThreadSurvey) made(at int64) {
	t.first = min(t.first, at)
	t.last = max(t.last, at)
	t.Events++
}

// outside is a read from a device, or a page fault, of a thread outside of the
// calls that were recorded.
type outside struct {
	start, end int64
	file       trace.FileID
	fault      bool
	foreign    bool // of the command before it is recorded: its own faults are not known
}

// maxOutside is how many are kept of a thread; only the first of them matter.
const maxOutside = 64

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
	if r.start < t.until || len(t.outside) >= maxOutside ||
		slices.ContainsFunc(t.outside, func(f outside) bool { return f.fault && f.covers(r) }) {
		return
	}
	t.outside = append(t.outside, r)
}

// threads are those of a trace by number.
type threads struct {
	Threads map[uint32]*ThreadSurvey
	last    *ThreadSurvey // that was looked up
}

func newThreads() threads { return threads{map[uint32]*ThreadSurvey{}, &ThreadSurvey{}} }

// get returns what is known about a thread.
func (x *threads) get(pid, tid uint32) *ThreadSurvey {
	t := x.last
	if t.TID != tid {
		if t = x.Threads[tid]; t == nil {
			t = &ThreadSurvey{TID: tid, PID: pid, first: math.MaxInt64, acted: math.MaxInt64}
			if len(x.Threads) < MaxThreads {
				x.Threads[tid] = t
			}
		}
		x.last = t
	}
	return t
}

// Until is until when a thread was heard, or computed as far as is known; -1 of one that was not recorded.
func (x *threads) Until(tid uint32) int64 {
	if t := x.Threads[tid]; t != nil {
		return t.last
	}
	return -1
}

// Spoke is a socket on which a thread said something, one at which its program is asked if there was one; nil if none.
func (x *threads) Spoke(tid uint32) *world.File {
	if t := x.Threads[tid]; t != nil {
		return t.spoke
	}
	return nil
}
