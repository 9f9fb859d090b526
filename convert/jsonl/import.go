package jsonl

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/internal/bounded"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// maxLine bounds the length of a line: a request with all the pieces that one may
// have takes 12 MiB.
const maxLine = 16 << 20

// maxValues bounds the values of a line: of that request three of each of its pieces.
const maxValues = 1 << 19

// ErrFormat means that an input is not a trace in lines of JSON.
var ErrFormat = errors.New("its first line is no header of a trace, as iotrace export --to jsonl writes it")

// Counts says what reading met.
type Counts struct {
	convert.Counts
	End *trace.End
}

// Import reads lines of JSON to their end. It calls begin with the header, and
// gives the events to the sink that it gets. A line that cannot be read is counted
// and left out.
func Import(in io.Reader, begin func(trace.Header) (trace.Sink, error)) (c Counts, err error) {
	l := bounded.NewLines(in, 1<<20, maxLine)
	first, err := l.Next()
	if errors.Is(err, io.EOF) {
		return c, nil
	}
	c.Lines = 1
	h, ok := header(first)
	if err != nil || !ok {
		return c, errors.Join(ErrFormat, err)
	}
	sink, err := begin(h)
	if err != nil {
		return c, err
	}
	d := &decoder{lines: layouts(), sink: sink, calls: numberCalls(h)}
	for {
		line, err := l.Next()
		switch {
		case errors.Is(err, io.EOF):
			return c, nil
		case err != nil && !errors.Is(err, bounded.ErrTooLong):
			return c, err
		}
		c.Lines++
		if err == nil {
			err = c.read(d, line)
		}
		if failed, ok := errors.AsType[sinkError](err); ok {
			return c, failed.error
		}
		if err != nil {
			c.AddDamagedAs(err.Error())
		}
	}
}

// header reads the first line.
func header(line []byte) (trace.Header, bool) {
	var o lineTrace
	if bounded.JSON(line, maxValues) != nil || json.Unmarshal(line, &o) != nil || o.Kind != kindTrace ||
		o.Schema < 1 || o.Schema > version {
		return trace.Header{}, false
	}
	h, err := tracefile.UnmarshalHeader(o.Header)
	return h, err == nil
}

// read reads any line but the first.
func (c *Counts) read(d *decoder, line []byte) error {
	if len(line) > maxValues { // a shorter one has not as many
		if err := bounded.JSON(line, maxValues); err != nil {
			return err
		}
	}
	kind, err := kindOf(line)
	if err != nil {
		return err
	}
	switch {
	case kind == kindTrace:
		return errors.New("a second header")
	case c.End != nil:
		return errors.New("it stands behind the end of the trace")
	case kind == kindEnd:
		var o lineEnd
		if err := json.Unmarshal(line, &o); err != nil {
			return err
		}
		end, err := tracefile.UnmarshalEnd(o.End)
		if err == nil {
			c.End = &end
		}
		return err
	}
	known, err := d.event(kind, line)
	if !known {
		c.Skipped++ // of a newer version
	}
	return err
}

// kindOf finds the kind of a line: it usually comes first.
func kindOf(line []byte) (string, error) {
	if rest, ok := bytes.CutPrefix(line, []byte(`{"kind":"`)); ok {
		if end := bytes.IndexByte(rest, '"'); end >= 0 && bytes.IndexByte(rest[:end], '\\') < 0 {
			return string(rest[:end]), nil
		}
	}
	var o struct {
		Kind string `json:"kind"`
	}
	if err := json.Unmarshal(line, &o); err != nil {
		return "", err
	}
	if o.Kind == "" {
		return "", errors.New("it has no kind")
	}
	return o.Kind, nil
}
