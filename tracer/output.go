package tracer

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/term"
)

// Stdout is the name of an output that goes to standard output.
const Stdout = "-"

// output is the file a trace is written to. It is created before anything else
// happens, so that a bad name never costs a run.
//
// A new file has its final name from the first byte: a recorder that is killed
// leaves an interrupted trace where the user looks for it. An existing file is
// replaced in one step, by a rename, when the recording has begun and the
// header is written; until then it stays as it was. It is not kept until the
// end of the recording: after a crash the old trace would be taken for the new.
type output struct {
	*os.File
	path    string // final name
	created string // name to remove if nothing is recorded; "" if there is none
}

// createOutput opens path for a new trace. An existing regular file is an error
// unless force is set. Pipes and devices are written to as they are, terminals
// refused.
func createOutput(path string, force bool, owner *User) (*output, error) {
	if path == Stdout {
		return streamOutput(os.Stdout, path)
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("creating trace %s: is a directory (name a file in it)", path)
	case err == nil && isDisk(info):
		return nil, fmt.Errorf("creating trace %s: is a disk, whose contents would be lost (name a file)", path)
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, fmt.Errorf("opening trace: %w", err)
		}
		return streamOutput(f, path)
	case err == nil && !force:
		return nil, exists(path)
	}
	name := path
	if err == nil {
		// Beside the old file, because a rename cannot leave its file system.
		name = filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+strconv.FormatUint(rand.Uint64(), 36))
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, exists(path)
	}
	if err != nil {
		return nil, fmt.Errorf("creating trace: %w (name another place with -o)", err)
	}
	o := &output{File: f, path: path, created: name}
	if owner != nil {
		if err := f.Chown(int(owner.UID), int(owner.GID)); err != nil {
			return nil, errors.Join(fmt.Errorf("giving the trace to %s: %w", owner.Name, err), o.abandon())
		}
	}
	return o, nil
}

// isDisk is true for block devices.
func isDisk(info fs.FileInfo) bool {
	return info.Mode()&fs.ModeDevice != 0 && info.Mode()&fs.ModeCharDevice == 0
}

func exists(path string) error {
	return fmt.Errorf("creating trace %s: %w (choose another name, or replace it with -f)", path, fs.ErrExist)
}

func streamOutput(f *os.File, path string) (*output, error) {
	terminal := false
	if c, err := f.SyscallConn(); err == nil { // Fd would change a non-blocking stream
		_ = c.Control(func(fd uintptr) { terminal = term.IsTerminal(int(fd)) })
	}
	if terminal {
		return nil, fmt.Errorf("writing trace to %s: a terminal cannot show a binary trace (use -o FILE, or a pipe)", path)
	}
	return &output{File: f, path: path}, nil
}

// commit gives the file its final name: from here on there is a trace.
func (o *output) commit() error {
	if o.created == "" || o.created == o.path {
		o.created = ""
		return nil
	}
	if err := os.Rename(o.created, o.path); err != nil {
		return fmt.Errorf("replacing %s: %w", o.path, err)
	}
	o.created = ""
	return nil
}

// abandon closes the file and, unless it was committed, removes it.
func (o *output) abandon() error {
	err := o.Close()
	if o.created != "" {
		err = errors.Join(err, os.Remove(o.created))
	}
	return err
}
