package analyzer

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// analyzeStream keeps what can be read only once in a file, which has no name
// where the system has another way to open it again: whatever ends this process,
// nothing is left.
func analyzeStream(in io.Reader, opt Options) (p *profile.Profile, err error) {
	spool, path, err := newSpool(opt.TempDir)
	if err != nil {
		return nil, fmt.Errorf("keeping standard input for a second reading: %w", err)
	}
	defer spool.Close()
	if path == spool.Name() {
		defer func() { err = errors.Join(err, os.Remove(path)) }()
	}
	if _, err = io.Copy(spool, in); err != nil {
		return nil, fmt.Errorf("keeping standard input for a second reading: %w", err)
	}
	return analyze(path, "-", opt)
}

// newSpool makes a file, and says by which path it is opened again: that of its
// descriptor, or its name.
func newSpool(dir string) (spool *os.File, path string, err error) {
	if spool, err = output.Scratch(dir); err != nil {
		return nil, "", err
	}
	path = fmt.Sprintf("/proc/self/fd/%d", spool.Fd())
	if _, err := os.Stat(path); err == nil {
		return spool, path, nil
	}
	spool.Close()
	if spool, err = os.CreateTemp(dir, "iotrace-*.iotrace"); err != nil {
		return nil, "", err
	}
	return spool, spool.Name(), nil
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
