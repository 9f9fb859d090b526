package page

import (
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/generator"
)

// The page of a review has its table, its sentences and every run, and nothing of a label becomes markup.
func TestReviewPage(t *testing.T) {
	low, high := int64(90), int64(120)
	to := baseline.TaskResult{
		Runs: []baseline.TaskRun{{NS: 90}, {NS: 100}, {NS: 120}}, Value: baseline.Summary{N: 3, Min: 90, Median: 100,
			Max: 120, Low: &low, High: &high, Level: 0.9},
	}
	r := &baseline.Review{Runs: 3, Volumes: []baseline.Volume{{Label: "<b>A</b>"}}, Tasks: []baseline.Task{
		{Name: "launch", About: "a program starts", Measure: baseline.ByTime, Results: []baseline.TaskResult{to}},
		{Name: "clone 1 GiB", About: "a clone", Measure: baseline.ByTime,
			Results: []baseline.TaskResult{{Skipped: "not <possible>"}}},
	}}
	var b strings.Builder
	if err := Review(&b, r); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if strings.Contains(text, "<b>A") || strings.Contains(text, "<possible>") {
		t.Error("a name became markup")
	}
	for _, want := range []string{"a program starts", "100 ns", "90 ns … 120 ns", "cannot"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if n := strings.Count(text, "<circle"); n != 3 {
		t.Errorf("%d runs are drawn", n)
	}
}

// A curve has a chart for each direction with a line for each volume; what is over the size of files has a dot for each
// file, and the line that was fitted.
func TestReviewCurves(t *testing.T) {
	r := &baseline.Review{Runs: 1, Volumes: []baseline.Volume{{Label: "A"}, {Label: "B"}}}
	for _, depth := range []int64{1, 2, 4} {
		task := baseline.Task{Name: "depths", Work: "depths", Op: baseline.Read, Measure: baseline.ByRate,
			Point: &baseline.Point{Over: baseline.OverDepth, Value: depth}}
		for range 2 {
			task.Results = append(task.Results, baseline.TaskResult{Value: baseline.Summary{N: 1, Median: depth * 1e6}})
		}
		r.Tasks = append(r.Tasks, task)
	}
	files := baseline.TaskResult{Value: baseline.Summary{N: 1, Median: 1}, Line: &baseline.SizeTime{TheilSen: 1e6},
		Runs: []baseline.TaskRun{{NS: 3, Parts: []baseline.FileTime{{Bytes: 1, NS: 1}, {Bytes: 2, NS: 2}}}}}
	r.Tasks = append(r.Tasks, baseline.Task{Name: "files", Work: "files", Op: baseline.Write, Measure: baseline.ByRate,
		Bytes: 3, Results: []baseline.TaskResult{files, files}})
	var b strings.Builder
	if err := Review(&b, r); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if n := strings.Count(text, "<polyline"); n != 4 {
		t.Errorf("%d lines, want one for each of two volumes in two charts", n)
	}
	if n := strings.Count(text, "<path "); n != 4 {
		t.Errorf("%d files are drawn", n)
	}
	for _, want := range []string{"Speed over the operations at once", "Time over the file size"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(text, "NaN") {
		t.Error("a place is not a number")
	}
}

// A title of a curve says what is drawn: at random or in order, and whether it is read, written or both.
func TestTitlesOfReviewCurves(t *testing.T) {
	tasks, err := generator.Tasks([]string{"depths", "mix"}, []int64{1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	for i := range tasks {
		tasks[i].Results = []baseline.TaskResult{{Value: baseline.Summary{N: 1, Median: 1e6}}}
	}
	r := &baseline.Review{Runs: 1, Volumes: []baseline.Volume{{Label: "A"}}, Tasks: tasks}
	var got []string
	for _, c := range newReviewPage(r).Curves {
		for _, chart := range c.Charts {
			got = append(got, chart.Title)
		}
	}
	want := []string{
		"Speed over the operations at once, random, 4 KiB: write",
		"Speed over the operations at once, random, 4 KiB: read",
		"Speed over the operations at once, sequential, 128 KiB: write",
		"Speed over the operations at once, sequential, 128 KiB: read",
		"Speed over the share of reads, random, 4 KiB, 4 at once: reads and writes together",
		"Speed over the share of reads, sequential, 128 KiB, 1 at once: reads and writes together",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
