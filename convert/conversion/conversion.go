// Package conversion makes traces of inputs as a whole: of what an importer reads, of several traces of one moment, and
// of a trace whose names are to be hidden.
package conversion

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/internal/bounded"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// Result is what an input has come to.
type Result struct {
	Counts   convert.Counts
	Calls    uint64
	Requests uint64
	// Operations are asynchronous ones.
	Operations uint64
	missing    []trace.Limit // found out from the beginning of the input
}

// Import reads inputs of some importer's format and writes a trace of them. tool is what the trace says it was made by.
func Import(w io.Writer, i *convert.Importer, in *Inputs, tool string) (*Result, error) {
	defer bounded.Garbage()()
	if i.Whole != nil {
		return importWhole(w, i, in)
	}
	header, s := i.Header, &sink{}
	header.Tool = tool
	head, whole, name, err := in.head()
	if err == nil {
		err = refused(i, name, head, whole)
	}
	if err != nil {
		return nil, err
	}
	if i.Limits != nil {
		s.result.missing = i.Limits(head)
		header.Limits = append(slices.Clip(header.Limits), s.result.missing...)
	}
	out, err := tracefile.NewWriter(w, header)
	if err != nil {
		return nil, err
	}
	s.Writer = out
	r := &s.result
	r.Counts, err = i.Read(in.List, s)
	end := trace.End{
		Duration: s.last, CommandEnd: -1, Durable: -1, ExitCode: -1, Reason: "import", Warnings: r.warnings(),
	}
	if err != nil {
		end.Error = err.Error()
	}
	closed := out.Close(end) // ends its goroutine, whatever has happened
	return r.outcome(in, err, closed)
}

// importWhole makes of an input that is a whole trace that trace again. What could
// not be read is among its warnings.
func importWhole(w io.Writer, i *convert.Importer, in *Inputs) (*Result, error) {
	s := &sink{}
	r := &s.result
	counts, end, err := i.Whole(in.List[0], func(h trace.Header) (_ trace.Sink, err error) {
		s.Writer, err = tracefile.NewWriter(w, h)
		return s, err
	})
	r.Counts = counts
	var closed error
	switch {
	case s.Writer == nil:
	case end == nil:
		closed = s.Abandon()
	default:
		end.Warnings = append(end.Warnings, r.warnings()...)
		closed = s.Close(*end)
	}
	return r.outcome(in, err, closed)
}

// outcome is what an import returns.
func (r *Result) outcome(in *Inputs, err, closed error) (*Result, error) {
	if err == nil && r.Counts.Lines == 0 {
		err = errors.New("it is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", in.names(), err)
	}
	return r, closed
}

// Summary says in lines what was read, and what could not be.
func (r *Result) Summary() string {
	var b strings.Builder
	for _, l := range r.missing {
		fmt.Fprintf(&b, "iotrace: %s%s\n", strings.ToLower(l.Text[:1]), strings.TrimSuffix(l.Text[1:], "."))
	}
	for _, w := range r.warnings() {
		fmt.Fprintf(&b, "iotrace: %s\n", w)
	}
	operations := ""
	if r.Operations > 0 {
		operations = unit.Things(int64(r.Operations), "operation") + ", "
	}
	fmt.Fprintf(&b, "%s: %s, %s%s\n", unit.Things(int64(r.Counts.Lines), "line"), unit.Things(int64(r.Calls), "call"),
		operations, unit.Things(int64(r.Requests), "request"))
	return b.String()
}

func (r *Result) warnings() (list []string) {
	if c := r.Counts; c.Damaged > 0 {
		text := fmt.Sprintf("%d of %d lines could not be read and are missing; the first is line %d", c.Damaged, c.Lines,
			c.First)
		if c.Why != "" {
			text += ": " + c.Why
		}
		list = append(list, text)
	}
	return append(list, r.Counts.Notes...)
}
