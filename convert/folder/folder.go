// Package folder is what formats of several files share: the directory that traces are added to.
package folder

import (
	"bufio"
	"errors"
)

// Destination is where the files that are made of traces belong.
type Destination struct {
	Dir     string
	Replace bool // what is there of another trace with the same name
	// Create has write produce the content of a file, in a directory that may not be there
	// yet; one that is there is replaced if it says so. If that fails no file is left.
	Create func(path string, replace bool, write func(w *bufio.Writer) error) error
}

// ErrPresent says that what would be made of a trace is there already, all of it and of the same trace.
var ErrPresent = errors.New("it is there already")
