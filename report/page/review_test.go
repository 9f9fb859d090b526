package page

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/baseline"
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
