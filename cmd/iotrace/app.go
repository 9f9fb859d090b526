package main

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

// app is what every command is made from.
type app struct {
	ui.Streams
	backends backends.List
}

// say prints a message for people, which may have names in it.
func (a *app) say(format string, args ...any) {
	fmt.Fprint(a.Err, visible.Lines(fmt.Sprintf(format, args...)))
}

func (a *app) warn(err error) { a.say("iotrace: %v\n", err) }

// style is how text for people is laid out on standard output.
func (a *app) style() text.Options { return styleOf(a.Out) }

func styleOf(s ui.Stream) text.Options {
	return text.Options{Width: s.Width(), Color: s.Color()}
}

// workIn takes on the rights with which files are made in directories: nobody else than root may lead root's files
// elsewhere.
func workIn(dirs ...string) error {
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

// writeFile has write produce a new file, of the user who called sudo if there is one, or standard output if path is
// "-".
func (a *app) writeFile(path string, force bool, write func(w *bufio.Writer) error) error {
	if path == "-" {
		return a.writeOut(write)
	}
	user, err := tracer.InvokingUser()
	if err != nil {
		return err
	}
	return output.Write(path, output.Options{Replace: force, As: user.Identity()}, write)
}

// writeOut has write produce standard output.
func (a *app) writeOut(write func(w *bufio.Writer) error) error {
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
