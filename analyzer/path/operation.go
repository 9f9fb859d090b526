package path

import "github.com/iotrace/iotrace/trace"

// Operation is what a program did from when it was asked until it answered, or, where nobody is answered, from when it
// was woken until it waited to be asked again. Its account adds up to its time.
type Operation struct {
	Thread   uint32 // that ended it
	PID      uint32 // its process
	From, To int64
	Answers  bool // it ended with an answer to somebody outside
	Account  *Account
}

// NS is how long it took.
func (o *Operation) NS() int64 { return o.To - o.From }

// Lines says what is known of files beforehand.
type Lines interface {
	// Line is whose question a file carries.
	Line(trace.FileID) Line
}

// Line is what a file is to those who use it.
type Line uint8

// The kinds of lines.
const (
	NoLine Line = iota // data, or names
	Stream             // a pipe, a terminal, an event: a thread that reads it waits to be asked
	Asked              // a socket at which others ask; each has an answer
	Told               // likewise, but no question was seen: answers alone
	Shared             // as Asked, and each thread has its own questions there: a file system in user space
	Asks               // a socket at which the program asks others
)

func (l Line) answers() bool { return l == Asked || l == Told || l == Shared }

// line is what tells questions and their answers from others.
type line struct {
	file   trace.FileID
	thread uint32 // where each has its own
}

// maxOpen bounds the operations that are followed at once.
const maxOpen = 1 << 10

// operation is one that is followed.
type operation struct {
	Operation
	walk    Walk
	set     set            // of the walk
	add     func(*Segment) // to the account
	line    line           // that it answered on, or was asked on
	hears   bool           // questions come on that line, so one of them is to be met
	met     bool           // it has been: it begins where its thread last did something else
	since   int64          // its question was read from then on, and nobody is answered; -1 before
	covered int64          // of it that others waited for: it is a part of theirs
}

// Operations finds the operations of a recording. It takes events from the last to the first, by their ends.
type Operations struct {
	*walks
	lines Lines
	open  int
	last  map[line]*operation // on each line
	take  func(*Operation)
	free  []*operation

	// Omitted are those that were not followed, as too many were under way at once.
	Omitted int64
}

// NewOperations begins at the end of a recording. Each operation is given to take, and is valid until that returns.
func NewOperations(kin Kin, lines Lines, start int64, take func(*Operation)) *Operations {
	x := &Operations{walks: newWalks(kin, start), lines: lines, last: map[line]*operation{}, take: take}
	x.left = func(w *Walk) { x.done(w.set.of) }
	return x
}

// Done is false: there may always be one more.
func (x *Operations) Done() bool { return false }

// Finish says that there are no earlier events.
func (x *Operations) Finish() { x.comeTo(-1) }

// begins one with what a thread did last in it.
func (x *Operations) begins(t *thread, at int64, l line, answers bool) *operation {
	if x.open == maxOpen {
		x.Omitted++
		return nil
	}
	var o *operation
	if n := len(x.free); n > 0 {
		o, x.free = x.free[n-1], x.free[:n-1]
	} else {
		o = &operation{Operation: Operation{Account: NewAccount(nil)}}
		o.add = func(s *Segment) { o.Account.Add(s) }
	}
	o.Operation = Operation{Thread: t.id, PID: t.pid, To: at, Answers: answers, Account: o.Account}
	o.line, o.hears, o.met, o.since, o.covered = l, false, false, -1, 0
	x.open++
	x.begin(t, at, o)
	if l.file != 0 {
		x.last[l] = o
	}
	if !answers {
		t.own.mine = o
	}
	return o
}

// finish says that an operation began at an instant.
func (x *Operations) finish(o *operation, at int64) {
	x.end(&o.walk, at)
	x.done(o)
}

func (x *Operations) done(o *operation) {
	x.open--
	if x.last[o.line] == o {
		delete(x.last, o.line)
	}
	if t := x.threads.get(o.Thread); t.own.mine == o {
		t.own.mine = nil
	}
	o.From = o.walk.now
	if o.From < o.To && (o.Answers || 2*o.covered < o.NS()) {
		x.take(&o.Operation)
	}
	o.Account.reset()
	x.free = append(x.free, o)
}

// rested says that what a thread did until an instant belongs to no operation so far.
func (t *thread) rested(at int64) {
	if len(t.own.walks) == 0 {
		t.own.rest = at
	}
}

