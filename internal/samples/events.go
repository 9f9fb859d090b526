package samples

import (
	"bytes"
	"errors"
	"io"
	"reflect"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// Events changes the events of a trace and writes them as a recorder would, so
// that everything that a trace says of itself agrees.
func Events(file, changes []byte) ([]byte, error) {
	r, err := tracefile.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	var batches []*trace.Batch
	for {
		b := new(trace.Batch)
		if err := r.Next(b); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		batches = append(batches, b)
	}
	header := r.Header()
	end, _ := r.End()
	for p := (&program{changes}); !p.done(); {
		switch at := p.byte(); {
		case at < 8:
			p.field(reflect.ValueOf(&end).Elem())
		case at < 12:
			p.field(reflect.ValueOf(&header).Elem())
		case len(batches) > 0:
			p.events(batches[int(at)%len(batches)])
		}
	}
	return write(header, batches, end)
}

func write(header trace.Header, batches []*trace.Batch, end trace.End) ([]byte, error) {
	var out bytes.Buffer
	w, err := tracefile.NewWriter(&out, header)
	if err != nil {
		return nil, err
	}
	for _, b := range batches {
		err = errors.Join(each(b.Devices, w.Device), each(b.Files, w.File), each(b.Processes, w.Process),
			each(b.Lost, w.Lost),
			each(b.Requests, w.Request), each(b.RPCs, w.RPC), each(b.Faults, w.Fault), each(b.Waits, w.Wait),
			each(b.AsyncOps, w.AsyncOp),
			each(b.Syscalls, w.Syscall), w.Submit(), err)
	}
	err = errors.Join(w.Close(end), err)
	return out.Bytes(), err
}

func each[T any](events []T, put func(*T) error) (err error) {
	for i := range events {
		err = errors.Join(err, put(&events[i]))
	}
	return err
}

// maxRepeats bounds the events of a trace that one change adds.
const maxRepeats = 2000

// events makes one change to the events of one kind.
func (p *program) events(b *trace.Batch) {
	v := reflect.ValueOf(b).Elem()
	var kinds []reflect.Value
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.IsExported() && f.Type.Elem().Kind() == reflect.Struct && v.Field(i).Len() > 0 { // not the numbers of devices
			kinds = append(kinds, v.Field(i))
		}
	}
	if len(kinds) == 0 {
		return
	}
	list := kinds[p.below(len(kinds))]
	n := list.Len()
	row := list.Index(p.below(n))
	switch p.byte() % 8 {
	case 0, 1, 2, 3:
		p.field(row)
	case 4: // the same for all
		field := p.below(row.NumField())
		rest := p.rest
		for i := range n {
			p.rest = rest
			p.value(list.Index(i).Field(field))
		}
	case 5: // again and again, each time a little different
		field, by := p.below(row.NumField()), p.number(1)
		if n > 10*maxRepeats {
			return
		}
		for i := range int64(p.byte()) * maxRepeats / 255 {
			again := reflect.New(row.Type()).Elem()
			again.Set(row)
			if f := again.Field(field); f.CanInt() {
				f.SetInt(f.Int() + i*by)
			} else if f.CanUint() {
				f.SetUint(f.Uint() + uint64(i*by))
			}
			list.Set(reflect.Append(list, again))
		}
	case 6:
		other := list.Index(p.below(n))
		was := reflect.New(row.Type()).Elem()
		was.Set(row)
		row.Set(other)
		other.Set(was)
	case 7:
		list.Set(reflect.AppendSlice(list.Slice(0, 0), list.Slice(p.below(n), n)))
	}
}

// field gives one field of a struct another value.
func (p *program) field(v reflect.Value) { p.value(v.Field(p.below(v.NumField()))) }

func (p *program) value(v reflect.Value) {
	switch {
	case v.CanInt():
		v.SetInt(p.number(v.Int()))
	case v.CanUint():
		v.SetUint(uint64(p.number(int64(v.Uint()))))
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.Kind() == reflect.String:
		v.SetString([]string{"", "/", "\x1b[31m", v.String() + "x"}[p.below(4)])
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		more := reflect.New(v.Type().Elem()).Elem()
		p.field(more)
		v.Set(reflect.Append(v, more))
	case v.Kind() == reflect.Struct && v.NumField() > 0 && v.Type().Field(0).IsExported():
		p.field(v)
	}
}
