package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// accounts keeps the books of files, processes, calls, devices and copies.
type accounts struct {
	survey    *survey
	layers    []*layer
	calls     *callTable
	processes *processes
	reads     measure.Flow // of data, by calls and asynchronous operations
	writes    measure.Flow
	faults    measure.Flow
	modes     profile.CacheModes
	metaCalls int64
	syncs     int64
	books     *books
}

func newAccounts(s *survey) *accounts {
	return &accounts{
		survey: s, layers: s.devices.arrange(), calls: newCallTable(s.header.Calls), processes: newProcesses(), books: newBooks(),
	}
}

// Process follows processes.
func (a *accounts) Process(e *trace.Process) { a.processes.event(e) }

// Syscall adds a call to everything that counts calls.
func (a *accounts) Syscall(e *trace.Syscall) {
	f, f2 := a.survey.files.file(e.File), a.survey.files.file(e.File2)
	p := a.processes.get(e.PID, e.Start)
	a.calls.syscall(e)
	p.call(e)
	bytes, failed := e.Bytes(), e.Result < 0
	if f != nil {
		s := f.stat()
		s.user(e.PID)
		s.op(e.Op, e.Duration, bytes, failed)
	}
	if f2 != nil && f2 != f {
		s := f2.stat()
		s.user(e.PID)
		s.op(e.Op, e.Duration, bytes, failed)
	}
	switch {
	case e.Op.MovesData():
		x := callAccess(e, f, f2)
		a.data(&x, p)
	case e.Op.Metadata():
		a.metaCalls++
		if !failed && f != nil {
			a.books.metadata(e, f, p)
		}
	case e.Op.Durability():
		a.syncs++
	case failed || f == nil:
	case e.Op == trace.OpMmap:
		a.books.mmap(e, f, p)
	case e.Op == trace.OpClone || e.Op == trace.OpCloneRange || e.Op == trace.OpCopyfile:
		a.books.clone(e, f, f2, p)
	}
}

// AsyncOp adds an asynchronous operation.
func (a *accounts) AsyncOp(e *trace.AsyncOp) {
	f := a.survey.files.file(e.File)
	p := a.processes.get(e.PID, e.Submit)
	x := asyncAccess(e, f)
	a.calls.async(e)
	p.async.Add(x.start, x.end, x.bytes, x.failed)
	if f != nil {
		s := f.stat()
		s.user(e.PID)
		s.op(e.Op, x.end-x.start, x.bytes, x.failed)
	}
	if e.Op.MovesData() {
		a.data(&x, p)
	}
}

// data adds an access to its files, its process and the whole. Only files that
// hold data count for the whole: not pipes, sockets and terminals.
func (a *accounts) data(x *access, p *process) {
	reads, writes := x.counts()
	if f := x.file; f != nil && x.op.Reads() {
		f.stat().input(x.start, x.end, x.at, x.bytes, x.failed)
		if reads {
			f.stats.jump(f, p.PID, x)
			f.stats.fill(x)
			a.reads.Add(x.start, x.end, x.bytes, x.failed)
			p.read.Add(x.start, x.end, x.bytes, x.failed)
		}
	}
	if out, at := x.out(); out != nil {
		out.stat().output(x.start, x.end, at, x.bytes, x.failed)
		if writes {
			a.writes.Add(x.start, x.end, x.bytes, x.failed)
			p.write.Add(x.start, x.end, x.bytes, x.failed)
		}
		a.books.access(x, p)
		out.size = max(out.size, at+x.bytes)
	} else {
		a.books.access(x, p)
	}
	countMode(&a.modes, x, reads, writes)
}

// Fault adds a page fault that had to wait.
func (a *accounts) Fault(e *trace.Fault) {
	p := a.processes.get(e.PID, e.Start)
	p.faults++
	p.faultTime += e.Duration
	a.faults.Add(e.Start, e.Start+max(e.Duration, 0), e.Filled, false)
	if f := a.survey.files.file(e.File); f != nil {
		s := f.stat()
		s.user(e.PID)
		s.fault(e)
	}
}

// Wait adds a time off the CPU.
func (a *accounts) Wait(e *trace.Wait) { a.processes.get(e.PID, e.Start).wait(e) }

// Queued has no place in the books: the device counts it with the request.
func (a *accounts) Queued(*trace.Request) {}

// Request adds a block request.
func (a *accounts) Request(e *trace.Request) {
	d := a.survey.devices.get(e.Device)
	d.request(e)
	if others(e) {
		return
	}
	if p := a.processes.byPID[requester(e)]; p != nil && d.level == 1 {
		switch e.Op {
		case trace.ReqRead:
			p.devRead += e.Bytes
		case trace.ReqWrite:
			p.devWrite += e.Bytes
		}
	}
	pieces(e, func(id trace.FileID, at, bytes int64) {
		if f := a.survey.files.file(id); f != nil && (f.top == d || f.other && d.level == 1) {
			f.stat().request(e, bytes)
			a.books.request(e, f, at, bytes)
		}
	})
}

// requester is the process that a request was done for.
func requester(e *trace.Request) uint32 {
	if e.Owner != 0 {
		return e.Owner
	}
	return e.PID
}
