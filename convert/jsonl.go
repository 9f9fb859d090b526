package convert

import (
	"errors"
	"fmt"
	"io"

	"github.com/iotrace/iotrace/convert/jsonl"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// JSONL reads what JSONLines has written: the trace is the same.
var JSONL = Importer{
	From:  "jsonl",
	About: "iotrace export --to jsonl -o FILE TRACE",
	Whole: importJSONL,
}

func importJSONL(in io.Reader, begin func(trace.Header) (tracer.Sink, error)) (c Counts, end *trace.End, err error) {
	p := &plausible{}
	read, err := jsonl.Import(in, func(h trace.Header) (tracer.Sink, error) {
		sink, err := begin(h)
		p.Sink = sink
		return p, err
	})
	c = Counts{Lines: read.Lines, Damaged: read.Damaged, First: read.First, Skipped: read.Skipped}
	if read.Damaged > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("line %d: %s", read.First, read.Reason))
	}
	if read.Skipped > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d lines are of kinds that this version does not know", read.Skipped))
	}
	if note := p.note(); note != "" {
		c.Notes = append(c.Notes, note)
	}
	if errors.Is(err, jsonl.ErrFormat) {
		err = fmt.Errorf("importing from jsonl: %w: %w", ErrFormat, err)
	}
	return c, read.End, err
}
