package main

import (
	"bufio"
	"encoding/json"
	"fmt"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/ui"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/benchmarks"
	"github.com/iotrace/iotrace/report/page"
)

// benchOutput is in what form bench prints, and where to.
type benchOutput struct {
	*app
	force bool
	json  bool
	csv   bool
	html  string
	// markdown is a form of reviews only.
	markdown bool
	quiet    bool
}

// print prints a report in the form that was asked for.
func (o *benchOutput) print(r *baseline.Report) error {
	if err := o.writePage(r); err != nil {
		return err
	}
	switch {
	case o.csv:
		return benchmarks.WriteCSV(o.Out, r)
	case o.json:
		return printJSON(o.Out, r)
	}
	return benchmarks.WriteText(o.Out, r)
}

// printReview prints a review in the form that was asked for.
func (o *benchOutput) printReview(r *baseline.Review) error {
	if err := o.writePage(r); err != nil {
		return err
	}
	switch {
	case o.markdown:
		return benchmarks.WriteReviewMarkdown(o.Out, r)
	case o.csv:
		return benchmarks.WriteReviewCSV(o.Out, r)
	case o.json:
		return printJSON(o.Out, r)
	}
	return benchmarks.WriteReview(o.Out, r)
}

// writePage writes the page of results, if one was asked for.
func (o *benchOutput) writePage(results any) error {
	if o.html == "" {
		return nil
	}
	err := o.writeFile(o.html, o.force, func(w *bufio.Writer) error { return page.Results(w, results) })
	if err == nil && !o.quiet {
		o.say("Page: %s\n", o.html)
	}
	return err
}

// keepResults writes results to a file, from which they can be read again. The file is replaced in one step: a crash
// leaves the results before.
func (o *benchOutput) keepResults(file string, replace bool, results any) error {
	return o.writeFile(file, replace, func(w *bufio.Writer) error { return benchmarks.WriteJSON(w, results) })
}

// printList prints patterns as they are defined; of the whole catalogue the suites.
func (o *benchOutput) printList(patterns []baseline.Pattern, all bool) error {
	if all && !o.json {
		return benchmarks.WriteSuites(o.Out, patterns)
	}
	if !o.json {
		return benchmarks.WriteList(o.Out, patterns)
	}
	return benchmarks.WriteListJSON(o.Out, patterns)
}

func printJSON(out ui.Stream, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err == nil {
		_, err = out.Write(append(visible.AppendJSON(nil, text), '\n'))
	}
	if err != nil {
		return fmt.Errorf("printing JSON: %w", err)
	}
	return nil
}

// showProgress keeps a line on a terminal, and answers who asks for it, until the returned function is called.
func showProgress(out ui.Stream, line func() string) (end func()) {
	requests, stopRequests := ui.StatusRequests()
	p := ui.NewProgress(out, requests, func(bool) string { return line() })
	return func() { p.Stop(); stopRequests() }
}