// active is for a thread that did something until an instant. If it belongs to no operation it ends one of its own.
// What came before a question that nobody answered belongs to another one, unless it is more of that question.
func (x *Operations) active(t *thread, at int64, more bool) {
	m := t.own
	if o := m.mine; o != nil && o.since >= at && !more {
		x.finish(o, o.since)
		t.rested(o.since)
	}
	if !m.seen {
		m.seen = true
		if m.rest < 0 {
			m.rest = max(at, x.threads.kin.Until(t.id))
		}
	}
	if len(m.walks) == 0 && m.rest >= at && !t.apart {
		x.begins(t, m.rest, line{}, false)
	}
	m.rest = -1
}

// Call takes a call.
func (x *Operations) Call(e *trace.Syscall) {
	at := e.End()
	x.comeTo(at)
	t := x.thread(e.PID, e.TID)
	l, on, answer := x.speaks(e)
	x.active(t, at, l.answers() && t.own.mine != nil && t.own.mine.line == on)
	x.until(t, at)
	if l.answers() && answer {
		x.answered(t, on, l != Told, at)
	}
	t.call = callOf(e)
	if l.answers() && !answer {
		x.asked(t, on, e.Start, at)
	}
}

// speaks says of a call on which line something was asked or answered.
func (x *Operations) speaks(e *trace.Syscall) (l Line, on line, answer bool) {
	file, answer := e.File, e.Op == trace.OpWrite
	if e.File2 != 0 && e.Op.Reads() {
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
func (x *Operations) answered(t *thread, l line, hears bool, at int64) {
	was := x.last[l]
	if was != nil && !was.met && was.Answers {
		return
	}
	if was != nil {
		x.finish(was, at)
	}
	for _, w := range x.at(t) {
		if o := w.set.of; o.met || !o.Answers {
			x.finish(o, at)
		}
	}
	if o := x.begins(t, at, l, true); o != nil {
		o.hears = hears
	}
}

// asked is for a question. The operation that answered it has met it; others that had met theirs, later, began after
// it.
func (x *Operations) asked(t *thread, l line, start, at int64) {
	o := x.last[l]
	if o != nil && o.walk.on != t {
		x.finish(o, at)
		o = nil
	}
	for _, w := range x.at(t) {
		if other := w.set.of; other != o && other.met {
			x.finish(other, at)
		}
	}
	if o != nil && o.Answers {
		o.met = true
		return
	}
	t.rested(at)
	x.active(t, at, true)
	if o = t.own.mine; o != nil && o.walk.on == t && (o.line.file == 0 || o.line == l) {
		o.line, o.since, x.last[l] = l, start, o
	}
}

// Fault takes a page fault.
func (x *Operations) Fault(e *trace.Fault) {
	at := e.Start + e.Duration
	x.comeTo(at)
	t := x.thread(e.PID, e.TID)
	x.active(t, at, false)
	x.until(t, at)
	t.fault = faultOf(e)
}

// Request takes a block request.
func (x *Operations) Request(e *trace.Request) { x.request(e) }

// Process takes something in the life of a process.
func (x *Operations) Process(e *trace.Process) {
	x.comeTo(e.Time)
	switch e.Action {
	case trace.ProcessHelper:
		t := x.thread(e.PID, e.TID)
		x.until(t, e.Time)
		t.unseen = t.apart
	case trace.ProcessFork:
		t := x.thread(e.PID, e.TID)
		for _, w := range x.at(t) {
			if w.open.what == 0 && e.Time <= w.now {
				w.ran(max(e.Time, w.floor()))
				w.on = x.thread(e.Parent, e.Parent)
				x.place(w)
			}
		}
	case trace.ProcessExit:
		if t := x.thread(e.PID, firstOf(e.TID, e.PID)); !t.own.seen {
			t.own.rest = e.Time
		}
	}
}

func firstOf(tid, pid uint32) uint32 {
	if tid != 0 {
		return tid
	}
	return pid
}

// Wait takes a time off the CPU.
func (x *Operations) Wait(e *trace.Wait) {
	at := e.End()
	x.comeTo(at)
	t := x.thread(e.PID, e.TID)
	idle := x.idle(t, e)
	x.active(t, at, idle)
	for _, w := range x.at(t) {
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
		t.rested(e.Start)
	}
}
