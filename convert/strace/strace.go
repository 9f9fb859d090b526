// Package strace reads the logs of strace as events.
package strace

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// Importer reads the log of strace. With -y every descriptor carries its path, so
// that only offsets have to be followed from call to call.
var Importer = convert.Importer{
	From:  "strace",
	About: "strace -f -ttt -T -y -o FILE COMMAND\n(one of -ttt and -T at least; -s 0 keeps the file small)",
	Header: trace.Header{Backend: "import:strace", OS: "linux", Scope: "import", Calls: names(),
		Limits: []trace.Limit{
			{Code: trace.LimitNoRequests, Text: "strace shows system calls only: disk requests are not seen."},
			trace.LimitNoFaults.Limit(),
			{Code: trace.LimitNoWaits, Text: "What a thread waited for between its calls is not seen; strace itself stops it " +
				"twice a call."},
			trace.LimitNoFill.Limit(),
			{Code: trace.LimitNoAsync, Text: "Asynchronous operations (io_uring, libaio) are seen as the calls that submit " +
				"them, without files and results."},
		}},
	Joins:  true,
	Import: convert.Checked(read),
}

func read(in io.Reader, sink tracer.Sink) (convert.Counts, error) {
	s := NewReader(sink, nil)
	err := convert.Lines(in, s.Line)
	c := s.count
	if err != nil {
		return c, err
	}
	if s.under() > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d calls had not returned when the log ended", s.under()))
	}
	if c.Damaged > 0 && s.calls == 0 {
		return c, fmt.Errorf("importing from strace: %w: none of %d lines is a call with a time; was it made with strace "+
			"-f -ttt -T -y?", convert.ErrFormat, c.Lines)
	}
	c.Notes = append(c.Notes, "strace stops a program twice a call: calls took longer than without it, and the time "+
		"between them as well")
	if s.untimed > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d calls have no duration: strace -T adds it", s.untimed))
	}
	if s.nameless > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d descriptors have no path: strace -y adds it", s.nameless))
	}
	return c, nil
}

// under counts the calls that the log ends in.
func (s *Reader) under() (n int) {
	for _, t := range s.threads {
		if t.pending != "" {
			n++
		}
	}
	return n
}

type thread struct {
	tid, pid uint32
	pending  string // the first half of a call that goes on
	start    int64  // of it
	child    uint32 // that was seen before the call that made it returned
	command  string
}

// Bounds of what is remembered.
const (
	maxThreads = 1 << 20
	maxForking = 1 << 10
)

// Line reads a line, without its end.
func (s *Reader) Line(b []byte) error {
	s.count.Lines++
	text := string(bytes.TrimRight(b, " \r"))
	if text == "" || strings.HasPrefix(text, "strace: ") { // "strace: Process 12 attached"
		s.count.Skipped++
		return nil
	}
	tid, text := takeThread(text)
	at, text, ok := takeTime(text)
	if !ok {
		s.count.AddDamaged()
		return nil
	}
	if !s.begun {
		s.begun, s.base = true, at
	}
	at = max(at-s.base, 0)
	t, err := s.thread(tid, at)
	if err != nil {
		return err
	}
	switch {
	case strings.HasPrefix(text, "+++ "):
		return s.ended(t, text, at)
	case strings.HasPrefix(text, "--- "):
		s.count.Skipped++
		return nil
	case strings.HasSuffix(text, "<unfinished ...>"):
		t.pending, t.start = strings.TrimSuffix(text, "<unfinished ...>"), at
		if forks(t.pending) && len(s.forking) < maxForking {
			s.forking = append(s.forking, t)
		}
		return nil
	case strings.HasPrefix(text, "<... "):
		_, rest, ok := strings.Cut(text, " resumed>")
		if !ok || t.pending == "" {
			s.count.AddDamaged()
			return nil
		}
		text, at = t.pending+rest, t.start
		t.pending = ""
	}
	c, ok := parse(text)
	if !ok {
		s.count.AddDamaged()
		return nil
	}
	if s.calls++; c.lives {
		return nil
	}
	c.start = at
	if c.duration < 0 {
		s.untimed++
		c.duration = 0
	}
	return s.call(t, c)
}

// takeThread takes the thread off a line: "1234 …" of -o, "[pid 1234] …" of the
// terminal, nothing without -f.
func takeThread(s string) (uint32, string) {
	number, rest, _ := strings.Cut(s, " ")
	if in, ok := strings.CutPrefix(s, "[pid"); ok {
		number, rest, _ = strings.Cut(in, "]")
		number = strings.TrimSpace(number)
	}
	if tid, err := strconv.ParseUint(number, 10, 32); err == nil && tid > 0 {
		return uint32(tid), strings.TrimLeft(rest, " ")
	}
	return 1, s
}

