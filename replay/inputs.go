package replay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// inputsName is the directory that Inputs makes and removes.
const inputsName = "iotrace-inputs"

// Inputs are files that programs only read. They are made when they are first
// needed and kept for further runs: the n-th file of a size is the same one in
// each.
type Inputs struct {
	dir  string
	made map[string]bool
}

// NewInputs keeps files in a directory of its own in dir, until it is closed.
func NewInputs(dir string) (*Inputs, error) {
	in := &Inputs{dir: filepath.Join(dir, inputsName), made: map[string]bool{}}
	if err := makeOwn(in.dir); err != nil {
		return nil, err
	}
	return in, nil
}

// Close removes the files.
func (in *Inputs) Close() error {
	var errs []error
	for path := range in.made {
		if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	if err := errors.Join(append(errs, os.Remove(in.dir))...); err != nil {
		return fmt.Errorf("cleaning up after the replay: %w", err)
	}
	return nil
}

// inputNames counts the files of each size.
type inputNames map[int64]int

func (n inputNames) next(size int64) string {
	n[size]++
	return fmt.Sprintf("%d-%d", size, n[size])
}

// file is the path of a file, which is in memory if it was when it was recorded,
// and otherwise is not.
func (in *Inputs) file(ctx context.Context, name string, f File, buf []byte) (string, error) {
	t := &target{path: filepath.Join(in.dir, name)}
	if in.made[t.path] {
		return t.path, t.bring(f.Warm, buf)
	}
	if err := enough(in.dir, f.Size); err != nil {
		return "", err
	}
	in.made[t.path] = true
	return t.path, t.fill(ctx, f, buf, uint64(len(in.made)))
}

// bring has the data of a file in memory, or not.
func (t *target) bring(warm bool, buf []byte) (err error) {
	if err := t.open(false, false); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	fd := t.fds[0]
	if !warm {
		return dropPages(fd)
	}
	for at, n := int64(0), 1; n > 0; at += int64(n) {
		if n, err = unix.Pread(fd, buf, at); err != nil {
			return &os.PathError{Op: "read", Path: t.path, Err: err}
		}
	}
	return nil
}
