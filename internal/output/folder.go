package output

// This file is what formats of several files share: the directory that traces are added to.

import (
	"bufio"
	"errors"
	"os"
)

// Destination is where the files that are made of traces belong.
type Destination struct {
	Files
	Replace bool // what is there of another trace with the same name
}

// Files are those of a directory, by their paths in it. It may not be there yet.
type Files interface {
	Path() string // of the directory, for messages
	// Write has write produce the content of a file; one that is there is replaced if it
	// says so. If that fails no file is left.
	Write(name string, replace bool, write func(w *bufio.Writer) error) error
	Open(name string) (*os.File, error)
	Remove(name string) error // if it is there
}

// ErrPresent says that what would be made of a trace is there already, all of it and of the same trace.
var ErrPresent = errors.New("it is there already")
