package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/convert/conversion"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/report/page"
)

type reportCommand struct {
	*cli.App
	output string
	force  bool
	open   bool
	beside string
	conversion.Choice
}

func newReportCommand(a *cli.App) *cobra.Command {
	o := &reportCommand{App: a}
	c := &cobra.Command{
		Use:   "report FILE...",
		Short: "Make an HTML page of a trace, or of bench results",
		Long:  cli.Help("report"),
		Example: `  iotrace report cp.iotrace                 writes cp.html
  iotrace report --open cp.iotrace          and shows it
  iotrace report -o pages cp-*.iotrace      writes each to the directory pages
  iotrace report --against usb.json cp.iotrace   beside a benchmark
  iotrace report -o - cp.iotrace > page.html`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.check(args); err != nil {
				return cli.Usage(c, err)
			}
			var failed error
			for _, path := range args {
				failed = errors.Join(failed, o.run(path))
			}
			return failed
		},
	}
	c.Flags().StringVarP(&o.output, "output", "o", "",
		"write the page to `FILE`, or into that directory; - is standard output (default: the trace's name with .html)")
	c.Flags().BoolVarP(&o.force, "force", "f", false, "replace an existing FILE")
	c.Flags().BoolVar(&o.open, "open", false, "show the page in the browser")
	c.Flags().StringVar(&o.beside, "against", "",
		"with block sizes and queue depths of a benchmark beside the trace's: `PATTERN`, or results of bench or fio as JSON")
	anonymizing(c.Flags(), &o.Choice)
	return c
}

func (o *reportCommand) check(files []string) error {
	switch {
	case len(files) == 0:
		return noTrace("want the trace file to read")
	case o.open && o.output == "-":
		return errors.New("--open needs a file, not -o -")
	case len(files) > 1 && o.output != "" && !isDirectory(o.output):
		return fmt.Errorf("%d pages do not go into one file: name a directory that exists with -o, or leave it out",
			len(files))
	}
	return nil
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func (o *reportCommand) run(path string) error {
	output := o.output
	switch {
	case output == "":
		output = pageName(path)
	case isDirectory(output):
		output = filepath.Join(output, filepath.Base(pageName(path)))
	}
	isBench, err := baseline.IsReport(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // the analyzer says what is missing
		return err
	}
	if isBench && o.Anonymize {
		return fmt.Errorf("--anonymize is for traces: %s has results of bench", path)
	}
	if isBench && o.beside != "" {
		return fmt.Errorf("--against is for traces: %s has results of bench", path)
	}
	t, err := o.Of(path)
	if err != nil {
		return err
	}
	defer t.Done()
	write := o.tracePage
	if isBench {
		write = benchPage
	}
	err = o.WriteFile(output, o.force, []string{path, o.beside}, func(w *bufio.Writer) error { return write(w, t.Path) })
	if err != nil {
		return err
	}
	if output != "-" {
		o.Say("Report: %s\n", output)
	}
	if o.open {
		return cli.OpenPage(output)
	}
	return nil
}

// pageRows is how many files and copies a page lists: it can be searched.
const pageRows = 20_000

// readingLine says what takes so long while a trace is read: how much it is, and for how long that has gone on.
func readingLine(path string, since time.Duration) string {
	what := "standard input"
	if info, err := os.Stat(path); err == nil {
		what = unit.Bytes(info.Size()) + " of events"
	}
	return "reading " + what + ", " + unit.Duration(since.Truncate(time.Second/10))
}

func (o *reportCommand) tracePage(w io.Writer, path string) error {
	begun := time.Now()
	end := cli.ShowProgress(o.Err, func() string { return readingLine(path, time.Since(begun)) })
	p, err := analyzer.AnalyzeAhead(path, analyzer.Options{Charts: true, MaxFiles: pageRows, MaxCopies: pageRows})
	end()
	if err != nil {
		return err
	}
	if o.beside == "" {
		return page.Profile(w, p)
	}
	b, err := o.benchmark(path)
	if err != nil {
		return err
	}
	return page.Beside(w, p, b)
}

// benchmark is the step that moves data as the trace does, of the benchmark that was named.
func (o *reportCommand) benchmark(path string) (*gap.Reference, error) {
	if path == "-" {
		return nil, errors.New("--against reads the trace twice: it must be a file, not standard input")
	}
	w, err := gap.Survey(path)
	if err != nil && !errors.Is(err, gap.ErrNoPayload) {
		return nil, err
	}
	return gap.FindReference(o.beside, gap.SoughtBy(w, ""), gap.Given{})
}

func benchPage(w io.Writer, path string) error {
	results, err := baseline.ReadResults(path)
	if err != nil {
		return err
	}
	return page.Results(w, results)
}

// pageName is the name of the page of a trace, in the same directory.
func pageName(trace string) string {
	if trace == "-" {
		return "report.html"
	}
	return strings.TrimSuffix(strings.TrimSuffix(trace, ".iotrace"), ".json") + ".html"
}
