// Package convert defines an importer, which reads the output of another tool as events. It says whether a text is in
// an importer's format and counts what cannot be read. It lets through no event that cannot be true.
package convert

import (
	"errors"
	"fmt"
	"io"

	"github.com/iotrace/iotrace/internal/bounded"
	"github.com/iotrace/iotrace/trace"
)

// Importer reads the output of one tool.
type Importer struct {
	From   string       // the tool, as --from takes it
	About  string       // one line: how to make the input
	Header trace.Header // of the trace; its times, host and files are the caller's
	// Limits adds to the header's what the beginning of the input shows to be missing. Nil for most tools.
	Limits func(head []byte) []trace.Limit
	// Refuse says why there can be no trace of an input that is the tool's all the same, such as a summary, and what to
	// do; "" if the beginning of the input shows none of that. Nil for most tools.
	Refuse func(head []byte) string
	// Proves says that the beginning of the input is the tool's, even if no event stands in it, as a heading may. Nil for
	// tools whose events alone tell.
	Proves func(head []byte) bool
	Joins  bool // several inputs can be read one after the other, as one
	// Import reads an input to its end and writes its events. What cannot be
	// read is counted and left out; an error means that the input is not this
	// tool's, could not be read, or that the sink failed.
	Import func(in io.Reader, sink trace.Sink) (Counts, error)
	// Merge reads inputs that belong side by side, such as a file of each CPU, in place of Import. Nil for tools that
	// write a single file; it is never called with none.
	Merge func(in []Input, sink trace.Sink) (Counts, error)
	// Whole is there in place of Header and Import if an input is a whole trace, with
	// a header and an end of its own: it calls begin with the header, once, and gives
	// its events to the sink. End is nil for a trace that was interrupted.
	Whole func(in io.Reader, begin func(trace.Header) (trace.Sink, error)) (c Counts, end *trace.End, err error)
}

// Takes refuses several inputs where one cannot go on in the next.
func (i *Importer) Takes(inputs []string) error {
	if len(inputs) > 1 && !i.Joins && i.Merge == nil {
		return fmt.Errorf("want one export of %s, got %d", i.From, len(inputs))
	}
	return nil
}

// Input is one of the files that are imported.
type Input struct {
	io.Reader
	Name string
}

// Read imports all inputs: side by side, or one after the other as one.
func (i *Importer) Read(inputs []Input, sink trace.Sink) (Counts, error) {
	if i.Whole != nil {
		c, _, err := i.Whole(inputs[0], func(trace.Header) (trace.Sink, error) { return sink, nil })
		return c, err
	}
	if i.Merge != nil {
		return i.Merge(inputs, sink)
	}
	parts := make([]io.Reader, len(inputs))
	for k := range inputs {
		parts[k] = inputs[k]
	}
	return i.Import(io.MultiReader(parts...), sink)
}

// Counts says what an import met.
type Counts struct {
	Lines   uint64   // lines, or rows of a table
	Damaged uint64   // of them, those that could not be read
	First   uint64   // number of the first damaged one, from 1; 0 if none is
	Why     string   // that one could not be read, "" if nothing more is known
	Skipped uint64   // those that no event stands for
	Notes   []string // what the user should know of the result
}

// AddDamaged counts the line or row that was read last as damaged.
func (c *Counts) AddDamaged() {
	if c.Damaged++; c.First == 0 {
		c.First = c.Lines
	}
}

// AddLong counts a line that was too long to be read.
func (c *Counts) AddLong() {
	c.Lines++
	c.AddDamagedAs(bounded.ErrTooLong.Error())
}

// AddNote adds what the user should know, unless it is "".
func (c *Counts) AddNote(text string) {
	if text != "" {
		c.Notes = append(c.Notes, text)
	}
}

// AddCount adds a note of how many of something there were, unless there was none. The text has a %d.
func (c *Counts) AddCount(n uint64, text string) {
	if n > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf(text, n))
	}
}

// AddDamagedAs counts the line or row that was read last as damaged, and says why.
func (c *Counts) AddDamagedAs(why string) {
	if c.AddDamaged(); c.Damaged == 1 {
		c.Why = why
	}
}

// ErrFormat is wrapped by errors that say that an input is not the tool's.
var ErrFormat = errors.New("not in this format")

// MaxSeen bounds how many processes, threads and devices are remembered as known.
const MaxSeen = 1 << 16

// Verdict is what came of a line.
type Verdict uint8

// The verdicts.
const (
	Read    Verdict = iota
	Skipped         // no event stands for it
	Damaged         // it could not be read
)

// Each calls f with each line of in, and counts what it says of it.
func (c *Counts) Each(in io.Reader, f func(line []byte) (Verdict, error)) error {
	return Lines(in, func(line []byte) error {
		c.Lines++
		v, err := f(line)
		switch v {
		case Skipped:
			c.Skipped++
		case Damaged:
			c.AddDamaged()
		}
		return err
	}, c.AddLong)
}

// Lines calls f with each line of in, without its end, LF or CRLF, and long in place of one that is too long.
func Lines(in io.Reader, f func([]byte) error, long func()) error {
	for lines := bounded.NewLines(piecewise{in}, bounded.MaxLine, bounded.MaxLine); ; {
		line, err := lines.Next()
		switch {
		case err == nil:
			err = f(line)
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, bounded.ErrTooLong):
			long()
			continue
		}
		if err != nil {
			return err
		}
	}
}

// piecewise reads no more at a time than stays in the caches of a processor until its lines are taken apart, and as
// much as what found out the format passes on without a copy.
type piecewise struct{ in io.Reader }

func (p piecewise) Read(b []byte) (int, error) { return p.in.Read(b[:min(len(b), HeadSize)]) }
