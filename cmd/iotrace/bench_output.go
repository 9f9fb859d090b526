package main

import (
	"bufio"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/benchmarks"
	"github.com/iotrace/iotrace/report/page"
)

// benchPrinter is in what form bench prints, and where to. All kinds of results have all forms.
type benchPrinter struct {
	*cli.App
	force    bool
	json     bool
	csv      bool
	markdown bool
	html     string
	quiet    bool
}

func (o *benchPrinter) addFlags(f *pflag.FlagSet) {
	f.BoolVar(&o.json, "json", false, "print JSON (docs/baselines.md)")
	f.BoolVar(&o.csv, "csv", false, "print one line per run")
	f.BoolVar(&o.markdown, "markdown", false, "print the tables as Markdown")
	f.StringVar(&o.html, "html", "", "write an HTML page with plots to `FILE` as well")
	f.BoolVarP(&o.force, "force", "f", false, "replace existing FILEs")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "announce nothing and show no progress")
}

// checkForms reports forms that exclude each other.
func (o *benchPrinter) checkForms() error {
	var forms []string
	for _, form := range []struct {
		on   bool
		name string
	}{{o.json, "--json"}, {o.csv, "--csv"}, {o.markdown, "--markdown"}} {
		if form.on {
			forms = append(forms, form.name)
		}
	}
	if len(forms) > 1 {
		return fmt.Errorf("%s exclude each other (bench -o keeps the results, and show and report read them)",
			unit.List(forms))
	}
	return nil
}

// print prints results of any kind in the form that was asked for.
func (o *benchPrinter) print(results any) error {
	if err := o.writePage(results); err != nil {
		return err
	}
	switch {
	case o.json:
		return cli.PrintJSON(o.Out, results)
	case o.csv:
		return benchmarks.CSV.Write(o.Out, results)
	case o.markdown:
		return benchmarks.Markdown.Write(o.Out, results)
	}
	return benchmarks.Text.Write(o.Out, shownResults(results))
}

// shownResults are results with their texts made fit for a terminal.
func shownResults(results any) any {
	switch r := results.(type) {
	case *baseline.Report:
		return visible.Clone(r)
	case *baseline.Review:
		return visible.Clone(r)
	case *baseline.SustainedReport:
		return visible.Clone(r)
	}
	return results
}

// writePage writes the page of results, if one was asked for.
func (o *benchPrinter) writePage(results any) error {
	if o.html == "" {
		return nil
	}
	err := o.WriteFile(o.html, o.force, nil, func(w *bufio.Writer) error { return page.Results(w, shownResults(results)) })
	if err == nil && !o.quiet {
		o.Say("Page: %s\n", o.html)
	}
	return err
}

// keepResults writes results to a file, from which they can be read again. The file is replaced in one step: a crash
// leaves the results before.
func (o *benchPrinter) keepResults(file string, replace bool, results any) error {
	return o.WriteFile(file, replace, nil, func(w *bufio.Writer) error { return benchmarks.WriteJSON(w, results) })
}

// printList prints patterns as they are defined; of the whole catalogue the suites.
func (o *benchPrinter) printList(patterns []baseline.Pattern, all bool) error {
	if all && !o.json {
		return benchmarks.WriteSuites(o.Out, patterns)
	}
	if !o.json {
		return benchmarks.WriteList(o.Out, patterns)
	}
	return benchmarks.WriteListJSON(o.Out, patterns)
}
