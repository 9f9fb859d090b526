package strace

import (
	"bytes"
	"fmt"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/calls"
	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/machine"
)

var (
	unfinished = []byte("<unfinished ...>")
	resumed    = []byte(" resumed>")
)

// Reader turns the lines of strace into events.
type Reader struct {
	processes
	count    convert.Counts
	calls    uint64
	kept     uint64 // of them, those that the trace has, or that change what later ones refer to
	untimed  uint64 // calls without a duration
	nameless uint64 // descriptors without a path
	clock    clock
	before   clock  // before the line
	prefix   prefix // of the line that is read
	parsed   call   // in it
	made     event  // of it
	whole    []byte // a call that was told in two lines
	name     []byte // a path in it, put together from a directory and a name
	broken   []byte // the line before, if it stops within a call
	glued    bool   // the next line is the rest of it
	table    bool   // what follows is the table of -C
	again    uint64 // calls that were broken off
	others   convert.LeftOut
	err      error
}

// Live is what is known of a log that is read while strace writes it, on the machine where it does.
type Live struct {
	Machine machine.System
	Leader  func(tid uint32) uint32 // the process of a thread, 0 if it has ended
	Begin   int64                   // time 0 of the trace, ns since 1970
}

// NewReader returns a reader of a log that writes to sink. live is nil if the log is an old one.
func NewReader(sink trace.Sink, live *Live) *Reader {
	s := &Reader{others: convert.LeftOut{}, processes: processes{sink: sink, live: live, alone: 1,
		threads: map[uint32]*thread{}, dirs: map[uint32]string{}}}
	identify := fdtable.Identify(nil)
	if live != nil {
		identify = live.Machine.Identify
		s.clock.begun, s.clock.base = true, live.Begin
	}
	s.effects = calls.Effects{Descriptors: fdtable.NewTable(), Files: fdtable.NewFiles(sink.File, identify)}
	return s
}

// Files are those that the log has named so far.
func (s *Reader) Files() *fdtable.Files { return s.effects.Files }

// Counts says what was read so far.
func (s *Reader) Counts() convert.Counts { return s.count }

// Calls is how many calls the log has had so far, those included of which no event is made.
func (s *Reader) Calls() uint64 { return s.calls }

// Line reads a line, without its end.
func (s *Reader) Line(b []byte) error {
	s.count.Lines++
	b = bytes.TrimRight(b, " \r")
	if skip, err := s.aside(b); skip || err != nil {
		s.count.Skipped++
		return err
	}
	if s.broken != nil {
		if rest := bytes.TrimLeft(b, " "); s.glued || rest[0] == ')' || bytes.Equal(rest, unfinished) {
			b = append(s.broken, rest...)
			s.count.Skipped++ // the two are one
		} else {
			s.count.AddDamaged()
		}
		s.broken = nil
	}
	rest := s.prefix.take(b)
	if nameless(rest) {
		s.count.Skipped++
		return nil
	}
	if !tells(rest) {
		s.count.AddDamaged()
		return nil
	}
	s.before = s.clock
	at := s.clock.at(&s.prefix)
	t, err := s.whose(&s.prefix, rest, at)
	if err != nil {
		return err
	}
	return s.told(t, b, rest, at)
}

// Long is in place of a line that is too long to be read.
func (s *Reader) Long() { s.count.AddLong() }

// tells reports whether a text, behind the prefix of a line, is about a thread: a call, its second half, a signal, an
// end.
func tells(text []byte) bool {
	n := nameLength(text)
	return n > 0 && n < len(text) && text[n] == '(' || bytes.HasPrefix(text, []byte("+++ ")) ||
		bytes.HasPrefix(text, []byte("--- ")) || bytes.HasPrefix(text, []byte("<... "))
}

// nameless reports whether a text is of a call that strace could not look at, and so has no name: its thread was killed
// as the call began, which did nothing.
func nameless(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("<... "))
	name := bytes.TrimLeft(text, "?")
	return len(name) < len(text) && (bytes.HasPrefix(name, []byte("(")) || bytes.HasPrefix(name, []byte(" resumed")))
}

