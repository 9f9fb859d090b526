package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/internal/ui"
	"github.com/iotrace/iotrace/tracer"
)

// writeFile has write produce the whole content of a new file, or of standard
// output if path is "-". The file is created before write is called, so that a
// bad name costs nothing. If anything fails, or a signal ends the program, no file
// is left; an existing one is an error without force, and with it stays as it was
// until it is replaced.
func (a *app) writeFile(path string, force bool, write func(w *bufio.Writer) error) error {
	if path == "-" {
		return writeStream(a.Out, write)
	}
	user, err := tracer.InvokingUser()
	if err != nil {
		return err
	}
	f, err := output.Create(path, output.Options{Replace: force, As: user.Identity()})
	if err != nil {
		return err
	}
	defer discardOnSignal(f)()
	if err = writeBuffered(f, write); err == nil {
		err = f.Commit()
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, errors.Join(err, f.Discard()))
	}
	return f.Close()
}

// discardOnSignal removes what was written so far before a signal ends the
// program, until the returned function is called.
func discardOnSignal(f *output.File) (stop func()) {
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	for _, s := range []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	go func() {
		select {
		case s := <-signals:
			_ = f.Discard()
			signal.Reset(s)
			_ = unix.Kill(os.Getpid(), s.(unix.Signal))
		case <-done:
		}
	}()
	return func() { signal.Stop(signals); close(done) }
}

func writeBuffered(out io.Writer, write func(w *bufio.Writer) error) error {
	w := bufio.NewWriterSize(out, 1<<16)
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
