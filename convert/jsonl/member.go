package jsonl

// This file has what all others know of each other: how an event becomes a line, and a line an event.

import (
	"bytes"
	"encoding/json"
	"unsafe"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/schema"
)

// line is how the events of a kind become objects, and objects events. docs/export.md describes them. Fields that do
// not apply are left out; 0 and -1 that mean something are not. A text that is no valid UTF-8 is there a second time,
// as bytes, and a value that has no name as a number.
type line struct {
	head    string // what comes before the members
	members []member
	blank   func(e unsafe.Pointer) // makes an event of which nothing is known
	since   []func(e unsafe.Pointer)
	called  bool // it has the name of a call

	in   func(b *trace.Batch, i int) unsafe.Pointer // an event of a batch
	make func() unsafe.Pointer
	put  func(to trace.Sink, e unsafe.Pointer) error
}

// member is a field of an event in its line, or something beside it that only readers of single lines need.
type member struct {
	quoted string                                                   // its name with a colon
	write  func(w *Encoder, b []byte, e unsafe.Pointer) []byte      // appends it, or nothing
	plain  func(d *decoder, e unsafe.Pointer)                       // reads it as it mostly is; nil if it rarely is there
	parse  func(d *decoder, o object, e unsafe.Pointer) (err error) // takes it from any object; nil if it is not needed
}

// lines are those of all kinds of events.
type lines struct {
	of    [trace.NumKinds]*line // by Kind
	kinds map[string]trace.Kind // that have lines, by name
}

// Encoder makes events JSON objects, one per line.
type Encoder struct {
	lines   *lines
	names   *schema.Resolver
	calls   callNumbers
	bare    bool         // files are numbers, without a path
	quoted  bytes.Buffer // what encoder wrote
	encoder *json.Encoder
}

// decoder gives the events of lines to a sink.
type decoder struct {
	lines  *lines
	sink   trace.Sink
	calls  callNumbers
	text   plain
	called bool                           // the name of a call was read
	events [trace.NumKinds]unsafe.Pointer // one of each kind, used again
	more   []trace.Extent                 // of the request that was read last
	joined []byte                         // words of the process that was
}

// callNumbers are the numbers of the calls of a trace, by name.
type callNumbers map[string]uint16

// numberCalls finds the numbers of the calls of a trace: the first of a name.
func numberCalls(h trace.Header) callNumbers {
	all := callNumbers{}
	for i, name := range h.Calls {
		if _, known := all[name]; !known && i <= 1<<16-1 {
			all[name] = uint16(i)
		}
	}
	return all
}
