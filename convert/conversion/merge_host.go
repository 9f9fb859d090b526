package conversion

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// host is one of the hosts: its trace, and what its numbers have become.
type host struct {
	number  uint32
	part    Part
	name    string
	file    *tracefile.File
	header  trace.Header
	shift   int64 // ns from the start of the merged trace to that of this one
	batch   trace.Batch
	next    func() (trace.Event, error, bool)
	head    trace.Event // the one that comes next
	written uint64
	last    int64 // when its last event ended, in the merged trace

	compared *compared // nil: by the clocks on the walls

	shared  *numbers
	calls   []uint16
	files   map[trace.FileID]trace.FileID
	threads map[uint32]uint32
	devices map[trace.DeviceID]trace.DeviceID
	held    map[uint64][]trace.DeviceID // where files are, by the inodes that the holders of the trace had
}

// events are those of the trace, as they are in the merged one: elements of the batch of the host.
func (h *host) events() iter.Seq2[trace.Event, error] {
	return func(yield func(trace.Event, error) bool) {
		for {
			err := h.file.Next(&h.batch)
			if damage := h.file.Damage(); len(damage) > 0 {
				yield(trace.Event{}, fmt.Errorf("%s is damaged (%w): the merged trace would be whole", h.part.Path, &damage[0]))
				return
			}
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(trace.Event{}, fmt.Errorf("%s: %w", h.part.Path, err))
				return
			}
			h.translate(&h.batch)
			for e := range h.batch.InOrder() {
				if !yield(e, nil) {
					return
				}
			}
		}
	}
}

// Next implements interleave.Source.
func (h *host) Next() error {
	e, err, ok := h.next()
	if h.head = e; !ok {
		return io.EOF
	}
	return err
}

// Time implements interleave.Source.
func (h *host) Time() int64 { return h.head.Time }

// translate puts a batch on the common axis of time, and gives what is in it its numbers and names in the merged trace.
func (h *host) translate(b *trace.Batch) {
	h.identities(b)
	for i := range b.Syscalls {
		e := &b.Syscalls[i]
		e.Start += h.shift
		e.Call = h.call(e.Call)
		e.PID, e.TID = h.thread(e.PID), h.thread(e.TID)
		e.File, e.File2 = h.id(e.File), h.id(e.File2)
	}
	for i := range b.AsyncOps {
		e := &b.AsyncOps[i]
		e.Submit, e.Complete = e.Submit+h.shift, e.Complete+h.shift
		e.PID, e.TID = h.thread(e.PID), h.thread(e.TID)
		e.File, e.File2 = h.id(e.File), h.id(e.File2)
	}
	for i := range b.Faults {
		e := &b.Faults[i]
		e.Start += h.shift
		e.PID, e.TID, e.File = h.thread(e.PID), h.thread(e.TID), h.id(e.File)
	}
	for i := range b.Requests {
		e := &b.Requests[i]
		if e.Queued >= 0 {
			e.Queued += h.shift
		}
		e.Issued, e.Completed = e.Issued+h.shift, e.Completed+h.shift
		e.PID, e.TID, e.Owner = h.thread(e.PID), h.thread(e.TID), h.thread(e.Owner)
		e.File, e.Device = h.id(e.File), h.device(e.Device)
		for j := range e.More {
			e.More[j].File = h.id(e.More[j].File)
		}
	}
	for i := range b.Waits {
		e := &b.Waits[i]
		e.Start += h.shift
		e.PID, e.TID, e.Waker = h.thread(e.PID), h.thread(e.TID), h.thread(e.Waker)
		if e.By.Completion() {
			e.Completed += h.shift
		}
	}
	for i := range b.RPCs {
		e := &b.RPCs[i]
		e.Start += h.shift
		e.PID, e.TID, e.File = h.thread(e.PID), h.thread(e.TID), h.id(e.File)
	}
	for i := range b.Lost {
		e := &b.Lost[i]
		e.From, e.To = e.From+h.shift, e.To+h.shift
	}
}

// identities does so for what has a name.
func (h *host) identities(b *trace.Batch) {
	for i := range b.Files {
		f := &b.Files[i]
		f.Time += h.shift
		f.ID, f.Device = h.id(f.ID), h.device(f.Device)
		f.Path, f.Mount, f.Host = h.path(f.Path), h.path(f.Mount), h.path(f.Host)
		if on, ok := h.held[f.Inode]; ok && f.Device != 0 && !slices.Contains(on, f.Device) {
			h.held[f.Inode] = append(on, f.Device)
		}
	}
	for i := range b.Devices {
		d := &b.Devices[i]
		d.Time += h.shift
		d.ID, d.Name, d.Backing = h.device(d.ID), h.at(d.Name), h.path(d.Backing)
		for j := range d.Parents {
			d.Parents[j] = h.device(d.Parents[j])
		}
	}
	for i := range b.Processes {
		p := &b.Processes[i]
		p.Time += h.shift
		p.PID, p.TID, p.Parent = h.thread(p.PID), h.thread(p.TID), h.thread(p.Parent)
		p.Command, p.Exe, p.Cgroup = h.at(p.Command), h.path(p.Exe), h.path(p.Cgroup)
	}
}

// path is where a file is, with the host as URLs and Windows have it: //HOST/tmp/file.
func (h *host) path(path string) string {
	if path == "" {
		return ""
	}
	return "//" + h.name + "/" + strings.TrimPrefix(path, "/")
}

// at is the name of a process or device: cp@HOST.
func (h *host) at(name string) string {
	if name == "" {
		return ""
	}
	return name + "@" + h.name
}
