package jsonl

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/schema"
)

// layouts are how the events of each kind stand in lines. They are found out when the first line is read or written:
// most commands do neither.
var layouts = sync.OnceValue(func() *lines {
	l := &lines{kinds: map[string]trace.Kind{}, of: [trace.NumKinds]*line{
		trace.KindSyscall: newLine(trace.KindSyscall,
			func(b *trace.Batch) []trace.Syscall { return b.Syscalls }, trace.Sink.Syscall),
		trace.KindAsyncOp: newLine(trace.KindAsyncOp,
			func(b *trace.Batch) []trace.AsyncOp { return b.AsyncOps }, trace.Sink.AsyncOp),
		trace.KindFault: newLine(trace.KindFault,
			func(b *trace.Batch) []trace.Fault { return b.Faults }, trace.Sink.Fault),
		trace.KindRequest: newLine(trace.KindRequest,
			func(b *trace.Batch) []trace.Request { return b.Requests }, trace.Sink.Request),
		trace.KindWait: newLine(trace.KindWait,
			func(b *trace.Batch) []trace.Wait { return b.Waits }, trace.Sink.Wait),
		trace.KindProcess: newLine(trace.KindProcess,
			func(b *trace.Batch) []trace.Process { return b.Processes }, trace.Sink.Process),
		trace.KindFile: newLine(trace.KindFile,
			func(b *trace.Batch) []trace.File { return b.Files }, trace.Sink.File),
		trace.KindDevice: newLine(trace.KindDevice,
			func(b *trace.Batch) []trace.Device { return b.Devices }, trace.Sink.Device),
		trace.KindLost: newLine(trace.KindLost,
			func(b *trace.Batch) []trace.Lost { return b.Lost }, trace.Sink.Lost),
		trace.KindRPC: newLine(trace.KindRPC,
			func(b *trace.Batch) []trace.RPC { return b.RPCs }, trace.Sink.RPC),
	}}
	for k := range l.of {
		if l.of[k] != nil {
			l.kinds[trace.Kind(k).String()] = trace.Kind(k)
		}
	}
	return l
})

func newLine[E any](kind trace.Kind, rows func(*trace.Batch) []E, put func(trace.Sink, *E) error) *line {
	l := objects[E]()
	l.head = `{"kind":"` + kind.String() + `"`
	inHead := func(_ *Encoder, b []byte, _ unsafe.Pointer) []byte { return b }
	l.members = slices.Insert(l.members, 0, beside("kind", inHead))
	l.in = func(b *trace.Batch, i int) unsafe.Pointer { return unsafe.Pointer(&rows(b)[i]) }
	l.make = func() unsafe.Pointer { return unsafe.Pointer(new(E)) }
	l.put = func(to trace.Sink, e unsafe.Pointer) error {
		if err := put(to, (*E)(e)); err != nil {
			return sinkError{err}
		}
		return nil
	}
	return l
}

// objects says how the fields of a type become the members of objects. Bytes of texts and numbers of values come last.
func objects[E any]() *line {
	l := &line{}
	event := reflect.TypeFor[E]()
	var none E
	var exact, numbers []member
	for _, f := range schema.Of(event) {
		x := newField(&f, event)
		l.members = append(l.members, x.member())
		inline := false
		for _, name := range f.With {
			inline = inline || strings.HasPrefix(name, f.JSON+"_")
			l.members = append(l.members, x.companion(name))
		}
		switch {
		case inline:
		case f.Class == schema.Text || f.Class == schema.Words:
			exact = append(exact, x.companion(f.JSON+"_bytes"))
		case f.Class == schema.Enum || f.Class == schema.Call:
			numbers = append(numbers, x.companion(f.JSON+"_number"))
		}
		l.called = l.called || f.Class == schema.Call
		if f.None != nil {
			x.set(unsafe.Pointer(&none), *f.None)
		}
		if f.Since != "" {
			from, _ := event.FieldByName(f.Since)
			at, of := f.Offset, from.Offset
			l.since = append(l.since, func(e unsafe.Pointer) { *(*int64)(unsafe.Add(e, at)) += *(*int64)(unsafe.Add(e, of)) })
		}
	}
	l.members = slices.Concat(l.members, exact, numbers)
	l.blank = func(e unsafe.Pointer) { *(*E)(e) = none }
	return l
}

// append appends an event.
func (l *line) append(w *Encoder, b []byte, e unsafe.Pointer) []byte {
	first := len(b)
	b = append(b, l.head...)
	for i := range l.members {
		b = l.members[i].write(w, b, e)
	}
	b[first] = '{' // in place of a comma, where there is no head
	return append(b, '}')
}

// find reads the name of the next member; nil if it is that of none. They mostly come in the order in which they are
// written.
func (l *line) find(p *plain, next *int) *member {
	for k := range l.members {
		i := *next + k
		if i >= len(l.members) {
			i -= len(l.members)
		}
		if m := &l.members[i]; p.starts(m.quoted) {
			*next = i + 1
			return m
		}
	}
	return nil
}

// read makes an event of a line.
func (l *line) read(d *decoder, text []byte, e unsafe.Pointer) error {
	if d.text = (plain{line: text}); l.readPlain(d, e) && d.text.ended() {
		return nil
	}
	var o object
	if err := json.Unmarshal(text, &o); err != nil {
		return err
	}
	return l.parse(d, o, e)
}

// readPlain reads an object that is as plain as nearly all; false if it is not.
func (l *line) readPlain(d *decoder, e unsafe.Pointer) bool {
	p, next := &d.text, 0
	l.blank(e)
	d.called = false
	for more := p.open('{'); more; more = p.more('}') {
		m := l.find(p, &next)
		if m == nil || m.plain == nil {
			p.odd = true
			break
		}
		m.plain(d, e)
	}
	l.settle(e)
	return !p.odd && d.called == l.called
}

// parse makes an event of any object.
func (l *line) parse(d *decoder, o object, e unsafe.Pointer) error {
	l.blank(e)
	for i := range l.members {
		if m := &l.members[i]; m.parse != nil {
			if err := m.parse(d, o, e); err != nil {
				return err
			}
		}
	}
	l.settle(e)
	return nil
}

// settle completes the fields that are counted from others.
func (l *line) settle(e unsafe.Pointer) {
	for _, complete := range l.since {
		complete(e)
	}
}

// sinkError is an error of the sink, and not of the line.
type sinkError struct{ error }
