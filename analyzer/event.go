package analyzer

import "github.com/iotrace/iotrace/trace"

// call is a system call, and whom it is about.
type call struct {
	*trace.Syscall
	file, file2 *file
	process     *process
}

// async is an asynchronous operation.
type async struct {
	*trace.AsyncOp
	file    *file
	process *process
}

// fault is a page fault that had to wait.
type fault struct {
	*trace.Fault
	file    *file
	process *process
}

// wait is a time off the CPU.
type wait struct {
	*trace.Wait
	process *process
}

// request is a block request.
type request struct {
	*trace.Request
	ours    bool // the workload's
	device  *device
	process *process // it was done for, or that queued it if it is not the workload's; nil if not known
	file    *file
	pieces  []part // the data of files in it, at the topmost device of each
}

// part is a place of a file that a request holds data of.
type part struct {
	file      *file
	at, bytes int64
}

// life is a fork, an exec or an exit.
type life struct {
	*trace.Process
	who    *process
	parent *process // of an exec: who started it, nil if not known
}

// start is the moment at which an execve began to read what becomes a program at
// its exec.
type start struct {
	at, exec int64
	process  *process
}

type eventKind uint8

const (
	aCall eventKind = iota
	anAsync
	anAccess
	aFault
	aWait
	aQueued
	aRequest
	aLife
	aStart
)

// run is a stretch of events in the order of their starts.
type run struct {
	order    []slot
	calls    []call
	asyncs   []async
	accesses []access
	faults   []fault
	waits    []wait
	requests []request
	lives    []life
	starts   []start
	pieces   []part
}

// slot says where the next event of a run is.
type slot struct {
	kind  eventKind
	index uint32
}

// next makes room for one more event of a kind. It reuses what was there.
func next[E any](r *run, kind eventKind, list *[]E) *E {
	n := len(*list)
	r.order = append(r.order, slot{kind, uint32(n)})
	if n == cap(*list) {
		*list = append(*list, *new(E))
	} else {
		*list = (*list)[:n+1]
	}
	return &(*list)[n]
}

func (r *run) clear() {
	r.order, r.calls, r.asyncs, r.accesses = r.order[:0], r.calls[:0], r.asyncs[:0], r.accesses[:0]
	r.faults, r.waits, r.requests, r.lives = r.faults[:0], r.waits[:0], r.requests[:0], r.lives[:0]
	r.starts, r.pieces = r.starts[:0], r.pieces[:0]
}

// begin is when an execve began to read.
type begin struct {
	at, exec int64
	pid      uint32
}
