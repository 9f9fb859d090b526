package tracer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/mountinfo"
)

// tail is the room for the end of a trace that is kept on its disk while it is recorded.
const tail = 32 << 10

// rescue ends a trace that could not be written any further, so that it says why itself, and returns what to tell the
// user. What was written before is kept.
func (r *recording) rescue(broken error) error {
	if errors.Is(broken, unix.ENOSPC) || errors.Is(broken, unix.EDQUOT) {
		broken = fmt.Errorf("%w: %s is full: free some of it, or name a file on another disk with -o", broken,
			diskOf(r.Output))
	}
	r.end.Reason, r.end.Error = reasonError, broken.Error()
	if err := r.replaceTail(); err != nil {
		return fmt.Errorf("%w (what was written before is kept; the trace does not say why it ends)", broken)
	}
	return fmt.Errorf("%w (what was written before is kept)", broken)
}

// diskOf names the file system that a file is on, as far as it is known.
func diskOf(path string) string {
	dir, err := filepath.Abs(filepath.Dir(path))
	text, unread := os.ReadFile(mountinfo.Own)
	if err != nil || unread != nil {
		return "the disk of " + path
	}
	on := mountinfo.Of(mountinfo.Parse(string(text)), dir)
	if on.Point == "" {
		return "the disk of " + path
	}
	return fmt.Sprintf("the disk at %s (%s)", on.Point, on.Source)
}

// replaceTail puts the end of the trace in the place of what is not whole of it.
func (r *recording) replaceTail() error {
	if r.out.Stream() {
		return errors.ErrUnsupported
	}
	info, err := r.out.Stat()
	if err != nil {
		return err
	}
	ending, at, err := r.trace.Ending(r.end, info.Size())
	if err != nil {
		return err
	}
	if err := r.out.Truncate(at); err != nil {
		return err
	}
	if _, err := r.out.WriteAt(ending, at); err != nil {
		return errors.Join(err, r.out.Truncate(at))
	}
	return nil
}
