package page

import (
	"bytes"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/samples"
)

// The page of a simulation has a row for what was recorded and for each change that makes a difference, and names the
// others.
func TestWhatIfPage(t *testing.T) {
	same := profile.Range{NS: 2e9, Low: 2e9, High: 2e9}
	var b bytes.Buffer
	err := WhatIf(&b, "cp <a> b", 1e9, 2e9, []profile.Prospect{
		{Name: "no waiting for syncs", Wall: profile.Range{NS: 1e9, Low: 1e9, High: 1e9}, Durable: same},
		{Name: "a drive twice as fast", Wall: profile.Range{NS: 8e8, Low: 7e8, High: 9e8},
			Durable: profile.Range{NS: 15e8, Low: 14e8, High: 18e8}, Assumptions: []string{"it is idle otherwise"}},
		{Name: "twice the bandwidth", Wall: profile.Range{NS: 85e7, Low: 7e8, High: 9e8},
			Durable:     profile.Range{NS: 16e8, Low: 14e8, High: 18e8},
			Assumptions: []string{"it is idle otherwise", "others rest"}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"cp &lt;a&gt; b", "No effect: no waiting for syncs.",
		"a drive twice as fast: 1.50 s, likely 1.40 s to 1.80 s",
		"as recorded: 2.00 s", "Shortest: a drive twice as fast: 1.50 s (1.40 s to 1.80 s)", "it is idle otherwise.",
		"1.00 s to return · 2.00 s until durable", "<td>1</td>", "<td>1,2</td>", "<span>1.50&nbsp;s</span>"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if n := strings.Count(b.String(), "rotate(45)"); n != 3 {
		t.Errorf("the picture has %d rows", n)
	}
}

// What patterns have in common is said once, and no step has its name twice. A tip is no warning.
func TestBenchOverviewNames(t *testing.T) {
	r := samples.Bench([]string{"/mnt/a"}, [][]int64{{4e8}})
	r.Warnings = append(r.Warnings, baseline.Warning{Code: baseline.NotRecorded, Text: "Tip: record"})
	r.Patterns = append(r.Patterns, r.Patterns[0])
	for i, name := range []string{"cdm@9/default/seq/read", "cdm@9/default/rnd/mix"} {
		r.Patterns[i].Pattern.Name, r.Patterns[i].Pattern.Title = name, "CrystalDiskMark 9, default: "+name
	}
	pg := newBenchPage(r)
	if a, b := pg.Overview.Rows[0].Label, pg.Overview.Rows[1].Label; a != "seq/read" || b != "rnd/mix read" {
		t.Errorf("%q, %q", a, b)
	}
	if pg.Suite != "CrystalDiskMark 9, default" || len(pg.Tips) != 1 || len(pg.Warnings) != 1 {
		t.Errorf("%q, %q, %q", pg.Suite, pg.Tips, pg.Warnings)
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
		if row.Median < Left || row.Median > Width || row.Low != row.High && row.Low < Left {
			t.Errorf("%+v is beyond the axis", row)
		}
	}
	if a := pg.Overview.Rows[0]; a.Label != "seq1m-q8t1 read" || a.Value == "" {
		t.Errorf("%+v: want a short name and the median", a)
	}
	a, b := pg.Overview.Rows[0], pg.Overview.Rows[1]
	if a.Joined || !b.Joined || a.Median <= b.Median || a.Label == "" || b.Label != "" {
		t.Errorf("%+v, %+v", a, b)
	}
}
