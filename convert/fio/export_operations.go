package fio

import (
	"github.com/iotrace/iotrace/analyzer/program"
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

// jobsActions are those of the operations that fio knows.
var jobsActions = map[trace.Op]action{trace.OpRead: read, trace.OpWrite: write, trace.OpSync: sync,
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

// recording is a trace that is read twice: first to learn what the files are used for,
// then for its operations in the order in which they began.
type recording struct {
	path    string
	late    timeline.Late
	files   program.Files[file]
	uses    [2]int // as those of a file
	bytes   [2]int64
	omitted int64  // data calls and syncs that cannot be told to fio
	disks   *disks // of a trace without calls: its requests are the operations
}

// survey reads a trace for the first time.
func survey(path string) (*recording, error) {
	r := &recording{path: path, files: program.NewFiles(fileOf)}
	d, err := found(path)
	if err != nil {
		return nil, err
	}
	_, err = tracefile.Each(r.path, func(b *trace.Batch) {
		r.late.Add(b)
		r.files.Learn(b)
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
		program.Steps(b, func(s *program.Step) {
			if f := r.files.Of(s.File); f != nil && s.Op == trace.OpMmap && s.Flags&trace.FlagExec != 0 {
				f.program = true
			}
			r.step(s, take)
		})
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

// fileOf is what is kept of a file, nil if it holds no data. One whose kind is not known may hold some.
func fileOf(f *trace.File) *file {
	if t := f.Type; t != trace.FileRegular && t != trace.FileBlock && t != trace.FileUnknown {
		return nil
	}
	return &file{File: *f}
}

// step hands on what was done: a copy within the kernel is a read and a write. A page is read by the kernel's choice.
func (r *recording) step(s *program.Step, take func(*operation)) {
	o := operation{action: jobsActions[s.Op], start: s.Start, end: s.End, direct: s.Direct(), submitted: s.API != 0,
		libaio: s.API == trace.APILibaio, length: s.Moved}
	switch to, at := s.Target(); {
	case s.Page || s.Failed:
	case s.Op.Reads() && s.Op != trace.OpRead:
		o.action = read
		r.take(o, s.File, s.Offset, take)
		o.action = write
		r.take(o, to, at, take)
	case o.action != "":
		if o.action == trim {
			o.length = s.Asked
		}
		r.take(o, s.File, s.Offset, take)
	}
}

// take hands on an operation on a file that is there.
func (r *recording) take(o operation, id trace.FileID, offset int64, take func(*operation)) {
	if o.file = r.files.Of(id); o.file == nil {
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
		r.files.Learn(b)
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

func (v *visitor) Syscall(e *trace.Syscall) { v.step(program.OfCall(e)) }
func (v *visitor) AsyncOp(e *trace.AsyncOp) { v.step(program.OfAsync(e)) }
func (v *visitor) Fault(*trace.Fault)       {}
func (v *visitor) RPC(*trace.RPC)           {}
func (v *visitor) Wait(*trace.Wait)         {}
func (v *visitor) Process(*trace.Process)   {}
func (v *visitor) Flush()                   {}

func (v *visitor) step(s program.Step) { v.recording.step(&s, v.take) }
