package tracer

import (
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// unusedFiles holds back the names of files until a recorded process uses
// them. Backends see the requests of everybody, and learn the names of the files
// they are for; unless all processes are recorded, what others have on their disks
// is nobody's business. Their requests stay: what they cost, and where, matters.
type unusedFiles struct {
	trace.Sink
	pids  []uint32                    // recorded from the start: what execve reads for a command comes before it
	young map[trace.FileID]trace.File // files that nothing recorded has used yet,
	old   map[trace.FileID]trace.File // those seen last a while ago
	used  [256]trace.FileID           // some of those that are told, by number: in neither map
}

// mostUnused is how many files are in one of the maps. A file that falls out of
// both is announced anew by the time it is used, unless others use it as well.
const mostUnused = 1 << 15

// Discreet makes a sink of another that is told of the files that recorded processes use, and of no others. The
// processes are those that are recorded from the start.
func Discreet(s trace.Sink, pids []uint32) trace.Sink { return newUnusedFiles(s, pids) }

func newUnusedFiles(s trace.Sink, pids []uint32) *unusedFiles {
	return &unusedFiles{Sink: s, pids: pids, young: map[trace.FileID]trace.File{}}
}

// File implements trace.Sink.
func (u *unusedFiles) File(f *trace.File) error {
	u.hold(f)
	return nil
}

func (u *unusedFiles) hold(f *trace.File) {
	if len(u.young) >= mostUnused {
		u.old, u.young = u.young, make(map[trace.FileID]trace.File, mostUnused)
	}
	u.young[f.ID] = *f
	if told := u.place(f.ID); *told == f.ID {
		*told = 0
	}
}

// unused is a file that nothing recorded has used.
func (u *unusedFiles) unused(id trace.FileID) (trace.File, bool) {
	f, ok := u.young[id]
	if !ok {
		f, ok = u.old[id]
	}
	return f, ok
}

// place is where a file stands in used, if it does.
func (u *unusedFiles) place(id trace.FileID) *trace.FileID { return &u.used[int(id)%len(u.used)] }

// use tells of a file before the first event that refers to it. For most events it has
// been told already, which a look at one number shows.
func (u *unusedFiles) use(id trace.FileID) error {
	told := u.place(id)
	if id == 0 || *told == id {
		return nil
	}
	*told = id
	return u.tell(id)
}

func (u *unusedFiles) tell(id trace.FileID) error {
	f, ok := u.unused(id)
	if !ok {
		return nil
	}
	delete(u.young, id)
	delete(u.old, id)
	return u.Sink.File(&f)
}

// Syscall implements trace.Sink.
func (u *unusedFiles) Syscall(e *trace.Syscall) error {
	if err := u.use(e.File); err != nil {
		return err
	}
	if err := u.use(e.File2); err != nil {
		return err
	}
	return u.Sink.Syscall(e)
}

// AsyncOp implements trace.Sink.
func (u *unusedFiles) AsyncOp(e *trace.AsyncOp) error {
	if err := u.use(e.File); err != nil {
		return err
	}
	if err := u.use(e.File2); err != nil {
		return err
	}
	return u.Sink.AsyncOp(e)
}

// Fault implements trace.Sink.
func (u *unusedFiles) Fault(e *trace.Fault) error {
	if err := u.use(e.File); err != nil {
		return err
	}
	return u.Sink.Fault(e)
}

// RPC implements trace.Sink. A foreign one keeps nothing about a file that nothing recorded has used.
func (u *unusedFiles) RPC(e *trace.RPC) error {
	if _, unused := u.unused(e.File); e.Foreign && unused {
		hidden := *e
		hidden.File, hidden.Offset = 0, trace.NoOffset
		return u.Sink.RPC(&hidden)
	}
	if err := u.use(e.File); err != nil {
		return err
	}
	return u.Sink.RPC(e)
}

// Request implements trace.Sink. A foreign request keeps nothing about a file that
// nothing recorded has used.
func (u *unusedFiles) Request(e *trace.Request) error {
	if e.Flags&trace.ReqForeign != 0 && !slices.Contains(u.pids, e.PID) {
		return u.Sink.Request(u.anonymous(e))
	}
	if err := u.use(e.File); err != nil {
		return err
	}
	for i := range e.More {
		if err := u.use(e.More[i].File); err != nil {
			return err
		}
	}
	return u.Sink.Request(e)
}

func (u *unusedFiles) anonymous(e *trace.Request) *trace.Request {
	secret := false
	hide := func(id trace.FileID) {
		if f, ok := u.unused(id); ok {
			secret = true
			u.hold(&f) // it is still in use
		}
	}
	hide(e.File)
	for i := range e.More {
		hide(e.More[i].File)
	}
	if !secret {
		return e
	}
	e.File, e.More, e.Offset, e.Evidence = 0, nil, trace.NoOffset, trace.EvidenceNone
	return e
}
