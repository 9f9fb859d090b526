package analyzer

import (
	"errors"
	"fmt"
	"io"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// analyzeStream keeps what can be read only once in a file, which has no name
// where the system has another way to open it again: whatever ends this process,
// nothing is left.
func analyzeStream(in io.Reader, opt Options) (p *profile.Profile, err error) {
	spool, path, remove, err := output.Spool(opt.TempDir)
	if err != nil {
		return nil, fmt.Errorf("keeping standard input for a second reading: %w", err)
	}
	defer func() { err = errors.Join(err, remove()) }()
	if _, err = io.Copy(spool, in); err != nil {
		return nil, fmt.Errorf("keeping standard input for a second reading: %w", err)
	}
	return analyze(path, "-", opt)
}

func reading(path string, read func(*tracefile.File) error) error {
	r, err := tracefile.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := read(r); err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	return nil
}

// stream reads a trace to its end. Decoding runs in a goroutine of its own, a
// batch ahead of use. A batch belongs to use, which gives it back to batches.
func stream(r *tracefile.File, use func(*trace.Batch)) error {
	type decoded struct {
		batch *trace.Batch
		err   error
	}
	ahead := make(chan decoded, 1)
	go func() {
		defer close(ahead)
		for {
			b := batches.take()
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
