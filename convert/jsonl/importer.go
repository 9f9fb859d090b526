package jsonl

import (
	"errors"
	"fmt"
	"io"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// Importer reads what Export has written: the trace is the same.
var Importer = convert.Importer{
	From:  "jsonl",
	About: "iotrace export --to jsonl -o FILE TRACE",
	Whole: importTrace,
}

func importTrace(in io.Reader, begin func(trace.Header) (tracer.Sink, error)) (c convert.Counts, end *trace.End,
	err error) {
	p := &convert.Plausible{}
	read, err := Import(in, func(h trace.Header) (tracer.Sink, error) {
		sink, err := begin(h)
		p.Sink = sink
		return p, err
	})
	c = convert.Counts{Lines: read.Lines, Damaged: read.Damaged, First: read.First, Skipped: read.Skipped}
	if read.Damaged > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("line %d: %s", read.First, read.Reason))
	}
	if read.Skipped > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d lines are of kinds that this version does not know", read.Skipped))
	}
	if note := p.Note(); note != "" {
		c.Notes = append(c.Notes, note)
	}
	if errors.Is(err, ErrFormat) {
		err = fmt.Errorf("importing from jsonl: %w: %w", convert.ErrFormat, err)
	}
	return c, read.End, err
}
