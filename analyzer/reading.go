package analyzer

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// analyzeStream keeps what can be read only once in a file.
func analyzeStream(in io.Reader, opt Options) (p *profile.Profile, err error) {
	spool, err := os.CreateTemp(opt.TempDir, "iotrace-*.iotrace")
	if err != nil {
		return nil, fmt.Errorf("keeping standard input for a second reading: %w", err)
	}
	defer func() { err = errors.Join(err, os.Remove(spool.Name())) }()
	_, err = io.Copy(spool, in)
	if err = errors.Join(err, spool.Close()); err != nil {
		return nil, fmt.Errorf("keeping standard input for a second reading: %w", err)
	}
	return analyze(spool.Name(), "-", opt)
}

func reading(path string, read func(*trace.FileReader) error) error {
	r, err := trace.OpenFile(path)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := read(r); err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	return nil
}

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
