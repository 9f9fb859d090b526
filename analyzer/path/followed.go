package path

// operation is one that is followed.
type operation struct {
	Operation
	walker
	add      func(*Segment) // to the account
	line     line           // that it answered on, or was asked on
	hears    bool           // questions come on that line, so one of them is to be met
	fd       int32          // of that line, where it answers
	met      bool           // it has been: it begins where its thread last did something else
	question int64          // its question was read from then on, and nobody is answered; -1 before
	covered  int64          // of it that others waited for: it is a part of theirs
}

// walker is the walk of an operation among those of others.
type walker struct {
	Walk
	entry
}

// entry is where a walk is to be found.
type entry struct {
	of    *operation
	at    *own // whose walks it is among
	stamp uint32
	due   int64
	from  int64 // it came there then
	// What it was last entered for.
	kind      What
	since     int64
	completed int64
}

// own is a thread with what is kept of it while there are several walks.
type own struct {
	*thread
	walks []*walker // that are at it
	// rest is until when it did something that belongs to no operation yet, -1 if there is nothing like that.
	rest  int64
	acted bool
	mine  *operation // that nobody is answered by
	// first is just before the thread was heard first: it waited until then, for what is not known.
	first int64
}

// due is when something about a walk becomes known without an event of its thread: the path comes back from a thread
// that was waited for, or nothing earlier can tell any more what a wait was for.
type due struct {
	at    int64
	walk  *walker
	stamp uint32 // of the walk then; a later one makes it void
}

// Before: the latest is first, as walks go back in time.
func (d due) Before(e due) bool { return d.at > e.at }

// anew is due of a walk that is to be entered for it again.
const anew = -2

// rested says that what a thread did until an instant belongs to no operation so far.
func (m *own) rested(at int64) {
	if len(m.walks) == 0 {
		m.rest = at
	}
}

// dueAt is when the walk has to be looked at even if nothing happens.
func (w *walker) dueAt() int64 {
	switch o := &w.open; o.what {
	case 0:
		if w.now > w.floor() { // there is something left to tell of the thread
			return max(w.floor(), w.at.first)
		}
		return w.floor()
	case Service, Server:
		return o.completed - 1
	case Queued:
		return max(o.since, 0)
	default:
		return o.from
	}
}
