package analyzer

import (
	"errors"
	"io"
	"sync"

	"github.com/iotrace/iotrace/trace"
)

// batches are reused between decoding and analysis.
var batches = sync.Pool{New: func() any { return new(trace.Batch) }}

// stream reads a trace to its end. Decoding runs in a goroutine of its own, a
// few batches ahead of use. A batch belongs to use, which returns it to
// batches.
func stream(r *trace.FileReader, use func(*trace.Batch)) error {
	type decoded struct {
		batch *trace.Batch
		err   error
	}
	ahead := make(chan decoded, 2)
	go func() {
		defer close(ahead)
		for {
			b := batches.Get().(*trace.Batch)
			err := r.Next(b)
			if errors.Is(err, io.EOF) {
				return
			}
			ahead <- decoded{b, err}
			if err != nil {
				return
			}
		}
	}()
	for d := range ahead {
		if d.err != nil {
			return d.err
		}
		use(d.batch)
	}
	return nil
}
