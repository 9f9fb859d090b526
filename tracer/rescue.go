package tracer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// tail is the room for the end of a trace that is kept on its disk while it is recorded.
const tail = 32 << 10

// rescue ends a trace that could not be written any further, so that it says why itself, as does end, and returns what
// to tell the user. What was written before is kept.
func rescue(out *output.File, w *tracefile.Writer, end *trace.End, broken error) error {
	if errors.Is(broken, unix.ENOSPC) || errors.Is(broken, unix.EDQUOT) {
		broken = fmt.Errorf("%w: %s is full: free some of it, or name a file on another disk with -o", broken,
			diskOf(out.Path()))
	}
	end.Reason, end.Error = reasonError, broken.Error()
	if err := replaceTail(out, w, *end); err != nil {
		return fmt.Errorf("%w (what was written before is kept; the trace does not say why it ends)", broken)
	}
	return fmt.Errorf("%w (what was written before is kept)", broken)
}

// diskOf names the file system that a file is on, as far as it is known.
func diskOf(path string) string {
	dir, err := filepath.Abs(filepath.Dir(path))
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	text, unread := os.ReadFile(host.OwnMounts)
	if err != nil || unread != nil {
		return "the disk of " + path
	}
	on := host.MountOf(host.ParseMounts(string(text)), dir)
	if on.Point == "" {
		return "the disk of " + path
	}
	return fmt.Sprintf("the disk at %s (%s)", on.Point, on.Source)
}

// replaceTail puts the end of the trace in the place of what is not whole of it.
func replaceTail(out *output.File, w *tracefile.Writer, end trace.End) error {
	if out.Stream() {
		return errors.ErrUnsupported
	}
	info, err := out.Stat()
	if err != nil {
		return err
	}
	ending, at, err := w.Ending(end, info.Size())
	if err != nil {
		return err
	}
	if err := out.Truncate(at); err != nil {
		return err
	}
	if _, err := out.WriteAt(ending, at); err != nil {
		return errors.Join(err, out.Truncate(at))
	}
	return nil
}
