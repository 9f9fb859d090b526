package tracer

import (
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// discretion keeps the names of files to itself until a recorded process uses
// them. Backends see the requests of everybody, and learn the names of the files
// they are for; unless all processes are recorded, what others have on their disks
// is nobody's business. Their requests stay: what they cost, and where, matters.
type discretion struct {
	Sink
	pids  []uint32                    // recorded from the start: what execve reads for a command comes before it
	young map[trace.FileID]trace.File // files that nothing recorded has used yet,
	old   map[trace.FileID]trace.File // those seen last a while ago
	used  [256]trace.FileID           // some of those that are told, by number: in neither map
}

// heldFiles is how many files are in one of the maps. A file that falls out of
// both is announced anew by the time it is used, unless others use it as well.
const heldFiles = 1 << 15

func newDiscretion(s Sink, pids []uint32) *discretion {
	return &discretion{Sink: s, pids: pids, young: map[trace.FileID]trace.File{}}
}

// File implements Sink.
func (d *discretion) File(f *trace.File) error {
	d.hold(f)
	return nil
}

func (d *discretion) hold(f *trace.File) {
	if len(d.young) >= heldFiles {
		d.old, d.young = d.young, make(map[trace.FileID]trace.File, heldFiles)
	}
	d.young[f.ID] = *f
	if told := d.place(f.ID); *told == f.ID {
		*told = 0
	}
}

// held is a file that nothing recorded has used.
func (d *discretion) held(id trace.FileID) (trace.File, bool) {
	f, ok := d.young[id]
	if !ok {
		f, ok = d.old[id]
	}
	return f, ok
}

// place is where a file stands in used, if it does.
func (d *discretion) place(id trace.FileID) *trace.FileID { return &d.used[int(id)%len(d.used)] }

// use tells of a file before the first event that refers to it. For most events it has
// been told already, which a look at one number shows.
func (d *discretion) use(id trace.FileID) error {
	told := d.place(id)
	if id == 0 || *told == id {
		return nil
	}
	*told = id
	return d.tell(id)
}

func (d *discretion) tell(id trace.FileID) error {
	f, ok := d.held(id)
	if !ok {
		return nil
	}
	delete(d.young, id)
	delete(d.old, id)
	return d.Sink.File(&f)
}

// Syscall implements Sink.
func (d *discretion) Syscall(e *trace.Syscall) error {
	if err := d.use(e.File); err != nil {
		return err
	}
	if err := d.use(e.File2); err != nil {
		return err
	}
	return d.Sink.Syscall(e)
}

// AsyncOp implements Sink.
func (d *discretion) AsyncOp(e *trace.AsyncOp) error {
	if err := d.use(e.File); err != nil {
		return err
	}
	return d.Sink.AsyncOp(e)
}

// Fault implements Sink.
func (d *discretion) Fault(e *trace.Fault) error {
	if err := d.use(e.File); err != nil {
		return err
	}
	return d.Sink.Fault(e)
}

// Request implements Sink. A foreign request keeps nothing about a file that
// nothing recorded has used.
func (d *discretion) Request(e *trace.Request) error {
	if e.Flags&trace.ReqForeign != 0 && !slices.Contains(d.pids, e.PID) {
		return d.Sink.Request(d.anonymous(e))
	}
	if err := d.use(e.File); err != nil {
		return err
	}
	for i := range e.More {
		if err := d.use(e.More[i].File); err != nil {
			return err
		}
	}
	return d.Sink.Request(e)
}

func (d *discretion) anonymous(e *trace.Request) *trace.Request {
	secret := false
	hide := func(id trace.FileID) {
		if f, ok := d.held(id); ok {
			secret = true
			d.hold(&f) // it is still in use
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
