package path

import (
	"cmp"

	"github.com/iotrace/iotrace/trace"
)

// Operation is what a program did from when it was asked until it answered, or, where nobody is answered, from when it
// was woken until it waited to be asked again. Its account adds up to its time.
type Operation struct {
	Thread   uint32 // that ended it
	PID      uint32 // its process
	From, To int64
	Answers  bool // it ended with an answer to somebody outside
	Asked    bool // somebody who was not recorded woke the thread, which read a question then
	Account  *Account
}

// NS is how long it took.
func (o *Operation) NS() int64 { return o.To - o.From }

// maxOpen bounds the operations that are followed at once.
const maxOpen = 1 << 10

// Operations finds the operations of a recording. It takes events from the last to the first, by their ends.
type Operations struct {
	*walks
	asking
	open  int
	last  map[line]*operation // on each line
	take  func(*Operation)
	free  []*operation
	crowd *crowd

	// Omitted are those that were not followed, as too many were under way at once.
	Omitted int64
}

// NewOperations begins at the end of a recording. Each operation is given to take, and is valid until that returns.
func NewOperations(kin Kin, lines Lines, start int64, take func(*Operation)) *Operations {
	x := &Operations{walks: newWalks(kin, start), asking: asking{lines, kin, start}, last: map[line]*operation{},
		take: take}
	x.left = func(w *walker) { x.done(w.of) }
	return x
}

// Done is false: there may always be one more.
func (x *Operations) Done() bool { return false }

// Finish says that there are no earlier events.
func (x *Operations) Finish() { x.comeTo(-1) }

// begins one with what a thread did last in it.
func (x *Operations) begins(m *own, at int64, l line, answers bool) *operation {
	if x.open == maxOpen {
		x.Omitted++
		return nil
	}
	var o *operation
	if n := len(x.free); n > 0 {
		o, x.free = x.free[n-1], x.free[:n-1]
	} else {
		o = &operation{Operation: Operation{Account: NewAccount(nil)}}
		o.add = func(s *Segment) { x.crowd.count(o.Account.Add(s), s) }
	}
	o.Operation = Operation{Thread: m.id, PID: m.pid, To: at, Answers: answers, Account: o.Account}
	o.line, o.fd, o.hears, o.met, o.question, o.covered = l, -1, false, false, -1, 0
	x.open++
	x.begin(m, at, o)
	if l.file != 0 {
		x.last[l] = o
	}
	if !answers {
		m.mine = o
	}
	return o
}

// finish says that an operation began at an instant.
func (x *Operations) finish(o *operation, at int64) {
	x.end(&o.walker, at)
	x.done(o)
}

func (x *Operations) done(o *operation) {
	x.open--
	if x.last[o.line] == o {
		delete(x.last, o.line)
	}
	if m := x.thread(o.PID, o.Thread); m.mine == o {
		m.mine = nil
	}
	o.From = o.now
	if x.crowd != nil {
		x.crowd.over(o)
	} else {
		x.tell(o)
	}
}

// tell tells of an operation that is over.
func (x *Operations) tell(o *operation) {
	if o.From < o.To && (o.Answers || 2*o.covered < o.NS()) {
		x.take(&o.Operation)
	}
	o.Account.reset()
	x.free = append(x.free, o)
}

// active is for a thread that did something until an instant. If it belongs to no operation it ends one of its own.
// What came before a question that nobody answered belongs to another one, unless it is more of that question.
func (x *Operations) active(m *own, at int64, more bool) {
	if o := m.mine; o != nil && o.question >= at && !more {
		x.finish(o, o.question)
		m.rested(o.question)
	}
	if !m.acted {
		m.acted = true
		if m.rest < 0 {
			m.rest = max(at, x.threads.kin.Until(m.id))
		}
	}
	if len(m.walks) == 0 && m.rest >= at && !m.apart {
		x.begins(m, m.rest, line{}, false)
	}
	m.rest = -1
}

// Call takes a call.
func (x *Operations) Call(e *trace.Syscall) {
	at := e.End()
	x.comeTo(at)
	m := x.thread(e.PID, e.TID)
	l, on, answer := x.speaks(e)
	x.active(m, at, l.answers() && m.mine != nil && m.mine.line == on)
	x.called(m, e)
	x.connected(m, e)
	if l.answers() && answer {
		x.answered(m, on, l != Told, e.FD, at)
	}
	m.call = callOf(e)
	if l.answers() && !answer {
		x.asked(m, on, e.Start, at)
	}
}

// speaks says of a call on which line something was asked or answered.
func (x *Operations) speaks(e *trace.Syscall) (l Line, on line, answer bool) {
	file, answer := e.File, e.Op == trace.OpWrite
	if e.File2 != 0 && e.Op.Reads() && !e.Op.HasPeer() {
		file, answer = e.File2, true
	}
	if file == 0 || e.Result <= 0 || !e.Op.MovesData() {
		return NoLine, on, false
	}
	if l = x.lines.Line(file); l == Shared {
		return l, line{file, e.TID}, answer
	}
	return l, line{file: file}, answer
}

