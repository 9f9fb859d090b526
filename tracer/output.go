package tracer

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"github.com/iotrace/iotrace/internal/output"
)

// Stdout is the name of an output that goes to standard output.
const Stdout = "-"

// createOutput makes the file a trace is written to. It is made before anything
// else happens, so that a bad name never costs a run.
//
// It gets its name as soon as the first events are in it: a recorder that is
// killed leaves an interrupted trace where the user looks for it, and one that is
// killed before leaves nothing. An existing file stays as it was until then. It is
// not kept until the end of the recording: after a crash the old trace would be
// taken for the new.
func createOutput(path string, force bool, owner *User) (*output.File, error) {
	out := output.Wrap(os.Stdout, path)
	if path != Stdout {
		var err error
		if out, err = output.Create(path, output.Options{Replace: force, As: owner.Identity(), What: "trace"}); err != nil {
			return nil, err
		}
	}
	if out.Stream() && isTerminal(out.File) {
		return nil,
			errors.Join(fmt.Errorf("writing trace to %s: a terminal cannot show a binary trace (use -o FILE, or a pipe)", path),
				release(out))
	}
	return out, nil
}

// release closes what is not this process's standard output.
func release(out *output.File) error {
	if out.File == os.Stdout {
		return nil
	}
	return out.Close()
}

func isTerminal(f *os.File) (terminal bool) {
	if c, err := f.SyscallConn(); err == nil { // Fd would change a non-blocking stream
		_ = c.Control(func(fd uintptr) { terminal = term.IsTerminal(int(fd)) })
	}
	return terminal
}

// complete has the trace reach its disk and makes sure that it is there under
// its name: a directory that was removed meanwhile takes it along in silence.
func complete(out *output.File) error {
	if out.Stream() {
		return nil
	}
	if err := out.Sync(); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOTSUP) {
		return fmt.Errorf("writing the trace to its disk: %w", err)
	}
	return out.Find()
}
