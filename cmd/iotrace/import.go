package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

type importOptions struct {
	from   string
	output string
	force  bool
	quiet  bool
}

func newImportCommand(a *app) *cobra.Command {
	var o importOptions
	c := &cobra.Command{
		Use:   "import --from FORMAT IN...",
		Short: "Make a trace of what another tool recorded",
		Long: `Import reads the output of another tool and writes a trace, which every other
command reads as one of its own. IN may be - for standard input. What the tool
cannot show is listed in the trace as its limits.

The formats, and how their input is made:

` + importFormats().text() + `
Several inputs are read one after the other, as one; an xctrace export is read
by itself.

A line that cannot be read is left out and counted; the summary names the first.
An input of which no line can be read is an error, and no file is written.

Exit status: 0, 1 for an error, 2 for a wrong command line.`,
		Example: `  iotrace import --from fs_usage copy.txt            writes copy.iotrace
  iotrace import --from ktrace -o t.iotrace a.txt b.txt`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("want the file to import")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			i, err := o.check(args)
			if err != nil {
				return usage(c, err)
			}
			return a.importTrace(&o, i, args)
		},
	}
	f := c.Flags()
	f.StringVar(&o.from, "from", "", "the tool that made the input: "+importFormats().names())
	f.StringVarP(&o.output, "output", "o", "", "write the trace to `FILE`; - is standard output (default: the input's name with .iotrace)")
	f.BoolVarP(&o.force, "force", "f", false, "replace an existing FILE")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print no summary")
	return c
}

// importFormats are the formats that can be read.
func importFormats() (list formats) {
	for _, i := range convert.Importers {
		list = append(list, format{i.From, i.About})
	}
	return list
}

func (o *importOptions) check(inputs []string) (*convert.Importer, error) {
	n, err := importFormats().find(o.from)
	switch {
	case o.from == "":
		return nil, fmt.Errorf("want --from and the tool that made the input (%s)", importFormats().names())
	case err != nil:
		return nil, err
	case len(inputs) > 1 && !convert.Importers[n].Joins:
		return nil, fmt.Errorf("want one export of %s, got %d", o.from, len(inputs))
	case o.output == "" && inputs[0] == "-":
		return nil, errors.New("want -o FILE for what is read from standard input")
	}
	return convert.Importers[n], nil
}

func (a *app) importTrace(o *importOptions, i *convert.Importer, inputs []string) error {
	output := o.output
	if output == "" {
		base := filepath.Base(inputs[0])
		output = strings.TrimSuffix(base, filepath.Ext(base)) + ".iotrace"
	}
	if output == "-" && a.Out.IsTerminal() {
		return errors.New("writing trace to standard output: a terminal cannot show a binary trace (use -o FILE, or a pipe)")
	}
	in, done, err := a.openInputs(inputs)
	if err != nil {
		return err
	}
	defer done()
	var imported *importing
	err = a.writeFile(output, o.force, func(w *bufio.Writer) error {
		imported, err = importTo(w, i, in, strings.Join(inputs, ", "))
		return err
	})
	if err != nil {
		return err
	}
	if !o.quiet {
		a.say("%s", imported.summary())
		if info, err := os.Stat(output); err == nil && output != "-" {
			a.say("Trace: %s (%s)\n", output, unit.Bytes(info.Size()))
		}
	}
	return nil
}

// openInputs opens all inputs before anything is written.
func (a *app) openInputs(names []string) (in io.Reader, done func(), err error) {
	var all []io.Reader
	var files []*os.File
	done = func() {
		for _, f := range files {
			_ = f.Close() // was only read
		}
	}
	for _, name := range names {
		if name == "-" {
			all = append(all, a.In)
			continue
		}
		f, err := os.Open(name)
		if err == nil {
			files = append(files, f)
			var info os.FileInfo
			if info, err = f.Stat(); err == nil && info.IsDir() {
				err = fmt.Errorf("open %s: is a directory", name)
			}
		}
		if err != nil {
			done()
			return nil, nil, fmt.Errorf("opening the input: %w", err)
		}
		all = append(all, f)
	}
	return io.MultiReader(all...), done, nil
}

// importing is a trace on its way from one format to the other.
type importing struct {
	*trace.Writer
	counts   convert.Counts
	calls    uint64
	requests uint64
	last     int64 // ns: the end of the newest event
}

func importTo(w io.Writer, i *convert.Importer, in io.Reader, name string) (*importing, error) {
	header := i.Header
	header.Tool = "iotrace " + versionName()
	t := &importing{}
	var err error
	if t.Writer, err = trace.NewWriter(w, header); err != nil {
		return nil, err
	}
	t.counts, err = i.Import(in, t)
	end := trace.End{Duration: t.last, CommandEnd: -1, Durable: -1, ExitCode: -1, Reason: "import", Warnings: t.warnings()}
	if err != nil {
		end.Error = err.Error()
	}
	closed := t.Close(end) // ends its goroutine, whatever has happened
	if err == nil && t.counts.Lines == 0 {
		err = errors.New("it is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return t, closed
}

// Syscall implements tracer.Sink.
func (t *importing) Syscall(e *trace.Syscall) error {
	t.calls++
	t.last = max(t.last, e.End())
	return t.Writer.Syscall(e)
}

// Request implements tracer.Sink.
func (t *importing) Request(e *trace.Request) error {
	t.requests++
	t.last = max(t.last, e.Completed)
	return t.Writer.Request(e)
}

// AsyncOp implements tracer.Sink.
func (t *importing) AsyncOp(e *trace.AsyncOp) error {
	t.last = max(t.last, e.Complete)
	return t.Writer.AsyncOp(e)
}

// Process implements tracer.Sink.
func (t *importing) Process(e *trace.Process) error {
	t.last = max(t.last, e.Time)
	return t.Writer.Process(e)
}

func (t *importing) warnings() (list []string) {
	if c := t.counts; c.Damaged > 0 {
		list = append(list, fmt.Sprintf("%d of %d lines could not be read and are missing; the first is line %d", c.Damaged, c.Lines, c.First))
	}
	return append(list, t.counts.Notes...)
}

func (t *importing) summary() string {
	var b strings.Builder
	for _, w := range t.warnings() {
		fmt.Fprintf(&b, "iotrace: %s\n", w)
	}
	fmt.Fprintf(&b, "%d lines: %d calls, %d requests\n", t.counts.Lines, t.calls, t.requests)
	return b.String()
}
