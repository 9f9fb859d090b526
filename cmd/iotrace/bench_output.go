package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/generator"
	"github.com/iotrace/iotrace/internal/ui"
	"github.com/iotrace/iotrace/internal/unit"
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
	if o.html != "" {
		err := o.writeFile(o.html, o.force, func(w *bufio.Writer) error { return page.Bench(w, r) })
		if err != nil {
			return err
		}
		if !o.quiet {
			o.say("Page: %s\n", o.html)
		}
	}
	switch {
	case o.csv:
		return benchmarks.WriteCSV(o.Out, r)
	case o.json:
		return printJSON(o.Out, r)
	}
	return benchmarks.WriteText(o.Out, r)
}

// printList prints patterns as they are defined; of the whole catalogue the suites.
func (o *benchOutput) printList(patterns []baseline.Pattern, all bool) error {
	if all && !o.json {
		return benchmarks.WriteSuites(o.Out, patterns)
	}
	if !o.json {
		return benchmarks.WriteList(o.Out, patterns)
	}
	e := json.NewEncoder(o.Out)
	e.SetIndent("", "  ")
	err := e.Encode(struct {
		Type     string             `json:"type"`
		Version  int                `json:"version"`
		Patterns []baseline.Pattern `json:"patterns"`
	}{"patterns", 1, patterns})
	if err != nil {
		return fmt.Errorf("printing the patterns: %w", err)
	}
	return nil
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

// announce says what will be written, and how long that takes.
func announce(a *app, p baseline.Plan) {
	for _, place := range p.Places {
		a.say("%s\n", benchmarks.Announcement(place))
	}
	if p.DropsCaches {
		a.say("Before each step the page cache of the whole system is dropped, as the original does " +
			"(--keep-caches prevents it).\n")
	}
	a.say("This takes about %s.\n", unit.Duration(p.Duration))
}

// benchProgress shows a line with the time left until the returned function is called.
func benchProgress(out ui.Stream, b *generator.Bench) (end func()) {
	return showProgress(out, func() string {
		now, moved, since := b.Activity()
		if now.Pattern == "" {
			return ""
		}
		// What matters most comes first: the line is cut at the width of the terminal.
		parts := []string{"about " + unit.Duration(now.Left) + " left"}
		if moved > 0 {
			parts = append(parts, unit.RateOver(moved, since))
		}
		if now.Run > 0 {
			parts = append(parts, fmt.Sprintf("run %d of %d", now.Run, now.Runs))
		}
		parts = append(parts, now.Pattern)
		if now.Step != "" && !strings.HasSuffix(now.Pattern, "/"+now.Step) {
			parts = append(parts, now.Step)
		}
		return strings.Join(append(parts, now.Place), ", ")
	})
}

// showProgress keeps a line on a terminal, and answers who asks for it, until the returned function is called.
func showProgress(out ui.Stream, line func() string) (end func()) {
	requests, stopRequests := ui.StatusRequests()
	p := ui.NewProgress(out, requests, func(bool) string { return line() })
	return func() { p.Stop(); stopRequests() }
}
