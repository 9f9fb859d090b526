package jsonl

import (
	"errors"
	"fmt"
	"io"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/trace"
)

// Importer reads what Export has written: the trace is the same.
var Importer = convert.Importer{
	From:  "jsonl",
	About: "iotrace export --to jsonl -o FILE TRACE",
	Whole: importTrace,
}

func importTrace(in io.Reader, begin func(trace.Header) (trace.Sink, error)) (convert.Counts, *trace.End, error) {
	p := &convert.Plausible{}
	c, err := Import(in, func(h trace.Header) (trace.Sink, error) {
		sink, err := begin(h)
		p.Sink = sink
		return p, err
	})
	if c.Skipped > 0 {
		c.AddNote(fmt.Sprintf("%d lines are of kinds that this version does not know", c.Skipped))
	}
	c.AddNote(p.Note())
	if errors.Is(err, ErrFormat) {
		err = fmt.Errorf("importing from jsonl: %w: %w", convert.ErrFormat, err)
	}
	return c.Counts, c.End, err
}
