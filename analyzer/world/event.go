package world

import "github.com/iotrace/iotrace/trace"

// Call is a system call, and what it is about.
type Call struct {
	*trace.Syscall
	File, File2 *File
	Process     *Process
	Awaits      bool // it reads what it is asked for next: whoever waits in it holds nobody back
}

// Async is an asynchronous operation.
type Async struct {
	*trace.AsyncOp
	File, File2 *File
	Process     *Process
}

// Fault is a page fault that had to wait.
type Fault struct {
	*trace.Fault
	File    *File
	Process *Process
}

// Wait is a time off the CPU.
type Wait struct {
	*trace.Wait
	Process *Process
}

// RPC is what a client asked of a server.
type RPC struct {
	*trace.RPC
	File *File
}

// Request is a block request.
type Request struct {
	*trace.Request
	Ours    bool // the workload's
	Device  *Device
	Process *Process // it was done for, or that queued it if it is not the workload's; nil if not known
	File    *File
	Pieces  []part // the data of files in it, at the topmost device of each
	Direct  bool   // asked for by the workload, not by a device above
}

// part is a place of a file that a request holds data of.
type part struct {
	File      *File
	At, Bytes int64
}

// Life is a fork, an exec or an exit.
type Life struct {
	*trace.Process
	Who    *Process
	Parent *Process // of an exec: who started it, nil if not known
}

// Start is the moment at which an execve began to read what becomes a program at
// its exec.
type Start struct {
	At, Exec int64
	Process  *Process
}

type Kind uint8

const (
	ACall     Kind = iota // that moves no data
	ADataCall             // whose access comes next
	AnAsync
	AnAccess // to files that hold no data
	AData    // to a file that does
	AFault
	AWait
	AQueued
	ARequest
	AnRPC
	ALife
	AStart
)

// Run is a stretch of events in the order of their starts.
type Run struct {
	Order    []slot
	Calls    []Call
	Asyncs   []Async
	Accesses []Access
	Faults   []Fault
	Waits    []Wait
	Requests []Request
	RPCs     []RPC
	Lives    []Life
	Starts   []Start
	pieces   []part
}

// slot says where the next event of a run is.
type slot struct {
	Kind  Kind
	Index uint32
}

// next makes room for one more event of a kind. It reuses what was there.
func next[E any](r *Run, kind Kind, list *[]E) *E {
	n := len(*list)
	r.Order = append(r.Order, slot{kind, uint32(n)})
	if n == cap(*list) {
		*list = append(*list, *new(E))
	} else {
		*list = (*list)[:n+1]
	}
	return &(*list)[n]
}

func (r *Run) clear() {
	r.Order, r.Calls, r.Asyncs, r.Accesses = r.Order[:0], r.Calls[:0], r.Asyncs[:0], r.Accesses[:0]
	r.Faults, r.Waits, r.Requests, r.Lives = r.Faults[:0], r.Waits[:0], r.Requests[:0], r.Lives[:0]
	r.Starts, r.pieces, r.RPCs = r.Starts[:0], r.pieces[:0], r.RPCs[:0]
}

// Begin is when an execve began to read.
type Begin struct {
	At, Exec int64
	PID      uint32
}
