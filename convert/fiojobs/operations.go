package fiojobs

import (
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// operation is something that was done with a file, as fio can do it.
type operation struct {
	action         action
	file           *file
	start, end     int64
	offset, length int64
	direct         bool
	submitted      bool // it was asynchronous: its thread went on
	libaio         bool // it came through libaio
}

// The ways to the device.
const (
	buffered = iota
	direct
)

// way is the index of an operation's way among counts. What makes data durable goes
// with what wrote it, as far as its descriptor tells.
func (o *operation) way() int {
	if o.direct {
		return direct
	}
	return buffered
}

// action is what an operation does, by the word that an iolog has for it.
type action string

const (
	read     action = "read"
	write    action = "write"
	sync     action = "sync"
	datasync action = "datasync"
	trim     action = "trim"
)

// actions are those of the operations that fio knows.
var actions = map[trace.Op]action{trace.OpRead: read, trace.OpWrite: write, trace.OpSync: sync,
	trace.OpDataSync: datasync, trace.OpPunch: trim, trace.OpDiscard: trim}

// file is one file (one inode, whatever its names).
type file struct {
	trace.File
	name     string // in an iolog
	uses     [2]int // operations: buffered ones, and direct ones
	readEnd  int64  // of what was read
	wroteEnd int64  // of what was written
	program  bool   // it was mapped to be executed: a program or a library
}

// inode is what a file is known by.
type inode struct {
	device trace.DeviceID
	number uint64
	id     trace.FileID // of a file whose inode is not known
}

// recording is a trace that is read twice: first to learn what the files are used for,
// then for its operations in the order in which they began.
type recording struct {
	path    string
	late    timeline.Late
	ids     map[trace.FileID]*file
	inodes  map[inode]*file
	uses    [2]int // as those of a file
	bytes   [2]int64
	omitted int64  // data calls and syncs that cannot be told to fio
	disks   *disks // of a trace without calls: its requests are the operations
}

// survey reads a trace for the first time.
func survey(path string) (*recording, error) {
	r := &recording{path: path, ids: map[trace.FileID]*file{}, inodes: map[inode]*file{}}
	d, err := found(path)
	if err != nil {
		return nil, err
	}
	_, err = tracefile.Each(r.path, func(b *trace.Batch) {
		r.late.Add(b)
		r.learn(b)
		take := func(o *operation) {
			f := o.file
			f.uses[o.way()]++
			r.uses[o.way()]++
			r.bytes[o.way()] += o.length
			switch o.action {
			case read:
				f.readEnd = max(f.readEnd, o.offset+o.length)
			case write:
				f.wroteEnd = max(f.wroteEnd, o.offset+o.length)
			}
		}
		for i := range b.Syscalls {
			e := &b.Syscalls[i]
			if f := r.ids[e.File]; f != nil && e.Op == trace.OpMmap && e.Flags&trace.FlagExec != 0 {
				f.program = true
			}
			r.call(e, take)
		}
		for i := range b.AsyncOps {
			r.async(&b.AsyncOps[i], take)
		}
		if d != nil {
			d.name(b)
			for i := range b.Requests {
				d.learn(&b.Requests[i])
			}
		}
	})
	if d != nil && r.uses == [2]int{} {
		r.disks = d
		r.uses[direct], r.bytes[direct] = d.settle()
	}
	return r, err
}

// found are the disks of a trace that has no calls, nil of another: there its requests are what calls led to.
func found(path string) (*disks, error) {
	f, err := tracefile.Open(path)
	if err != nil {
		return nil, err
	}
	h := f.Header()
	if err := f.Close(); err != nil || !h.Limited(trace.LimitNoCalls) {
		return nil, err
	}
	return &disks{all: map[trace.DeviceID]*disk{}}, nil
}

// learn takes in what files there are. One whose kind is not known may hold data.
func (r *recording) learn(b *trace.Batch) {
	for i := range b.Files {
		f := &b.Files[i]
		if t := f.Type; t != trace.FileRegular && t != trace.FileBlock && t != trace.FileUnknown {
			delete(r.ids, f.ID)
			continue
		}
		key := inode{f.Device, f.Inode, 0}
		if f.Inode == 0 {
			key = inode{id: f.ID}
		}
		if r.inodes[key] == nil {
			r.inodes[key] = &file{File: *f}
		}
		r.ids[f.ID] = r.inodes[key]
	}
}

// call hands on what a system call did: a copy within the kernel is a read and a write.
func (r *recording) call(e *trace.Syscall, take func(*operation)) {
	o := operation{start: e.Start, end: e.End(), direct: e.Flags&trace.FlagDirect != 0, length: e.Bytes()}
	switch {
	case e.Op.MovesData() && e.Op.Reads() && e.Op != trace.OpRead:
		o.action = read
		r.take(o, e.File, e.Offset, e.Result, take)
		o.action = write
		r.take(o, e.File2, e.Offset2, e.Result, take)
	case actions[e.Op] != "":
		if o.action = actions[e.Op]; o.action == trim {
			o.length = e.Requested
		}
		r.take(o, e.File, e.Offset, e.Result, take)
	}
}

func (r *recording) async(e *trace.AsyncOp, take func(*operation)) {
	o := operation{action: actions[e.Op], start: e.Submit, end: e.Complete, direct: e.Flags&trace.FlagDirect != 0,
		submitted: true, libaio: e.API == trace.APILibaio, length: e.Bytes()}
	if o.action != "" {
		r.take(o, e.File, e.Offset, e.Result, take)
	}
}

// take hands on an operation that succeeded on a file that is there.
func (r *recording) take(o operation, id trace.FileID, offset, result int64, take func(*operation)) {
	if o.file = r.ids[id]; o.file == nil || result < 0 {
		return
	}
	if o.action == sync || o.action == datasync {
		take(&o)
		return
	}
	if o.length <= 0 {
		return
	}
	if o.offset = offset; offset == trace.NoOffset {
		r.omitted++
		return
	}
	take(&o)
}

// operations reads a trace for the second time.
func (r *recording) operations(take func(*operation)) (*tracefile.Reader, error) {
	r.omitted = 0
	order := timeline.NewOrder(&r.late, func(*trace.Batch) {}, &visitor{recording: r, take: take})
	reader, err := tracefile.Each(r.path, func(b *trace.Batch) {
		r.learn(b)
		order.Add(b)
	})
	if err == nil {
		order.Finish()
	}
	return reader, err
}

// visitor picks the operations out of all events.
type visitor struct {
	recording *recording
	take      func(*operation)
}

func (v *visitor) Syscall(e *trace.Syscall) { v.recording.call(e, v.take) }
func (v *visitor) AsyncOp(e *trace.AsyncOp) { v.recording.async(e, v.take) }
func (v *visitor) Fault(*trace.Fault)       {}
func (v *visitor) Wait(*trace.Wait)         {}
func (v *visitor) Process(*trace.Process)   {}
func (v *visitor) Flush()                   {}
