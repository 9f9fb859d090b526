package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/iotrace/iotrace/internal/ui"
	"github.com/iotrace/iotrace/tracer"
)

// writeFile has write produce the whole content of a new file, or of standard
// output if path is "-". The file is created before write is called, so that a
// bad name costs nothing. If anything fails no file is left; an existing one is
// an error without force, and with it stays as it was until it is replaced.
func (a *app) writeFile(path string, force bool, write func(w *bufio.Writer) error) error {
	if path == "-" {
		return writeStream(a.Out, write)
	}
	if info, err := os.Stat(path); err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeCharDevice) != 0 {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("opening output: %w", err)
		}
		return errors.Join(writeBuffered(f, write), f.Close())
	}
	f, err := createFile(path, force)
	if err != nil {
		return err
	}
	err = writeBuffered(f, write)
	if user, _ := tracer.InvokingUser(); err == nil && user != nil {
		err = f.Chown(int(user.UID), int(user.GID))
	}
	err = errors.Join(err, f.Close())
	if err == nil && f.Name() != path {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

// createFile creates path or, to replace an existing file, a new one beside it.
func createFile(path string, force bool) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if !errors.Is(err, fs.ErrExist) {
		return f, err
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("creating %s: is no regular file (choose another name with -o)", path)
	}
	if !force {
		return nil, fmt.Errorf("creating %s: %w (choose another name with -o, or replace it with -f)", path, fs.ErrExist)
	}
	beside := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d", filepath.Base(path), os.Getpid()))
	return os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

func writeBuffered(f *os.File, write func(w *bufio.Writer) error) error {
	w := bufio.NewWriterSize(f, 1<<16)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}

func writeStream(out ui.Stream, write func(w *bufio.Writer) error) error {
	w := bufio.NewWriterSize(out, 1<<16)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("writing to standard output: %w", err)
	}
	return nil
}
