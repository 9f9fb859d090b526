// Package jsonl writes traces as lines of JSON and reads them again: one object for
// each event, before them the header and behind them the end of the trace. Nothing is
// lost on the way.
package jsonl

import (
	"encoding/json"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/schema"
)

// lineTrace is the first line, lineEnd the last one of a trace that was completed.
type lineTrace struct {
	Kind   string          `json:"kind"`
	Schema int             `json:"schema"`
	Header json.RawMessage `json:"header"`
}

type lineEnd struct {
	Kind string          `json:"kind"`
	End  json.RawMessage `json:"end"`
}

// The kinds of lines that stand for no event.
const (
	kindTrace = "trace"
	kindEnd   = "end"
)

// version is that of the lines that this package writes, and the newest it
// reads. New fields and new kinds of lines do not change it.
const version = 1

// NewEncoder is an encoder for the events of a trace. What n knows of files and
// devices stands with the events that are about them.
func NewEncoder(h trace.Header, n *schema.Resolver) *Encoder {
	w := &Encoder{lines: layouts(), names: n, calls: numberCalls(h)}
	w.encoder = json.NewEncoder(&w.quoted)
	w.encoder.SetEscapeHTML(false)
	return w
}

// Append appends an event as one line, without a line feed.
func (w *Encoder) Append(b []byte, batch *trace.Batch, e trace.Event) []byte {
	l := w.lines.of[e.Kind]
	return l.append(w, b, l.in(batch, e.Index))
}
