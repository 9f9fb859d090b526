package benchmark

import (
	"bufio"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/benchmarks"
	"github.com/iotrace/iotrace/report/page"
)

// printer is in what form bench prints, and where to.
type printer struct {
	*cli.App
	force bool
	json  bool
	csv   bool
	html  string
	// markdown is a form of reviews only.
	markdown bool
	quiet    bool
}

// print prints a report in the form that was asked for.
func (o *printer) print(r *baseline.Report) error {
	if err := o.writePage(r); err != nil {
		return err
	}
	switch {
	case o.csv:
		return benchmarks.WriteCSV(o.Out, r)
	case o.json:
		return cli.PrintJSON(o.Out, r)
	}
	return benchmarks.WriteText(o.Out, visible.Clone(r))
}

// printReview prints a review in the form that was asked for.
func (o *printer) printReview(r *baseline.Review) error {
	if err := o.writePage(r); err != nil {
		return err
	}
	switch {
	case o.markdown:
		return benchmarks.WriteReviewMarkdown(o.Out, r)
	case o.csv:
		return benchmarks.WriteReviewCSV(o.Out, r)
	case o.json:
		return cli.PrintJSON(o.Out, r)
	}
	return benchmarks.WriteReview(o.Out, visible.Clone(r))
}

// writePage writes the page of results, if one was asked for.
func (o *printer) writePage(results any) error {
	if o.html == "" {
		return nil
	}
	err := o.WriteFile(o.html, o.force, nil, func(w *bufio.Writer) error {
		return page.Results(w, visible.Clone(results))
	})
	if err == nil && !o.quiet {
		o.Say("Page: %s\n", o.html)
	}
	return err
}

// keepResults writes results to a file, from which they can be read again. The file is replaced in one step: a crash
// leaves the results before.
func (o *printer) keepResults(file string, replace bool, results any) error {
	return o.WriteFile(file, replace, nil, func(w *bufio.Writer) error { return benchmarks.WriteJSON(w, results) })
}

// printList prints patterns as they are defined; of the whole catalogue the suites.
func (o *printer) printList(patterns []baseline.Pattern, all bool) error {
	if all && !o.json {
		return benchmarks.WriteSuites(o.Out, patterns)
	}
	if !o.json {
		return benchmarks.WriteList(o.Out, patterns)
	}
	return benchmarks.WriteListJSON(o.Out, patterns)
}
