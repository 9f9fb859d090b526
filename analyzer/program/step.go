// Package program reads what a recorded program did with its files, step after step. Replay, gap, what-if and the jobs
// for fio are made of these steps: what is direct, warm or in order is said here once.
package program

import "github.com/iotrace/iotrace/trace"

// Step is a system call, an asynchronous operation, or a wait for a page of a mapped file.
type Step struct {
	Start, End      int64
	Offset, Offset2 int64 // in File and File2, trace.NoOffset if not known; of advice, Offset2 says what it is
	Asked           int64 // bytes
	Moved           int64 // bytes of data; for a page, those that came into memory
	Filled          int64 // bytes that came into memory meanwhile
	File, File2     trace.FileID
	TID, PID        uint32
	FD              int32 // −1 if there is none
	Flags           trace.IOFlags
	Op              trace.Op       // of a page it is a read
	API             trace.AsyncAPI // 0 unless it was asynchronous
	Page            bool           // it waited for a page
	Failed          bool
}

// OfCall is what a system call did.
func OfCall(e *trace.Syscall) Step {
	return Step{Start: e.Start, End: e.End(), Offset: e.Offset, Offset2: e.Offset2, Asked: e.Requested, Moved: e.Bytes(),
		Filled: e.Filled, File: e.File, File2: e.File2, TID: e.TID, PID: e.PID, FD: e.FD, Flags: e.Flags, Op: e.Op,
		Failed: e.Result < 0}
}

// OfFault is what was waited for in a page fault.
func OfFault(e *trace.Fault) Step {
	return Step{Start: e.Start, End: e.Start + e.Duration, Offset: e.Offset, Offset2: trace.NoOffset, Moved: e.Filled,
		Filled: e.Filled, File: e.File, TID: e.TID, PID: e.PID, FD: -1, Op: trace.OpRead, Page: true}
}

// OfAsync is what an asynchronous operation did, from when it was handed in.
func OfAsync(e *trace.AsyncOp) Step {
	return Step{Start: e.Submit, End: e.Complete, Offset: e.Offset, Offset2: trace.NoOffset, Asked: e.Requested,
		Moved: e.Bytes(), File: e.File, File2: e.File2, TID: e.TID, PID: e.PID, FD: -1, Flags: e.Flags, Op: e.Op,
		API: e.API, Failed: e.Result < 0}
}

// Steps shows those of a batch to take, one kind after the other. None may be kept by its address.
func Steps(b *trace.Batch, take func(*Step)) {
	var s Step
	for i := range b.Faults {
		s = OfFault(&b.Faults[i])
		take(&s)
	}
	for i := range b.Syscalls {
		s = OfCall(&b.Syscalls[i])
		take(&s)
	}
	for i := range b.AsyncOps {
		s = OfAsync(&b.AsyncOps[i])
		take(&s)
	}
}

// Took is how long it took, in ns.
func (s *Step) Took() int64 { return s.End - s.Start }

// Direct reports whether its data went past the page cache.
func (s *Step) Direct() bool { return s.Flags&trace.FlagDirect != 0 }

// Cached reports whether its data could be found in the page cache, or be left there.
func (s *Step) Cached() bool { return s.Flags&(trace.FlagDirect|trace.FlagNoCache) == 0 }

// Synced reports whether a write returned when its data was durable.
func (s *Step) Synced() bool { return s.Flags&(trace.FlagSync|trace.FlagDSync) != 0 }

// Source is the file that it takes data from, and where; 0 if it takes none.
func (s *Step) Source() (file trace.FileID, at int64) {
	if !s.Op.Reads() {
		return 0, trace.NoOffset
	}
	return s.File, s.Offset
}

// Target is the file that it writes data to, and where; 0 if it writes none.
func (s *Step) Target() (file trace.FileID, at int64) {
	switch {
	case s.Op == trace.OpWrite:
		return s.File, s.Offset
	case s.Op.Reads() && s.Op != trace.OpRead: // from one file to another
		return s.File2, s.Offset2
	}
	return 0, trace.NoOffset
}
