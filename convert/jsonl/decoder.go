package jsonl

import (
	"unsafe"

	"github.com/iotrace/iotrace/trace"
)

// decoder gives the events of lines to a sink.
type decoder struct {
	lines  *lines
	sink   trace.Sink
	calls  callNumbers
	text   plain
	called bool                               // the name of a call was read
	events [trace.KindLost + 1]unsafe.Pointer // one of each kind, used again
	more   []trace.Extent                     // of the request that was read last
	joined []byte                             // words of the process that was
}

// event reads the line of an event; false if this version knows no such kind. An
// error that is no sinkError is one of the line.
func (d *decoder) event(name string, text []byte) (known bool, err error) {
	kind, known := d.lines.kinds[name]
	if !known {
		return false, nil
	}
	l := d.lines.of[kind]
	if d.events[kind] == nil {
		d.events[kind] = l.make()
	}
	e := d.events[kind]
	if err := l.read(d, text, e); err != nil {
		return true, err
	}
	return true, l.put(d.sink, e)
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
