package strace

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/convert/calls"
	"github.com/iotrace/iotrace/internal/bounded"
	"github.com/iotrace/iotrace/trace"
)

// processes are those of a log, and their threads: who made whom, what each has open and where it is.
type processes struct {
	sink    trace.Sink
	live    *Live
	effects calls.Effects
	threads map[uint32]*thread
	dirs    map[uint32]string // of processes: where their relative paths begin, as far as it is known
	forking []*thread         // in a call that makes a process or a thread, oldest first
	last    *thread           // of the line before
	alone   uint32            // the number of a process whose lines do not tell it
	named   bool              // the process that had no number has got it
	held    bounded.Held      // texts of calls that go on, and directories
}

// under counts the calls that the log ends in.
func (s *processes) under() (n int) {
	for _, t := range s.threads {
		n += len(t.pending)
	}
	return n
}

type thread struct {
	tid, pid uint32
	pending  []half // calls that go on
	child    uint32 // that was seen before the call that made it returned
	command  string
}

// Bounds of what is remembered.
const (
	maxThreads = 1 << 17
	maxForking = 1 << 10
)

// forks reports whether a call makes a process or a thread.
func forks(name string) bool {
	return name == "clone" || name == "clone3" || name == "fork" || name == "vfork"
}

// whose is the thread that a line is of, by its prefix.
func (s *processes) whose(p *prefix, text []byte, at int64) (*thread, error) {
	tid := p.tid
	if tid == 0 {
		tid = s.alone
	}
	if s.last != nil && s.last.tid == tid {
		return s.last, nil
	}
	t := s.threads[tid]
	if t == nil && p.brackets && s.first(text) {
		t = s.threads[s.alone]
		s.threads[tid] = t // its first lines did not say its number
	}
	var err error
	if t == nil {
		t, err = s.thread(tid, at)
	}
	s.last = t
	return t, err
}

// first reports whether a thread that is named for the first time is the one that had no name: it goes on with what
// that one began, or nobody can have made it.
func (s *processes) first(text []byte) bool {
	main := s.threads[s.alone]
	if main == nil || s.named {
		return false
	}
	if bytes.HasPrefix(text, []byte("<... ")) {
		name, _, _ := bytes.Cut(text[len("<... "):], resumed)
		s.named = slices.ContainsFunc(main.pending, func(h half) bool { return h.name == string(name) })
		return s.named
	}
	s.named = !slices.ContainsFunc(s.forking, func(t *thread) bool { return t.child == 0 && t.forking() != nil })
	return s.named
}

// forking is the call of a thread that goes on and makes another, nil if there is none.
func (t *thread) forking() *half {
	for k := range t.pending {
		if forks(t.pending[k].name) {
			return &t.pending[k]
		}
	}
	return nil
}

// thread returns a thread. A new one is the child of the oldest call under way
// that makes one; if there is none, it was there before.
func (s *processes) thread(tid uint32, at int64) (*thread, error) {
	for i, parent := range s.forking {
		if h := parent.forking(); parent.child == 0 && h != nil {
			s.forking = append(s.forking[:i], s.forking[i+1:]...)
			parent.child = tid
			return s.born(parent, tid, h.text, at)
		}
	}
	return s.present(tid, at)
}

func (s *processes) add(t *thread) *thread {
	if len(s.threads) >= maxThreads {
		clear(s.threads)
		s.last = nil
		s.forking = nil
		clear(s.dirs)
		s.held.Clear()
	}
	s.threads[t.tid] = t
	return t
}

// born adds what a call has made.
func (s *processes) born(parent *thread, tid uint32, call string, at int64) (*thread, error) {
	t := s.add(&thread{tid: tid, pid: tid, command: parent.command})
	if strings.Contains(call, "CLONE_THREAD") {
		t.pid = parent.pid
	} else if s.in(tid, s.dirs[parent.pid]); tid == parent.pid {
		return t, nil // no number of a child: it has its parent's
	} else if s.effects.Descriptors.Fork(parent.pid, tid); strings.Contains(call, "CLONE_FILES") {
		s.effects.Descriptors.Exit(tid) // they share a table; what one opens the other's path will tell
	}
	return t, s.sink.Process(&trace.Process{Time: at, Action: trace.ProcessFork, PID: t.pid, TID: tid, Parent: parent.pid,
		Command: t.command})
}

