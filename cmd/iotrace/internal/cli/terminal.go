package cli

import (
	"io"
	"os"
	"strconv"

	"golang.org/x/term"
)

// Stream is an output and what it is connected to.
type Stream interface {
	io.Writer
	// IsTerminal reports whether a person reads it as it is written.
	IsTerminal() bool
	// Color reports whether escape sequences for colour are welcome: on a
	// terminal that is not "dumb", unless NO_COLOR is set.
	Color() bool
	// Width is the number of columns: of the terminal, else of COLUMNS, else 80.
	Width() int
}

// Streams are the input and the outputs of a command. Results go to Out,
// everything else to Err.
type Streams struct {
	In  io.Reader
	Out Stream
	Err Stream
}

// Standard is the process's own standard input, output and error.
func Standard() Streams {
	return Streams{In: os.Stdin, Out: file{os.Stdout, os.Getenv}, Err: file{os.Stderr, os.Getenv}}
}

// defaultWidth is assumed where nobody says otherwise.
const defaultWidth = 80

// file is a Stream on an open file.
type file struct {
	*os.File
	getenv func(string) string
}

func (f file) IsTerminal() bool { return term.IsTerminal(f.descriptor()) }

func (f file) Color() bool {
	return f.IsTerminal() && f.getenv("NO_COLOR") == "" && f.getenv("TERM") != "dumb"
}

func (f file) Width() int {
	if w, _, err := term.GetSize(f.descriptor()); err == nil && w > 0 {
		return w
	}
	if w, err := strconv.Atoi(f.getenv("COLUMNS")); err == nil && w > 0 {
		return w
	}
	return defaultWidth
}

// descriptor does not use Fd, which would put a non-blocking stream, shared
// with other processes, into blocking mode.
func (f file) descriptor() int {
	fd := -1
	if c, err := f.SyscallConn(); err == nil {
		_ = c.Control(func(u uintptr) { fd = int(u) })
	}
	return fd
}