// answered is for an answer. It ends an operation, unless that is known already by a later part of it; what its thread
// did after it is no part of that.
func (x *Operations) answered(m *own, l line, hears bool, fd int32, at int64) {
	was := x.last[l]
	if was != nil && !was.met && was.Answers {
		return
	}
	if was != nil {
		x.finish(was, at)
	}
	for _, w := range x.at(m) {
		if o := w.of; o.met || !o.Answers {
			x.finish(o, at)
		}
	}
	if o := x.begins(m, at, l, true); o != nil {
		o.hears, o.fd = hears, fd
	}
}

// connected is for a connection that a thread accepted. Who speaks first on it was asked by whoever connected.
func (x *Operations) connected(m *own, e *trace.Syscall) {
	if e.Op != trace.OpAccept || e.Result < 0 {
		return
	}
	for _, w := range m.walks {
		if o := w.of; o.Answers && o.PID == m.pid && int64(o.fd) == e.Result {
			o.met = true
		}
	}
}

// asked is for a question. The operation that answered it has met it; others that had met theirs, later, began after
// it.
func (x *Operations) asked(m *own, l line, start, at int64) {
	o := x.last[l]
	if o != nil && o.on != m.thread {
		x.finish(o, at)
		o = nil
	}
	for _, w := range x.at(m) {
		if other := w.of; other != o && other.met {
			x.finish(other, at)
		}
	}
	if o != nil && o.Answers {
		o.met = true
		return
	}
	m.rested(at)
	x.active(m, at, true)
	if o = m.mine; o != nil && o.on == m.thread && (o.line.file == 0 || o.line == l) {
		o.line, o.question, x.last[l] = l, start, o
	}
}

// Fault takes a page fault.
func (x *Operations) Fault(e *trace.Fault) {
	at := e.Start + e.Duration
	x.comeTo(at)
	m := x.thread(e.PID, e.TID)
	x.active(m, at, false)
	x.until(m, at)
	m.fault = faultOf(e)
}

// Request takes a block request.
func (x *Operations) Request(e *trace.Request) { x.request(e) }

// RPC takes what a client asked of a server.
func (x *Operations) RPC(e *trace.RPC) { x.rpc(e) }

// Process takes something in the life of a process.
func (x *Operations) Process(e *trace.Process) {
	x.comeTo(e.Time)
	switch e.Action {
	case trace.ProcessHelper:
		m := x.thread(e.PID, e.TID)
		x.until(m, e.Time)
		m.unseen = m.apart
	case trace.ProcessFork:
		m := x.thread(e.PID, e.TID)
		for _, w := range x.at(m) {
			if w.open.what == 0 && e.Time <= w.now {
				w.ran(max(e.Time, w.floor()))
				w.on = x.thread(e.Parent, e.Parent).thread
				x.place(w)
			}
		}
	case trace.ProcessExit:
		if m := x.thread(e.PID, cmp.Or(e.TID, e.PID)); !m.acted {
			m.rest = e.Time
		}
	}
}

// Wait takes a time off the CPU.
func (x *Operations) Wait(e *trace.Wait) {
	at := e.End()
	x.comeTo(at)
	m := x.thread(e.PID, e.TID)
	idle := x.idle(m.thread, e)
	x.active(m, at, idle)
	for _, w := range x.at(m) {
		from, blocked := w.woke(e)
		switch {
		case !blocked:
		case !idle:
			w.blocked(e, from)
		default:
			x.asleep(w, e, from)
		}
		if !w.done {
			x.place(w)
		}
	}
	if idle {
		m.rested(e.Start)
	}
}

// asleep is for a walk at a thread that waited to be asked.
func (x *Operations) asleep(w *walker, e *trace.Wait, from int64) {
	o := w.of
	o.Asked = o.line.file != 0 && x.outside(e) && e.By != trace.WokenByTimer && e.By != trace.WokenByUnknown
	switch {
	case o.met:
	case !x.outside(e) && (o.Answers || e.Cause == trace.WaitChild), len(w.frames) > 0 && x.kernel(w.on.id):
		w.blocked(e, from) // whoever waited for a thread of the kernel was in the midst of something
		return
	case o.hears && (len(w.frames) > 0 || e.Cause == trace.WaitSleep || e.Cause == trace.WaitFutex):
		// The question is still to come: it waits for itself, or for a thread that had to be asked too.
		what := Outside
		if e.By == trace.WokenByTimer {
			what = Sleeps
		}
		w.leaf(what, from, e.Cause)
		return
	}
	x.finish(o, w.now)
}
