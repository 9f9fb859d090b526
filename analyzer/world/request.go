package world

import "github.com/iotrace/iotrace/trace"

// Others reports whether a request is not the workload's.
func Others(e *trace.Request) bool { return e.Flags&(trace.ReqForeign|trace.ReqRecorder) != 0 }

// notSupported is EOPNOTSUPP.
const notSupported = 95

// Failed reports whether a request failed. A device that cannot discard or write zeroes says so once, and the kernel
// does without: that is no failure.
func Failed(e *trace.Request) bool {
	declined := e.Error == notSupported && (e.Op == trace.ReqDiscard || e.Op == trace.ReqWriteZeroes)
	return e.Error != 0 && !declined
}

// QueuedAt is when a request came to be: when it was queued, or, if that is
// not known, issued.
func QueuedAt(e *trace.Request) int64 {
	if e.Queued < 0 {
		return e.Issued
	}
	return e.Queued
}

// Pieces calls f for each place of a file that a request holds data of.
func Pieces(e *trace.Request, f func(id trace.FileID, offset, bytes int64)) {
	first := e.Bytes
	for i := range e.More {
		first -= e.More[i].Bytes
	}
	if e.File != 0 {
		f(e.File, e.Offset, max(first, 0))
	}
	for i := range e.More {
		if m := &e.More[i]; m.File != 0 {
			f(m.File, m.Offset, m.Bytes)
		}
	}
}

// Requester is the process that a request was done for.
func Requester(e *trace.Request) uint32 {
	if e.Owner != 0 {
		return e.Owner
	}
	return e.PID
}
