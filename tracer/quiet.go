package tracer

import "github.com/iotrace/iotrace/trace"

// quiet holds back what is told of processes until they do something that is recorded. Where only some devices or files
// are, most processes have nothing to do with them.
type quiet struct {
	trace.Sink
	told map[uint32]bool
	held map[uint32][]trace.Process
}

// newQuiet makes one that holds back nothing of some processes.
func newQuiet(s trace.Sink, told []uint32) *quiet {
	q := &quiet{Sink: s, told: map[uint32]bool{}, held: map[uint32][]trace.Process{}}
	for _, pid := range told {
		q.told[pid] = true
	}
	return q
}

// Quiet makes a sink of another that is told of processes when they do something.
func Quiet(s trace.Sink) trace.Sink { return newQuiet(s, nil) }

// mostHeld bounds what is held of a process: it may begin any number of threads and programs.
const mostHeld = 32

// Process implements trace.Sink.
func (q *quiet) Process(e *trace.Process) error {
	ended := e.Action == trace.ProcessExit || e.Action == trace.ProcessRunning
	switch {
	case q.told[e.PID]:
		if ended {
			delete(q.told, e.PID)
		}
		return q.Sink.Process(e)
	case ended:
		delete(q.held, e.PID)
		return nil
	}
	list := append(q.held[e.PID], *e)
	if len(list) > mostHeld { // the first tells whose child it is, the last what it runs
		list = append(list[:1], list[2:]...)
	}
	q.held[e.PID] = list
	return nil
}

// acts tells of a process that has done something.
func (q *quiet) acts(pid uint32) error {
	if len(q.held) == 0 || q.told[pid] {
		return nil
	}
	list, known := q.held[pid]
	if !known {
		return nil
	}
	q.told[pid] = true
	delete(q.held, pid)
	for i := range list {
		if err := q.Sink.Process(&list[i]); err != nil {
			return err
		}
	}
	return nil
}

// Syscall implements trace.Sink.
func (q *quiet) Syscall(e *trace.Syscall) error {
	if err := q.acts(e.PID); err != nil {
		return err
	}
	return q.Sink.Syscall(e)
}

// AsyncOp implements trace.Sink.
func (q *quiet) AsyncOp(e *trace.AsyncOp) error {
	if err := q.acts(e.PID); err != nil {
		return err
	}
	return q.Sink.AsyncOp(e)
}

// Fault implements trace.Sink.
func (q *quiet) Fault(e *trace.Fault) error {
	if err := q.acts(e.PID); err != nil {
		return err
	}
	return q.Sink.Fault(e)
}

// Request implements trace.Sink.
func (q *quiet) Request(e *trace.Request) error {
	for _, pid := range [...]uint32{e.PID, e.Owner} {
		if err := q.acts(pid); err != nil {
			return err
		}
	}
	return q.Sink.Request(e)
}

// Wait implements trace.Sink.
func (q *quiet) Wait(e *trace.Wait) error {
	if err := q.acts(e.PID); err != nil {
		return err
	}
	return q.Sink.Wait(e)
}

// RPC implements trace.Sink.
func (q *quiet) RPC(e *trace.RPC) error {
	if err := q.acts(e.PID); err != nil {
		return err
	}
	return q.Sink.RPC(e)
}
