package strace

import (
	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/fdtable"
	"github.com/iotrace/iotrace/tracer/machine"
)

// Reader turns the lines of strace into events.
type Reader struct {
	sink     tracer.Sink
	live     *Live
	fds      *fdtable.Table
	files    *fdtable.Files
	threads  map[uint32]*thread
	dirs     map[uint32]string // of processes: where their relative paths begin, as far as it is known
	forking  []*thread         // in a call that makes a process or a thread, oldest first
	count    convert.Counts
	calls    uint64
	untimed  uint64 // calls without a duration
	nameless uint64 // descriptors without a path
	base     int64  // of the first line, ns since 1970
	begun    bool
	err      error
}

// Live is what is known of a log that is read while strace writes it, on the machine where it does.
type Live struct {
	Machine machine.System
	Leader  func(tid uint32) uint32 // the process of a thread, 0 if it has ended
	Begin   int64                   // time 0 of the trace, ns since 1970
}

// NewReader returns a reader of a log that writes to sink. live is nil if the log is an old one.
func NewReader(sink tracer.Sink, live *Live) *Reader {
	s := &Reader{sink: sink, live: live, fds: fdtable.NewTable(), threads: map[uint32]*thread{},
		dirs: map[uint32]string{}}
	identify := fdtable.Identify(nil)
	if live != nil {
		identify = live.Machine.Identify
		s.begun, s.base = true, live.Begin
	}
	s.files = fdtable.NewFiles(sink.File, identify)
	return s
}

// Files are those that the log has named so far.
func (s *Reader) Files() *fdtable.Files { return s.files }

// Counts says what was read so far.
func (s *Reader) Counts() convert.Counts { return s.count }

// Calls is how many calls the log has had so far, those included of which no event is made.
func (s *Reader) Calls() uint64 { return s.calls }

// present takes note of a thread that nothing in the log has made.
func (s *Reader) present(tid uint32, at int64) (*thread, error) {
	t := s.add(&thread{tid: tid, pid: tid})
	e := trace.Process{Time: at, Action: trace.ProcessPresent, PID: tid, TID: tid}
	if s.live == nil {
		return t, s.sink.Process(&e)
	}
	if t.pid = s.live.Leader(tid); t.pid == 0 {
		t.pid = tid // it has ended
	}
	if t.pid != tid && s.threads[t.pid] != nil {
		return t, nil
	}
	p, ok := s.live.Machine.Inspect(t.pid)
	if ok {
		if err := p.Inherit(s.fds, s.files, 0); err != nil {
			return nil, err
		}
		t.command = machine.Comm(p.Name)
		s.dirs[t.pid] = p.Dir
	}
	if t.pid != tid { // its first thread may be silent for long
		s.add(&thread{tid: t.pid, pid: t.pid, command: t.command})
	}
	return t, s.sink.Process(&trace.Process{Time: at, Action: trace.ProcessPresent, PID: t.pid, TID: t.pid,
		Parent: p.Parent, Command: t.command, Args: p.Args, Exe: p.Exe, UID: p.UID})
}
