package output

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

// Write has write produce the whole content of a new file. The file is created before write is called, so that a bad
// name costs nothing. If anything fails, or a signal ends the program, no file is left; an existing one is an error
// unless it is to be replaced, and stays as it was until it is.
func Write(path string, o Options, write func(w *bufio.Writer) error) error {
	f, err := Create(path, o)
	if err != nil {
		return err
	}
	defer discardOnSignal(f)()
	if err = Buffered(f, write); err == nil {
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

// discardOnSignal removes what was written so far before a signal ends the program, until the returned function is
// called.
func discardOnSignal(f *File) (stop func()) {
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
