package output

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// Write has write produce the whole content of a new file. The file is created before write is called, so that a bad
// name costs nothing. If anything fails, or a signal ends the program, no file is left; an existing one is an error
// unless it is to be replaced, and stays as it was until it is.
func Write(path string, o Options, write func(w *bufio.Writer) error) error {
	f, err := Create(path, o)
	if err != nil {
		return err
	}
	return f.fill(write)
}

// fill does so for a file that is open.
func (f *File) fill(write func(w *bufio.Writer) error) error {
	path := f.path
	defer undoOnSignal(func() { _ = f.Discard() })()
	err := Buffered(f, write)
	if err == nil {
		err = f.Commit()
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, errors.Join(err, f.Discard()))
	}
	return f.Close()
}

// Buffered has write produce content in pieces of a good size.
func Buffered(out io.Writer, write func(w *bufio.Writer) error) error {
	w := bufio.NewWriterSize(out, 1<<16)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}
