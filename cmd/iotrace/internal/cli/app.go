// Package cli is what the commands of iotrace share: their streams, what these are connected to, progress, files,
// errors and exit codes. Commands get Streams instead of os.Stdout, so that tests see what a terminal would show.
package cli

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/internal/rights"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/text"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/backends"
)

// App is what every command is made from.
type App struct {
	Streams
	Backends backends.List
	Names    []string // the arguments, which may stand in messages
}

// Say prints a message for people. Texts and errors among its arguments may hold anything: they add no lines to it.
func (a *App) Say(format string, args ...any) {
	for i, arg := range args {
		switch v := arg.(type) {
		case string:
			args[i] = visible.Text(v)
		case error:
			args[i] = a.Explain(v)
		}
	}
	a.Tell(fmt.Sprintf(format, args...))
}

// Tell prints lines for people.
func (a *App) Tell(lines string) { fmt.Fprint(a.Err, visible.Lines(lines)) }

// Warn prints what went wrong and ended nothing.
func (a *App) Warn(err error) { a.Say("iotrace: %v\n", err) }

// Explain is the message of an error.
func (a *App) Explain(err error) string { return visible.Error(err, a.Names...) }

// Style is how text for people is laid out on standard output.
func (a *App) Style() text.Options { return StyleOf(a.Out) }

// StyleOf is how text for people is laid out on a stream.
func StyleOf(s Stream) text.Options {
	return text.Options{Width: s.Width(), Color: s.Color(), ASCII: !utf8Locale()}
}

// utf8Locale reports whether the locale has the characters that bars are drawn with. Where no locale is set, as in
// containers, most terminals have them.
func utf8Locale() bool {
	locale := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG"))
	name := strings.ToUpper(locale)
	return locale == "" || strings.HasSuffix(name, "UTF-8") || strings.HasSuffix(name, "UTF8")
}

// Caller is who called sudo, nil if nobody did.
func Caller() (*rights.Identity, error) {
	user, err := tracer.InvokingUser()
	return user.Identity(), err
}

// WorkIn takes on the rights with which files are made in directories: nobody but root may redirect root's files.
func WorkIn(dirs ...string) error {
	caller, err := Caller()
	if err != nil {
		return err
	}
	id, err := rights.Of(caller, dirs...)
	if err != nil {
		return err
	}
	return rights.Lower(id)
}

// WriteFile has write produce a new file, of the user who called sudo if there is one, or standard output if path is
// "-", which then has the bytes of the file. It does not replace one of the inputs that it is made of.
func (a *App) WriteFile(path string, force bool, inputs []string, write func(w *bufio.Writer) error) error {
	if path == "-" {
		return writeStream(Contents(a.Out), write)
	}
	caller, err := Caller()
	if err != nil {
		return err
	}
	return output.Write(path, output.Options{Replace: force, Inputs: inputs, As: caller}, write)
}

// Tree is a directory for files that are made of inputs. They are of the user who called sudo if there is one, and
// otherwise, as root in a directory of another user, of that user. It has to be closed.
func (a *App) Tree(dir string, inputs []string) (*output.Tree, error) {
	caller, err := Caller()
	if err != nil {
		return nil, err
	}
	as, err := rights.ToGive(caller, dir)
	if err != nil {
		return nil, fmt.Errorf("writing to %s: %w", dir, err)
	}
	return output.NewTree(dir, as, inputs), nil
}

// WriteOut has write produce text on standard output.
func (a *App) WriteOut(write func(w *bufio.Writer) error) error { return writeStream(a.Out, write) }

func writeStream(to io.Writer, write func(w *bufio.Writer) error) error {
	var failed error
	err := output.Buffered(to, func(w *bufio.Writer) error {
		failed = write(w)
		return failed
	})
	if failed == nil && err != nil {
		err = fmt.Errorf("writing to standard output: %w", err)
	}
	return err
}
