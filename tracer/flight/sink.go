package flight

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// sink takes the events of a recorder: they are kept first, so that what one refers to is known when it is judged.
type sink struct{ *recorder }

func (s *sink) Syscall(e *trace.Syscall) error {
	err := s.ring.Syscall(e)
	s.watch.Syscall(e, s.stored)
	return err
}

func (s *sink) AsyncOp(e *trace.AsyncOp) error {
	err := s.ring.AsyncOp(e)
	s.watch.AsyncOp(e, s.stored)
	return err
}

func (s *sink) Fault(e *trace.Fault) error {
	err := s.ring.Fault(e)
	s.watch.Fault(e)
	return err
}

func (s *sink) Request(e *trace.Request) error {
	if s.ours(e) {
		c := *e
		c.Flags |= trace.ReqRecorder
		e = &c
	}
	err := s.ring.Request(e)
	s.Counters.Request(e)
	s.watch.Request(e)
	return err
}

func (s *sink) Wait(e *trace.Wait) error       { return s.ring.Wait(e) }
func (s *sink) RPC(e *trace.RPC) error         { return s.ring.RPC(e) }
func (s *sink) Process(e *trace.Process) error { return s.ring.Process(e) }

func (s *sink) Device(e *trace.Device) error {
	s.Counters.Device(e)
	return s.ring.Device(e)
}

// File also looks at the mounts: they become known with the files, in the goroutine that tells of these.
func (s *sink) File(e *trace.File) error {
	if l, ok := s.source.(tracer.MountLister); ok {
		if mounts, dirs := l.Mounts(); !slices.Equal(mounts, s.mounts) || len(dirs) != len(s.dirs) {
			s.mounts, s.dirs = slices.Clone(mounts), slices.Clone(dirs)
		}
	}
	return s.ring.File(e)
}

// Gone implements tracer.Rememberer.
func (s *sink) Gone(files []trace.FileID) { s.ring.Gone(files) }

func (s *sink) Lost(e *trace.Lost) error {
	err := s.ring.Lost(e)
	s.Counters.Lost(e)
	s.watch.Lost(e)
	return err
}

// ours reports whether a request is for a trace that is written meanwhile. Backends know the files that the recorder
// has open when it begins, and these come later.
func (s *sink) ours(e *trace.Request) bool {
	if e.PID == s.self {
		return true
	}
	f, _ := s.ring.FileOf(e.File)
	dir, name := filepath.Split(f.Path)
	unnamed := strings.HasPrefix(name, "#") || strings.HasPrefix(name, ".flight-")
	return dir == s.traces && (unnamed || named.MatchString(name))
}

// stored reports whether a file lies in a file system, or is a disk.
func (s *sink) stored(id trace.FileID) bool {
	f, ok := s.ring.FileOf(id)
	if !ok || trace.InMemory(f.FSType) || f.FSType == "proc" || f.FSType == "sysfs" {
		return false
	}
	switch f.Type {
	case trace.FileRegular, trace.FileDirectory, trace.FileSymlink, trace.FileBlock:
		return true
	}
	return false
}

// met notes that a condition holds. The lock is held: it is met by an event, or by a turn.
func (r *recorder) met(m met) {
	r.Counters.Triggered(m.Condition.String())
	if p := r.pending; p != nil {
		p.trigger.Repeats++
		p.due = min(max(p.due, m.At+int64(r.After)), p.trigger.Time+int64(r.Keep+r.After))
		return
	}
	if !r.allow(m.At) {
		return
	}
	t := trace.Trigger{Condition: m.Condition.String(), Time: m.At, Start: m.At}
	switch {
	case m.Request != nil:
		e := m.Request
		t.Kind, t.Start, t.Latency, t.Op, t.Bytes = "request", e.Issued, e.Latency(), e.Op.String(), e.Bytes
		if t.PID = e.Owner; t.PID == 0 {
			t.PID = e.PID
		}
		t.File, t.Device = r.path(e.File), r.device(e.Device)
	case m.Syscall != nil:
		e := m.Syscall
		t.Kind, t.Start, t.Latency, t.Op, t.Bytes = "syscall", e.Start, e.Duration, r.header.CallName(e.Call), e.Bytes()
		t.PID, t.File = e.PID, r.path(e.File)
		if t.File == "" {
			t.File = r.path(e.File2)
		}
	case m.AsyncOp != nil:
		e := m.AsyncOp
		t.Kind, t.Start, t.Latency, t.Op, t.Bytes = "asyncop", e.Submit, e.Complete-e.Submit, e.Op.String(), e.Bytes()
		t.PID, t.File = e.PID, r.path(e.File)
		if t.File == "" {
			t.File = r.path(e.File2)
		}
	case m.Fault != nil:
		e := m.Fault
		t.Kind, t.Start, t.Latency, t.Bytes = "fault", e.Start, e.Duration, e.Filled
		t.PID, t.File = e.PID, r.path(e.File)
	case m.Lost != nil:
		t.Kind, t.Start, t.Bytes, t.Op = "lost", m.Lost.From, int64(m.Lost.Count), m.Lost.Kind.String()
	}
	if p, ok := r.ring.ProcessOf(t.PID); ok {
		t.Command = p.Command
	}
	r.expect(t)
}

func (r *recorder) path(id trace.FileID) string {
	f, _ := r.ring.FileOf(id)
	return f.Path
}

func (r *recorder) device(id trace.DeviceID) string {
	d, _ := r.ring.DeviceOf(id)
	return d.Name
}

// expect has a trace written when what follows its trigger has happened.
func (r *recorder) expect(t trace.Trigger) {
	r.pending = &pending{trigger: t, from: min(t.Time-int64(r.Keep), t.Start), due: t.Time + int64(r.After)}
}
