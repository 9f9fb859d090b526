package replay

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/output"
)

// Inputs are files that programs only read. They are made when they are first
// needed and kept for further runs: the n-th file of a size is the same one in
// each.
type Inputs struct {
	space *output.Workspace
	made  map[string]bool // by name
}

// NewInputs keeps files in a directory of its own in dir, until it is closed.
func NewInputs(dir string) (*Inputs, error) {
	space, err := output.OpenWorkspace(dir, &ownInputs)
	if err != nil {
		return nil, err
	}
	return &Inputs{space: space, made: map[string]bool{}}, nil
}

// Close removes the files.
func (in *Inputs) Close() error { return in.space.Close() }

// inputNames counts the files of each size.
type inputNames map[int64]int

func (n inputNames) next(size int64) string {
	n[size]++
	return fmt.Sprintf("%d-%d", size, n[size])
}

// file is a file, which is in memory if it was when it was recorded, and otherwise
// is not.
func (in *Inputs) file(ctx context.Context, name string, f File, buf []byte) (*target, error) {
	t := &target{dir: in.space.Directory(), name: name, kept: true}
	if in.made[name] {
		return t, t.bring(f.Warm, buf)
	}
	if err := enough(in.space.Path(), f.Size); err != nil {
		return nil, err
	}
	in.made[name] = true
	return t, t.fill(ctx, f, buf, uint64(len(in.made)))
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
			return &os.PathError{Op: "read", Path: t.path(), Err: err}
		}
	}
	return nil
}
