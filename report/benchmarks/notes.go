package benchmarks

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/internal/unit"
)

// notes lists what to know about the numbers.
func notes(b *strings.Builder, r *baseline.Report) {
	all := Notes(r)
	if len(all) > 0 {
		b.WriteByte('\n')
	}
	for _, text := range all {
		fmt.Fprintf(b, "- %s\n", text)
	}
	if r.Interrupted {
		fmt.Fprintf(b, "\nThe run was cut short: this is what was measured until then.\n")
	}
}

// Notes are the warnings and what else to know about the numbers, each with
// where it holds, equal ones once.
func Notes(r *baseline.Report) []string {
	var order []string
	where := map[string][]string{}
	note := func(text, place string) {
		if _, seen := where[text]; !seen {
			order = append(order, text)
		}
		where[text] = append(where[text], place)
	}
	for _, w := range r.Warnings {
		note(w.Text, "")
	}
	for _, p := range r.Preconditioned {
		note(Preconditioning(p), p.Place)
	}
	for _, p := range r.Patterns {
		for i, place := range p.Places {
			for _, s := range place.Steps {
				at := label(p.Pattern, s.Step)
				if len(p.Places) > 1 {
					at += fmt.Sprintf(" [%d]", i+1)
				}
				if s.Skipped != "" {
					note("skipped: "+s.Skipped, at)
				}
				for _, w := range s.Warnings {
					note(w.Text, at)
				}
				if l := s.Line; l != nil {
					note(lineText(*l), at)
				}
				if q := medianRequests(s); q != nil {
					note(requestsText(q), at)
				}
			}
		}
	}
	for i, text := range order {
		order[i] = places(where[text]) + text
	}
	return order
}

// Preconditioning says what was written before anything was measured.
func Preconditioning(p baseline.Preconditioned) string {
	return fmt.Sprintf("preconditioned: a file of %s, which stayed until the end, took %s in order and then %s at "+
		"random, in %s",
		unit.Bytes(p.Bytes), unit.Bytes(p.OrderedBytes), unit.Bytes(p.RandomBytes), unit.Duration(time.Duration(p.NS)))
}

// medianRequests is what the recording saw of the counted run of median rate.
func medianRequests(s baseline.StepResult) *baseline.Requests {
	var runs []baseline.RunResult
	for _, r := range s.Runs {
		if r.Counted && r.Requests != nil {
			runs = append(runs, r)
		}
	}
	if len(runs) == 0 {
		return nil
	}
	sorting.Stably(runs, func(a, b baseline.RunResult) int { return cmp.Compare(a.Rate, b.Rate) })
	return runs[len(runs)/2].Requests
}

func requestsText(q *baseline.Requests) string {
	n := q.Reads + q.Writes
	if n == 0 {
		return "no requests reached the device"
	}
	var sizes []string
	for i, s := range q.Sizes[:min(len(q.Sizes), 3)] {
		if i > 0 && s.Count*100 < n {
			break
		}
		sizes = append(sizes, fmt.Sprintf("%s (%.0f %%)", unit.BlockSize(s.Bytes), float64(s.Count)/float64(n)*100))
	}
	text := fmt.Sprintf("recorded at %s: %s requests", q.Device, unit.Count(n))
	if q.Reads > 0 && q.Writes > 0 {
		text += fmt.Sprintf(", %.0f %% reads", float64(q.Reads)/float64(n)*100)
	}
	return text + fmt.Sprintf(", of %s; depth %s in the drive, %s with those queued for it; p50 %s, p99 %s",
		strings.Join(sizes, ", "), unit.Significant(q.MeanDepth, 3),
		unit.Significant(q.MeanQueued, 3), unit.Duration(time.Duration(q.Latency.P50)),
		unit.Duration(time.Duration(q.Latency.P99)))
}

// places names where a note holds.
func places(at []string) string {
	switch {
	case at[0] == "":
		return ""
	case len(at) > 3:
		return fmt.Sprintf("%s and %d more: ", at[0], len(at)-1)
	}
	return strings.Join(at, ", ") + ": "
}

// slope is a rate by the slope of time over size, "?" where larger files did not take longer.
func slope(rate int64) string {
	if rate <= 0 {
		return "?"
	}
	return unit.Rate(float64(rate))
}

func lineText(l baseline.SizeTime) string {
	return fmt.Sprintf("%d files: Theil-Sen %s (%s … %s) and %s per file, least squares %s, 20 %% trimmed mean %s, "+
		"median %s", l.Files,
		slope(l.TheilSen), slope(l.Low), slope(l.High),
		unit.Duration(time.Duration(l.PerFileNS)),
		slope(l.OLS), unit.Rate(float64(l.TrimmedMean)), unit.Rate(float64(l.Median)))
}