// takeTime takes the time off a line: seconds since 1970, of -ttt.
func takeTime(s string) (ns int64, rest string, ok bool) {
	word, rest, _ := strings.Cut(s, " ")
	whole, frac, ok := strings.Cut(word, ".")
	sec, err := strconv.ParseUint(whole, 10, 33)
	if !ok || err != nil || len(frac) > 9 {
		return 0, s, false
	}
	n, err := strconv.ParseUint((frac + "000000000")[:9], 10, 64)
	return int64(sec)*1e9 + int64(n), strings.TrimLeft(rest, " "), err == nil
}

// forks reports whether a call makes a process or a thread.
func forks(call string) bool {
	for _, p := range []string{"fork(", "vfork(", "clone(", "clone3("} {
		if strings.HasPrefix(call, p) {
			return true
		}
	}
	return false
}

// thread returns a thread. A new one is the child of the oldest call under way
// that makes one; if there is none, it was there before.
func (s *Reader) thread(tid uint32, at int64) (*thread, error) {
	if t := s.threads[tid]; t != nil {
		return t, nil
	}
	for i, parent := range s.forking {
		if parent.child == 0 && parent.pending != "" {
			s.forking = append(s.forking[:i], s.forking[i+1:]...)
			parent.child = tid
			return s.born(parent, tid, parent.pending, at)
		}
	}
	return s.present(tid, at)
}

func (s *Reader) add(t *thread) *thread {
	if len(s.threads) >= maxThreads {
		clear(s.threads)
	}
	s.threads[t.tid] = t
	return t
}

// born adds what a call has made.
func (s *Reader) born(parent *thread, tid uint32, call string, at int64) (*thread, error) {
	t := s.add(&thread{tid: tid, pid: tid, command: parent.command})
	if strings.Contains(call, "CLONE_THREAD") {
		t.pid = parent.pid
	} else if s.dirs[tid] = s.dirs[parent.pid]; tid == parent.pid {
		return t, nil // no number of a child: it has its parent's
	} else if s.fds.Fork(parent.pid, tid); strings.Contains(call, "CLONE_FILES") {
		s.fds.Exit(tid) // they share a table; what one opens the other's path will tell
	}
	return t, s.sink.Process(&trace.Process{Time: at, Action: trace.ProcessFork, PID: t.pid, TID: tid, Parent: parent.pid,
		Command: t.command})
}

// forked is the end of a call that made a process or a thread.
func (s *Reader) forked(t *thread, c *call) error {
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
	_, err := s.born(t, child, c.text, c.start+c.duration)
	return err
}

// superseded is an exec by another thread than the first: it takes the number
// of the first, under which the call returns.
func (s *Reader) superseded(t *thread, by string) {
	number, _, _ := strings.Cut(by, " ")
	tid, err := strconv.ParseUint(number, 10, 32)
	if o := s.threads[uint32(tid)]; err == nil && o != nil && o != t {
		t.pending, t.start = o.pending, o.start
		delete(s.threads, o.tid)
	}
}

// ended is the end of a thread: "+++ exited with 0 +++".
func (s *Reader) ended(t *thread, text string, at int64) error {
	if by, ok := strings.CutPrefix(text, "+++ superseded by execve in pid "); ok {
		s.superseded(t, by)
		return nil
	}
	delete(s.threads, t.tid)
	t.pending = "" // it makes no process any more
	if t.tid != t.pid {
		return nil
	}
	s.fds.Exit(t.pid)
	delete(s.dirs, t.pid)
	status := int32(9)
	var code int32
	if _, err := fmt.Sscanf(text, "+++ exited with %d +++", &code); err == nil {
		status = code & 0xff << 8
	} else if f := strings.Fields(text); len(f) > 3 {
		if n, ok := signals[f[3]]; ok {
			status = n
		}
	}
	return s.sink.Process(&trace.Process{Time: at, Action: trace.ProcessExit, PID: t.pid, TID: t.tid, Status: status,
		Command: t.command})
}

// signals are the signals that commonly end a process (signal(7)).
var signals = map[string]int32{"SIGHUP": 1, "SIGINT": 2, "SIGQUIT": 3, "SIGILL": 4, "SIGTRAP": 5, "SIGABRT": 6,
	"SIGBUS": 7,
	"SIGFPE": 8, "SIGKILL": 9, "SIGUSR1": 10, "SIGSEGV": 11, "SIGUSR2": 12, "SIGPIPE": 13, "SIGALRM": 14, "SIGTERM": 15}
