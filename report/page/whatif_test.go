package page

import (
	"bytes"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/report/internal/samples"
	"github.com/iotrace/iotrace/report/page/plot"
)

// The page of a simulation has a row for what was recorded and for each change that makes a difference, and names the
// others.
func TestWhatIfPage(t *testing.T) {
	same := profile.Range{NS: 2e9, Low: 2e9, High: 2e9}
	var b bytes.Buffer
	err := WhatIf(&b, "cp <a> b", 1e9, 2e9, []profile.Prospect{
		{Name: "no waiting for syncs", Wall: profile.Range{NS: 1e9, Low: 1e9, High: 1e9}, Durable: same},
		{Name: "a drive twice as fast", Wall: profile.Range{NS: 8e8, Low: 7e8, High: 9e8},
			Durable: profile.Range{NS: 15e8, Low: 14e8, High: 18e8}, Assumptions: []string{"it is idle otherwise"}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"cp &lt;a&gt; b", "No effect: no waiting for syncs.",
		"a drive twice as fast: 1.50 s, likely 1.40 s to 1.80 s",
		"as recorded: 2.00 s", "Shortest: a drive twice as fast: 1.50 s (1.40 s to 1.80 s)", "it is idle otherwise.",
		"1.00 s to return · 2.00 s until durable"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if n := strings.Count(b.String(), "rotate(45)"); n != 2 {
		t.Errorf("the picture has %d rows", n)
	}
}

// The overview of a benchmark has each step with every place, and none stands beyond its axis.
func TestBenchOverview(t *testing.T) {
	r := samples.Bench([]string{"/mnt/a", "/mnt/b"}, [][]int64{{4e8, 5e8, 6e8, 7e8, 8e8, 9e8}, {1e6, 2e6, 3e6}})
	if pg := newBenchPage(r); pg.Overview != nil {
		t.Error("a single step has an overview")
	}
	r.Patterns = append(r.Patterns, r.Patterns[0])
	pg := newBenchPage(r)
	if pg.Overview == nil || len(pg.Overview.Rows) != 4 {
		t.Fatalf("%+v", pg.Overview)
	}
	for _, row := range pg.Overview.Rows {
		if row.Median < plot.Left || row.Median > plot.Width || row.Low != row.High && row.Low < plot.Left {
			t.Errorf("%+v is beyond the axis", row)
		}
	}
	a, b := pg.Overview.Rows[0], pg.Overview.Rows[1]
	if a.Joined || !b.Joined || a.Median <= b.Median || a.Label == "" || b.Label != "" {
		t.Errorf("%+v, %+v", a, b)
	}
}
