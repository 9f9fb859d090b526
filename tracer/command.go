package tracer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// The exit statuses of a command that could not be run, as env(1) and shells
// use them.
const (
	ExitNotExecutable = 126
	ExitNotFound      = 127
)

// ExecError is a command that could not be run.
type ExecError struct {
	Command string
	Status  int // ExitNotExecutable or ExitNotFound
	Err     error
}

func (e *ExecError) Error() string {
	switch {
	case errors.Is(e.Err, errInterpreter):
	case e.Status == ExitNotFound && strings.ContainsAny(e.Command, " |>&;"):
		return fmt.Sprintf("%q: command not found (to run a shell's command line, use: sh -c %q)", e.Command, e.Command)
	case e.Status == ExitNotFound && !strings.Contains(e.Command, "/"):
		return fmt.Sprintf("%s: command not found in PATH", e.Command)
	}
	return fmt.Sprintf("running %s: %v", e.Command, e.Err)
}

// errInterpreter is what ENOENT means of a command that has been found.
var errInterpreter = fmt.Errorf("the interpreter that its first line names, or its program loader, does not exist: %w",
	unix.ENOENT)

func (e *ExecError) Unwrap() error { return e.Err }

// newExecError derives the status from the error of exec or of a look-up.
func newExecError(command string, err error) *ExecError {
	status := ExitNotExecutable
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) {
		status = ExitNotFound
	}
	return &ExecError{Command: command, Status: status, Err: err}
}

// Find looks a command up in path, the value of PATH, as a shell does: a name
// with a slash is taken as it is, an empty element of path is the current
// directory, and what is not executable is passed over. The error is an
// *ExecError.
func Find(command, path string) (string, error) {
	if strings.Contains(command, "/") {
		if err := executable(command); err != nil {
			return "", newExecError(command, err)
		}
		return command, nil
	}
	found := error(unix.ENOENT)
	for _, dir := range filepath.SplitList(path) {
		file := filepath.Join(dir, command)
		if !strings.Contains(file, "/") {
			file = "./" + file
		}
		info, err := os.Stat(file)
		if err != nil || info.IsDir() {
			continue // a folder of PATH that may not be searched is none
		}
		if err = executable(file); err == nil {
			return file, nil
		}
		found = err // there, but not executable: remembered in case nothing better comes
	}
	return "", newExecError(command, found)
}

// executable says why a file cannot be executed by this process. For root that
// is the case if nobody may.
func executable(file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return &fs.PathError{Op: "exec", Path: file, Err: unix.EISDIR}
	}
	if err := unix.Faccessat(unix.AT_FDCWD, file, unix.X_OK, unix.AT_EACCESS); err != nil {
		return &fs.PathError{Op: "exec", Path: file, Err: err}
	}
	return nil
}
