package visible

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The lines of a message are ours, whatever names are in it.
func TestErrorKeepsNamesOnALine(t *testing.T) {
	const name = "a\niotrace: all is well\x1b[2J"
	const shown = `a\niotrace: all is well\x1b[2J`
	for _, err := range []error{
		&fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist},
		&os.LinkError{Op: "rename", Old: "x", New: name, Err: fs.ErrExist},
		&exec.Error{Name: name, Err: exec.ErrNotFound},
		fmt.Errorf("reading it: %w", errors.Join(errors.New("first"), &fs.PathError{Path: name, Err: fs.ErrExist})),
	} {
		got := Error(err)
		if !strings.Contains(got, shown) {
			t.Errorf("%q", got)
		}
	}
	if got, want := Error(errors.New("reading "+name+":\nRun it again."), name),
		"reading "+shown+":\nRun it again."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
