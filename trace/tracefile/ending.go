package tracefile

import (
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// Ending is the frame that ends a trace, for a file of which only the first size bytes could be written, and the
// place where it belongs: behind what is whole of them. So whoever reads it is told why by what End says. Only after
// Close.
func (w *Writer) Ending(e trace.End, size int64) (frame []byte, at int64, err error) {
	f := w.framer
	e.Counts, e.Lost = names(f.counts[:]), names(f.lost[:])
	payload, err := MarshalEnd(e)
	if err != nil {
		return nil, 0, err
	}
	f.out = f.out[:0]
	f.store(frameEnd, f.batch+1, 1, payload)
	at = f.header
	for _, s := range f.index.spans {
		if s.Offset <= size {
			at = s.Offset
		}
	}
	if f.whole <= size {
		at = f.whole
	}
	return slices.Clone(f.out), at, nil
}