// forked is the end of a call that made a process or a thread.
func (s *processes) forked(t *thread, c *call) error {
	for i, f := range s.forking {
		if f == t {
			s.forking = append(s.forking[:i], s.forking[i+1:]...)
			break
		}
	}
	seen := t.child
	t.child = 0
	child := uint32(c.result)
	if c.result <= 0 || c.result > 1<<31 || child == seen || s.threads[child] != nil {
		return nil
	}
	_, err := s.born(t, child, string(c.text), c.start+c.duration)
	return err
}

// superseded is an exec by another thread than the first: it takes the number
// of the first, under which the call returns.
func (s *processes) superseded(t *thread, by string) {
	number, _, _ := strings.Cut(by, " ")
	tid, err := strconv.ParseUint(number, 10, 32)
	if o := s.threads[uint32(tid)]; err == nil && o != nil && o != t {
		s.forget(t)
		t.pending = o.pending
		delete(s.threads, o.tid)
	}
}

// ended is the end of a thread: "+++ exited with 0 +++".
func (s *processes) ended(t *thread, named uint32, text string, at int64) error {
	if by, ok := strings.CutPrefix(text, "+++ superseded by execve in pid "); ok {
		s.superseded(t, by)
		return nil
	}
	delete(s.threads, t.tid)
	delete(s.threads, named)
	s.forget(t) // it makes no process any more
	if s.last == t {
		s.last = nil
	}
	if t.tid != t.pid {
		return nil
	}
	s.effects.Descriptors.Exit(t.pid)
	s.in(t.pid, "")
	var status, code int32
	if _, err := fmt.Sscanf(text, "+++ exited with %d +++", &code); err == nil {
		status = code & 0xff << 8
	} else if f := strings.Fields(text); len(f) > 3 {
		status = signal(f[3])
	}
	return s.sink.Process(&trace.Process{Time: at, Action: trace.ProcessExit, PID: t.pid, TID: t.tid, Status: status,
		Command: t.command})
}

// present takes note of a thread that nothing in the log has made.
func (s *processes) present(tid uint32, at int64) (*thread, error) {
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
		if err := p.Inherit(s.effects.Descriptors, s.effects.Files, 0); err != nil {
			return nil, err
		}
		t.command = trace.Comm(p.Name)
		s.in(t.pid, p.Dir)
	}
	if t.pid != tid { // its first thread may be silent for long
		s.add(&thread{tid: t.pid, pid: t.pid, command: t.command})
	}
	return t, s.sink.Process(&trace.Process{Time: at, Action: trace.ProcessPresent, PID: t.pid, TID: t.pid,
		Parent: p.Parent, Command: t.command, Args: p.Args, Exe: p.Exe, UID: p.UID})
}

// half is the first half of a call that goes on.
type half struct {
	name, text string
	start      int64
}

// maxPending bounds how many calls of a thread go on: without -f the threads of a process are one.
const maxPending = 64

// forget drops the calls of a thread that go on.
func (s *processes) forget(t *thread) {
	for _, h := range t.pending {
		s.held.Drop(len(h.text))
	}
	t.pending = nil
}

// in says where the relative paths of a process begin, "" if that is not known.
func (s *processes) in(pid uint32, dir string) {
	s.held.Drop(len(s.dirs[pid]))
	if dir != "" && len(dir) <= bounded.MaxPath && s.held.Add(len(dir)) {
		s.dirs[pid] = dir
	} else {
		delete(s.dirs, pid)
	}
}

// resume puts both halves of a call together in room: of the name that the second one says, the last that goes on.
func (s *processes) resume(t *thread, text, room []byte) (whole []byte, start int64, ok bool) {
	text = text[len("<... "):]
	name, rest, ok := bytes.Cut(text, resumed)
	if !ok {
		return nil, 0, false
	}
	for k := len(t.pending) - 1; k >= 0; k-- {
		if h := t.pending[k]; h.name == string(name) {
			t.pending = append(t.pending[:k], t.pending[k+1:]...)
			s.held.Drop(len(h.text))
			return append(append(room[:0], h.text...), rest...), h.start, true
		}
	}
	return nil, 0, false
}
