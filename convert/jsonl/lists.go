package jsonl

import (
	"strconv"
	"unsafe"

	"github.com/iotrace/iotrace/trace"
)

// namedExtents is how many pieces of a request have their paths beside their
// numbers: a request may have 65,536 of them, with paths as long.
const namedExtents = 16

// extentsMember are the further pieces of a request.
func (x *field) extentsMember() member {
	list := func(e unsafe.Pointer) *[]trace.Extent { return (*[]trace.Extent)(unsafe.Add(e, x.Offset)) }
	piece := objects[trace.Extent]()
	return member{x.key[1:],
		func(w *Encoder, b []byte, e unsafe.Pointer) []byte {
			more := *list(e)
			if len(more) == 0 {
				return b
			}
			b = append(b, x.key...)
			for i := range more {
				w.bare = i >= namedExtents
				b = piece.append(w, append(b, "[,"[min(i, 1)]), unsafe.Pointer(&more[i]))
			}
			w.bare = false
			return append(b, ']')
		},
		func(d *decoder, e unsafe.Pointer) {
			all, called := d.more[:0], d.called
			for more := d.text.open('['); more; more = d.text.more(']') {
				all = append(all, trace.Extent{})
				piece.readPlain(d, unsafe.Pointer(&all[len(all)-1]))
			}
			*list(e), d.more, d.called = all, all, called
		},
		func(d *decoder, o object, e unsafe.Pointer) error {
			var items []object
			if err := o.get(x.JSON, &items); err != nil {
				return err
			}
			d.more = make([]trace.Extent, len(items))
			for i, item := range items {
				if err := piece.parse(d, item, unsafe.Pointer(&d.more[i])); err != nil {
					return err
				}
			}
			*list(e) = d.more
			return nil
		},
	}
}

// devicesMember are the numbers of devices.
func (x *field) devicesMember() member {
	list := func(e unsafe.Pointer) *[]trace.DeviceID { return (*[]trace.DeviceID)(unsafe.Add(e, x.Offset)) }
	return member{x.key[1:],
		func(_ *Encoder, b []byte, e unsafe.Pointer) []byte {
			if len(*list(e)) == 0 {
				return b
			}
			b = append(b, x.key...)
			for i, id := range *list(e) {
				b = strconv.AppendUint(append(b, "[,"[min(i, 1)]), uint64(id), 10)
			}
			return append(b, ']')
		},
		func(d *decoder, e unsafe.Pointer) {
			for more := d.text.open('['); more; more = d.text.more(']') {
				*list(e) = append(*list(e), trace.DeviceID(d.text.number(false, 32)))
			}
		},
		func(_ *decoder, o object, e unsafe.Pointer) error { return o.get(x.JSON, list(e)) },
	}
}
