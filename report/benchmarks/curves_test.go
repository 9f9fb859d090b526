package benchmarks

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/iotrace/iotrace/baseline"
)

// curvesReview has a curve of each kind on two volumes, one of which has no direct I/O.
func curvesReview() *baseline.Review {
	r := &baseline.Review{Type: "review", Version: 1, Runs: 5,
		Volumes: []baseline.Volume{{Label: "Disk|1"}, {Label: "Stick"}, {Label: "Memory"}}}
	low, high := int64(90e6), int64(110e6)
	for i, block := range []int64{4 << 10, 64 << 10, 1 << 20} {
		for _, op := range []baseline.Op{baseline.Write, baseline.Read} {
			t := baseline.Task{Name: fmt.Sprint("blocks ", op, " ", block), About: "sequential, 4 at once", Work: "blocks",
				Op: op, Measure: baseline.ByRate, Bytes: 1 << 20, Point: &baseline.Point{Over: baseline.OverBlock, Value: block}}
			for k := range 2 {
				to := baseline.TaskResult{Runs: []baseline.TaskRun{{NS: 1e9, Bytes: 1e8}}, Value: baseline.Summary{N: 5,
					Median: int64(1e8 * (i + 1) * (k + 1)), Low: &low, High: &high}}
				if k > 0 {
					to.Against = &baseline.Comparison{Verdict: []string{"faster", "~", "slower"}[i]}
				}
				t.Results = append(t.Results, to)
			}
			t.Results = append(t.Results, baseline.TaskResult{Skipped: "no direct I/O there"})
			r.Tasks = append(r.Tasks, t)
		}
	}
	files := baseline.Task{Name: "files write 6 MB", About: "3 files", Work: "files", Op: baseline.Write,
		Measure: baseline.ByRate, Bytes: 6e6}
	sustained := baseline.Task{Name: "sustained 6 GB", About: "6 GB written", Work: "sustained", Op: baseline.Write,
		Measure: baseline.ByRate, Bytes: 6e9, Runs: 1}
	var parts, pieces []baseline.FileTime
	for i := range int64(60) {
		parts = append(parts, baseline.FileTime{Bytes: 1e6 * (i%3 + 1), NS: 1e6 + 1e7*(i%3+1)})
		pieces = append(pieces, baseline.FileTime{Bytes: 1e8, NS: 1e8 * (1 + i/30)})
	}
	for range 3 {
		files.Results = append(files.Results, baseline.TaskResult{Runs: []baseline.TaskRun{{NS: 3e9, Parts: parts}},
			Value: baseline.Summary{N: 5, Median: 95e6},
			Line:  &baseline.SizeTime{Files: 60, TheilSen: 1e8, Low: 9e7, High: 11e7, PerFileNS: 1e6}})
		sustained.Results = append(sustained.Results, baseline.TaskResult{Runs: []baseline.TaskRun{{NS: 9e9, Parts: pieces}},
			Value: baseline.Summary{N: 1, Median: 66e7},
			Onset: &baseline.Onset{Bytes: 3e9, NS: 3e9, Before: 1e9, After: 5e8}})
	}
	sustained.Results[2].Runs[0].Invalid = "it was memory"
	r.Tasks = append(r.Tasks, files, sustained)
	return r
}

// Curves fit a terminal, and their forms stay as they are.
func TestCurveForms(t *testing.T) {
	var text, markdown, table strings.Builder
	if err := WriteReview(&text, curvesReview()); err != nil {
		t.Fatal(err)
	}
	if err := WriteReviewMarkdown(&markdown, curvesReview()); err != nil {
		t.Fatal(err)
	}
	if err := WriteReviewCSV(&table, curvesReview()); err != nil {
		t.Fatal(err)
	}
	golden(t, "curves.txt", text.String())
	golden(t, "curves.md", markdown.String())
	for line := range strings.Lines(text.String()) {
		if utf8.RuneCountInString(strings.TrimRight(line, "\n")) > reviewWidth {
			t.Errorf("wider than a terminal: %q", line)
		}
	}
	if n, want := strings.Count(table.String(), "\n"), 1+6*2+2*3*(1+60); n != want {
		t.Errorf("%d lines of CSV, want %d: one for each run and each part of one", n, want)
	}
}
