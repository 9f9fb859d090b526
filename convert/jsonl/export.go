package jsonl

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"

	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/schema"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// Export writes a trace, which it reads to its end. A trace that was interrupted
// has no line of its end.
func Export(r *tracefile.Reader, w *bufio.Writer) error {
	header, err := tracefile.MarshalHeader(r.Header())
	if err == nil {
		err = writeLine(w, lineTrace{kindTrace, version, header})
	}
	if err != nil {
		return err
	}
	known := schema.NewResolver(r.Header())
	encoder := NewEncoder(r.Header(), known)
	var (
		b    trace.Batch
		line []byte
	)
	for {
		if err := r.Next(&b); errors.Is(err, io.EOF) {
			return writeEnd(w, r)
		} else if err != nil {
			return err
		}
		known.Learn(&b)
		for e := range b.InOrder() {
			line = append(encoder.Append(line[:0], &b, e), '\n')
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
	}
}

func writeEnd(w *bufio.Writer, r *tracefile.Reader) error {
	e, complete := r.End()
	if !complete {
		return nil
	}
	end, err := tracefile.MarshalEnd(e)
	if err != nil {
		return err
	}
	return writeLine(w, lineEnd{kindEnd, end})
}

// writeLine writes a line that stands for no event.
func writeLine(w *bufio.Writer, o any) error {
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	_, err = w.Write(append(visible.AppendJSON(nil, text), '\n'))
	return err
}
