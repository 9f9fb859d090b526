package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/report/page"
)

type reportOptions struct {
	output string
	force  bool
	open   bool
}

func newReportCommand(a *app) *cobra.Command {
	var o reportOptions
	c := &cobra.Command{
		Use:   "report FILE",
		Short: "Make an HTML page of a trace, or of bench results",
		Long: `Report writes one HTML page with the story, tables and charts of a trace. The page
needs nothing else: no network, no server. FILE may be - for standard input. Of a
bench result (bench --json, or beside a recorded bench) it makes a page of plots.

Exit status: 0, 1 for an error, 2 for a wrong command line.`,
		Example: `  iotrace report cp.iotrace                 writes cp.html
  iotrace report --open cp.iotrace          and shows it
  iotrace report -o - cp.iotrace > page.html`,
		Args: file,
		RunE: func(c *cobra.Command, args []string) error {
			if o.open && o.output == "-" {
				return usage(c, errors.New("--open needs a file, not -o -"))
			}
			return a.report(&o, args[0])
		},
	}
	c.Flags().StringVarP(&o.output, "output", "o", "", "write the page to `FILE`; - is standard output (default: the trace's name with .html)")
	c.Flags().BoolVarP(&o.force, "force", "f", false, "replace an existing FILE")
	c.Flags().BoolVar(&o.open, "open", false, "show the page in the browser")
	return c
}

func (a *app) report(o *reportOptions, path string) error {
	output := o.output
	if output == "" {
		output = pageName(path)
	}
	isBench, err := beginsObject(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // the analyzer says what is missing
		return err
	}
	err = a.writeFile(output, o.force, func(w *bufio.Writer) error {
		if isBench {
			r, err := benchResult(path)
			if err != nil {
				return err
			}
			return page.Bench(w, r)
		}
		p, err := analyzer.Analyze(path, analyzer.Options{Charts: true})
		if err != nil {
			return err
		}
		return page.Profile(w, p)
	})
	if err != nil {
		return err
	}
	if output != "-" {
		a.say("Report: %s\n", output)
	}
	if o.open {
		return openPage(output)
	}
	return nil
}

// pageName is the name of the page of a trace, in the same directory.
func pageName(trace string) string {
	if trace == "-" {
		return "report.html"
	}
	return strings.TrimSuffix(strings.TrimSuffix(trace, ".iotrace"), ".json") + ".html"
}

// openPage shows a page in the user's browser.
func openPage(page string) error {
	opener := "xdg-open"
	if runtime.GOOS == "darwin" {
		opener = "open"
	}
	path, err := filepath.Abs(page)
	if err != nil {
		return fmt.Errorf("opening %s: %w", page, err)
	}
	if err := exec.Command(opener, path).Run(); err != nil {
		return fmt.Errorf("opening %s with %s: %w (open it by hand)", page, opener, err)
	}
	return nil
}
