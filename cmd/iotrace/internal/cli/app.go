// Package cli is what the commands of iotrace share: their streams, files, errors and exit codes.
package cli

import (
	"bufio"
	"fmt"

	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/internal/rights"
	"github.com/iotrace/iotrace/internal/ui"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/text"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/backends"
)

// App is what every command is made from.
type App struct {
	ui.Streams
	Backends backends.List
}

// Say prints a message for people, which may have names in it.
func (a *App) Say(format string, args ...any) {
	fmt.Fprint(a.Err, visible.Lines(fmt.Sprintf(format, args...)))
}

// Warn prints what went wrong and ended nothing.
func (a *App) Warn(err error) { a.Say("iotrace: %v\n", err) }

// Style is how text for people is laid out on standard output.
func (a *App) Style() text.Options { return StyleOf(a.Out) }

// StyleOf is how text for people is laid out on a stream.
func StyleOf(s ui.Stream) text.Options {
	return text.Options{Width: s.Width(), Color: s.Color()}
}

// WorkIn takes on the rights with which files are made in directories: nobody but root may redirect root's files.
func WorkIn(dirs ...string) error {
	user, err := tracer.InvokingUser()
	if err != nil {
		return err
	}
	id, err := rights.Of(user.Identity(), dirs...)
	if err != nil {
		return err
	}
	return rights.Lower(id)
}

// WriteFile has write produce a new file, of the user who called sudo if there is one, or standard output if path is
// "-".
func (a *App) WriteFile(path string, force bool, write func(w *bufio.Writer) error) error {
	if path == "-" {
		return a.WriteOut(write)
	}
	user, err := tracer.InvokingUser()
	if err != nil {
		return err
	}
	return output.Write(path, output.Options{Replace: force, As: user.Identity()}, write)
}

// WriteOut has write produce standard output.
func (a *App) WriteOut(write func(w *bufio.Writer) error) error {
	var failed error
	err := output.Buffered(a.Out, func(w *bufio.Writer) error {
		failed = write(w)
		return failed
	})
	if failed == nil && err != nil {
		err = fmt.Errorf("writing to standard output: %w", err)
	}
	return err
}