// aside reports whether a line is about something else than a call: what strace itself says, the stacks of -k, the data
// of -e read, the table of -C.
func (s *Reader) aside(b []byte) (bool, error) {
	switch {
	case len(b) == 0, s.table:
		return true, nil
	case b[0] == 's' && bytes.HasPrefix(b, []byte("strace: ")), // "strace: Process 12 attached"
		b[0] == 'P' && bytes.HasPrefix(b, []byte("Process ")), // of old versions
		b[0] == ' ' && (bytes.HasPrefix(b, []byte(" > ")) || bytes.HasPrefix(b, []byte(" | "))):
		return true, nil
	case b[0] == '%' && bytes.HasPrefix(b, []byte("% time")):
		if s.calls == 0 {
			return false, fmt.Errorf("importing from strace: %w: it is the table of strace -c, which has no calls; record "+
				"with strace -f -ttt -T -y", convert.ErrFormat)
		}
		s.table = true
		return true, nil
	case b[0] == 'S' && bytes.HasPrefix(b, []byte("SYSCALL(args)")):
		return false, fmt.Errorf("importing from strace: %w: it is of dtruss", convert.ErrFormat)
	}
	return false, nil
}

// told reads what a thread did, behind the prefix of a line.
func (s *Reader) told(t *thread, line, text []byte, at int64) error {
	switch {
	case bytes.HasPrefix(text, []byte("+++ ")):
		return s.ended(t, s.prefix.tid, string(text), at)
	case bytes.HasPrefix(text, []byte("--- ")):
		s.count.Skipped++
		return nil
	case bytes.HasSuffix(text, unfinished):
		s.begin(t, text[:len(text)-len(unfinished)], at)
		return nil
	case bytes.HasPrefix(text, []byte("<... ")):
		whole, start, ok := s.resume(t, text, s.whole)
		if !ok {
			s.count.AddDamaged()
			return nil
		}
		s.whole = whole
		return s.complete(t, whole, start, at)
	}
	if !s.parsed.parse(text) {
		if !bytes.Contains(text, []byte(") = ")) {
			s.breaks(line)
			return nil
		}
		s.count.AddDamaged()
		return nil
	}
	return s.done(t, at, -1)
}

// breaks keeps a line that stops within a call: on a terminal the program's own output comes between, or strace's word
// of a process that it has attached to.
func (s *Reader) breaks(line []byte) {
	i := bytes.LastIndex(line, []byte("strace: Process "))
	if s.glued = i > 0 && bytes.HasSuffix(line, []byte(" attached")); s.glued {
		line = line[:i]
	}
	s.broken = append([]byte(nil), line...)
	s.clock = s.before // the line is read again, with its end
}

// begin takes note of a call that goes on.
func (s *Reader) begin(t *thread, line []byte, at int64) {
	if len(t.pending) >= maxPending {
		s.held.Drop(len(t.pending[0].text))
		t.pending = append(t.pending[:0], t.pending[1:]...)
	}
	if !s.held.Add(len(line)) {
		s.count.AddDamagedAs("too many calls go on to remember them all")
		return
	}
	text := string(line)
	h := half{name: text[:nameLength(line)], text: text, start: at}
	t.pending = append(t.pending, h)
	if forks(h.name) && len(s.forking) < maxForking {
		s.forking = append(s.forking, t)
	}
}

// complete is a call that was told in two lines.
func (s *Reader) complete(t *thread, text []byte, start, at int64) error {
	if !s.parsed.parse(text) {
		s.count.AddDamaged()
		return nil
	}
	return s.done(t, start, max(at-start, 0))
}

// done is a call that has returned; between is how long it took by the times of its two lines, -1 if it is told in one.
func (s *Reader) done(t *thread, start, between int64) error {
	c := &s.parsed
	s.calls++
	if c.lives {
		if c.broken {
			s.again++
			s.count.Skipped++
		}
		return nil
	}
	c.start = start
	if c.duration < 0 && between >= 0 && s.prefix.kind != timeless {
		c.duration = between
	}
	if c.duration < 0 {
		s.untimed++
		c.duration = 0
	}
	s.clock.passed(&s.prefix, c.duration)
	return s.call(t, c)
}
