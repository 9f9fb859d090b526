// Package strace reads the logs of strace as events.
package strace

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/calls"
	"github.com/iotrace/iotrace/trace"
)

// Importer reads the log of strace. With -y every descriptor carries its path, so
// that only offsets have to be followed from call to call.
var Importer = convert.Importer{
	From:  "strace",
	About: "strace -f -ttt -T -y -o FILE COMMAND\n(without -ttt or -T it has no times; -s 0 keeps the file small)",
	Header: trace.Header{Backend: "import:strace", OS: "linux", Scope: "import", Calls: calls.Names(),
		Limits: []trace.Limit{
			{Code: trace.LimitNoRequests, Text: "strace shows system calls only: disk requests are not seen."},
			trace.LimitNoFaults.Limit(),
			{Code: trace.LimitNoWaits, Text: "What a thread waited for between its calls is not seen; strace itself stops it " +
				"twice a call."},
			trace.LimitNoFill.Limit(),
			{Code: trace.LimitNoAsync, Text: "Asynchronous operations (io_uring, libaio) are seen as the calls that submit " +
				"them, without files and results."},
		}},
	Limits: limits,
	Proves: proves,
	Joins:  true,
	Import: convert.Checked(read),
	Merge:  merge,
}

// proves reports whether a text begins with calls, also if they are all of kinds that a trace does not hold: others may
// follow.
func proves(head []byte) bool {
	s := NewReader(&trace.Log{}, nil)
	err := convert.Lines(bytes.NewReader(head), s.Line, s.Long)
	return err == nil && s.calls > 2*s.count.Damaged
}

// limits are those of what strace was not told to print, as far as the beginning of the log shows.
func limits(head []byte) (list []trace.Limit) {
	s := NewReader(&trace.Log{}, nil)
	if err := convert.Lines(bytes.NewReader(head), s.Line, s.Long); err != nil || s.calls == 0 {
		return nil
	}
	if s.timeless() {
		list = append(list, trace.Limit{Code: trace.LimitNoTimes, Text: "The log has no times (strace -ttt): calls " +
			"follow one another, also those that ran side by side."})
	}
	if s.untimed > s.calls/2 {
		list = append(list, trace.Limit{Code: trace.LimitNoDurations,
			Text: "How long calls took is not in the log (strace -T)."})
	}
	return list
}

// timeless reports whether the log does not say when calls began.
func (s *Reader) timeless() bool { return s.clock.lines[timeless] > s.count.Lines/2 }

func read(in io.Reader, sink trace.Sink) (convert.Counts, error) {
	return readAll(sink, func(s *Reader) error { return convert.Lines(in, s.Line, s.Long) })
}

func readAll(sink trace.Sink, lines func(*Reader) error) (convert.Counts, error) {
	s := NewReader(sink, nil)
	if err := lines(s); err != nil {
		return s.count, err
	}
	if s.broken != nil {
		s.count.AddDamaged()
	}
	if c := &s.count; s.calls == 0 && (c.Damaged > 0 || c.Lines > 0 && c.Skipped == c.Lines) {
		return *c, fmt.Errorf("importing from strace: %w: none of %d lines is a call; was it made with strace "+
			"-f -ttt -T -y?", convert.ErrFormat, c.Lines)
	}
	if s.calls > 0 && s.kept == 0 {
		return s.count, s.nothing()
	}
	s.notes()
	return s.count, nil
}

// nothing says that a log is strace's and that a trace of it would be empty.
func (s *Reader) nothing() error {
	if len(s.others) == 0 {
		return fmt.Errorf("importing from strace: none of its %d calls returned; record with strace -f -ttt -T -y -o FILE",
			s.calls)
	}
	return fmt.Errorf("importing from strace: its calls are all of kinds that a trace does not hold: %s; record with "+
		"strace -f -ttt -T -y -o FILE, without -e", s.others)
}

// notes says what the log could not tell.
func (s *Reader) notes() {
	note := func(format string, args ...any) { s.count.Notes = append(s.count.Notes, fmt.Sprintf(format, args...)) }
	if n := s.under(); n > 0 {
		note("calls that had not returned when the log ended: %d", n)
	}
	note("strace stops a program twice a call: calls took longer than without it, and the time between them as well")
	if s.clock.lines[ofDay] > 0 && s.clock.coarse > s.count.Lines/2 {
		note("the log has times of whole seconds: strace -ttt has finer ones")
	}
	if s.untimed > 0 && s.untimed <= s.calls/2 {
		note("calls without a duration: %d (strace -T adds it)", s.untimed)
	}
	if s.nameless > 0 {
		note("uses of descriptors without a path: %d (strace -y adds it)", s.nameless)
	}
	if text := s.effects.Files.Note(); text != "" {
		note("%s", text)
	}
	if s.again > 0 {
		note("calls that a signal broke off and that did not return (ERESTARTSYS and its like), left out: %d; where they "+
			"were made again, the log has them again", s.again)
	}
	if s.clock.backs > 0 {
		note("the clock of the log goes back %d times, by up to %v: calls from there on stand beside earlier ones",
			s.clock.backs, time.Duration(s.clock.furthest))
	}
	if s.clock.early > 0 {
		note("lines with a time before that of the first, shown as if they were of the same: %d", s.clock.early)
	}
	if len(s.others) > 0 {
		note("calls of kinds that a trace does not hold: %s", s.others)
	}
}
