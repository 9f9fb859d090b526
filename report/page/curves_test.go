package page

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/baseline"
)

// TestCurves draws a line for each place over what the steps differ in, and none where they differ in more.
func TestCurves(t *testing.T) {
	p := baseline.PatternResult{Places: []baseline.PlaceResult{{Place: "/a"}, {Place: "/b"}}}
	add := func(name string, s baseline.Step, rates ...int64) {
		s.Name, s.Op, s.Access = name, "write", "sequential"
		p.Pattern.Steps = append(p.Pattern.Steps, s)
		for i, rate := range rates {
			p.Places[i].Steps = append(p.Places[i].Steps,
				baseline.StepResult{Step: name, Rate: baseline.Summary{N: 3, Median: rate}})
		}
	}
	add("4k", baseline.Step{Block: 4 << 10, Depth: 4}, 10e6, 5e6)
	add("64k", baseline.Step{Block: 64 << 10, Depth: 4}, 100e6, 50e6)
	add("1m", baseline.Step{Block: 1 << 20, Depth: 4}, 400e6, 200e6)
	add("other", baseline.Step{Block: 2 << 20, Depth: 1}, 400e6, 200e6)
	r := &baseline.Report{Places: []baseline.Place{{Path: "/a"}, {Path: "/b"}}, Patterns: []baseline.PatternResult{p}}
	curves := newBenchPage(r).Curves
	if len(curves) != 1 || len(curves[0].Lines) != 2 {
		t.Fatalf("%+v", curves)
	}
	want := "/a: 4 KiB 10.0 MB/s, 64 KiB 100 MB/s, 1 MiB 400 MB/s"
	if c := curves[0]; !strings.HasPrefix(c.Title, "Speed over the block size") || c.Lines[0].Title != want {
		t.Errorf("%q with %q, want %q", c.Title, c.Lines[0].Title, want)
	}
	if n := len(strings.Fields(curves[0].Lines[1].Points)); n != 3 {
		t.Errorf("the line has %d points", n)
	}
}

// measuredPattern is a pattern of the catalogue with a rate for each step, in a file of a size that is no multiple of
// its blocks.
func measuredPattern(t *testing.T, name string) *benchPage {
	t.Helper()
	found, err := baseline.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	r := &baseline.Report{Places: []baseline.Place{{Path: "/a"}}}
	for _, p := range found {
		p = p.Scaled(baseline.Scale{Size: 100e6})
		x := baseline.PatternResult{Pattern: p, Places: []baseline.PlaceResult{{Place: "/a"}}}
		for i, s := range p.Steps {
			result := baseline.StepResult{Step: s.Name, Rate: baseline.Summary{N: 1, Median: int64(1e6 * (i + 1))}}
			if s.Files != nil {
				run := baseline.RunResult{Counted: true}
				for k, n := range s.Files.Sizes {
					run.Files = append(run.Files, baseline.FileTime{Bytes: n, NS: n/100 + int64(k+1)*1e5})
				}
				result.Runs, result.Line = []baseline.RunResult{run}, &baseline.SizeTime{Files: 16, TheilSen: 1e8, PerFileNS: 1e5}
			}
			x.Places[0].Steps = append(x.Places[0].Steps, result)
		}
		r.Patterns = append(r.Patterns, x)
	}
	return newBenchPage(r)
}

// ATTO's page has one curve for reads and one for writes, in one chart, whatever the size of its file.
func TestSweepIsOneChart(t *testing.T) {
	curves := measuredPattern(t, "atto").Curves
	if len(curves) != 1 || len(curves[0].Lines) != 2 {
		t.Fatalf("%d charts: %+v", len(curves), curves)
	}
	c := curves[0]
	if c.Title != "Speed over the block size: sequential, 4 at once; dashed: writes" || c.Lines[0].Dashed ||
		!c.Lines[1].Dashed || !strings.HasPrefix(c.Lines[0].Title, "/a, read: 512 B ") ||
		!strings.HasPrefix(c.Lines[1].Title, "/a, write: 512 B ") {
		t.Errorf("%+v", c)
	}
	for _, l := range c.Lines {
		if n := len(strings.Fields(l.Points)); n != 18 {
			t.Errorf("%q has %d points", l.Title, n)
		}
	}
}

// The score of a pattern stands on its page.
func TestScoreOfAPattern(t *testing.T) {
	found, err := baseline.Lookup("at/sustained-rnd/read")
	if err != nil {
		t.Fatal(err)
	}
	p := baseline.PatternResult{Pattern: found[0], Places: []baseline.PlaceResult{{Place: "/a", Shown: &baseline.Shown{
		Rule: found[0].Original.Pick, BytesPerSecond: 54e6}}}}
	pg := newBenchPage(&baseline.Report{Places: []baseline.Place{{Path: "/a"}}, Patterns: []baseline.PatternResult{p}})
	want := "/a: 54.0 MB/s, the mean of qd1, qd2, qd4, as the original scores"
	if s := pg.Patterns[0].Scores; len(s) != 1 || s[0] != want {
		t.Errorf("%q", s)
	}
}

// A title says what is drawn: a mix is no read.
func TestTitlesOfCurves(t *testing.T) {
	for name, want := range map[string]string{
		"at/mixed-seq":          "Speed over the share of reads: sequential, 128 KiB, 1 at once",
		"at/mixed-rnd":          "Speed over the share of reads: random, 4 KiB, 4 at once",
		"at/sustained-seq":      "Speed over the requests at once: sequential, 128 KiB; dashed: writes",
		"at/sustained-rnd/read": "Speed over the requests at once: read, random, 4 KiB",
	} {
		curves := measuredPattern(t, name).Curves
		if len(curves) != 1 || curves[0].Title != want {
			t.Errorf("%s: %d charts, want %q", name, len(curves), want)
			for _, c := range curves {
				t.Logf("%q", c.Title)
			}
		}
	}
}

// Of a set of files the speed is drawn over the size on a logarithmic axis, each file as a dot, beside the line of
// time over size: files of 2 MB lie as far from those of 20 as these from those of 200.
func TestSizesAreDrawnByTheirLogarithm(t *testing.T) {
	pg := measuredPattern(t, "stibium/gold")
	charts := pg.Patterns[0].Steps[0].Sizes
	if len(charts) != 2 || len(charts[0].Dots) != 16 || len(charts[1].Dots) != 16 {
		t.Fatalf("%+v", charts)
	}
	x := func(chart, dot int) float64 { return charts[chart].Dots[dot].X }
	// Of 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200 … in the proportions of the scale.
	if a, b := x(0, 5)-x(0, 0), x(0, 10)-x(0, 5); a < 50 || a/b < 0.95 || a/b > 1.05 {
		t.Errorf("a decade is %.1f and %.1f wide", a, b)
	}
	if a, b := x(1, 5)-x(1, 0), x(1, 10)-x(1, 5); a/b > 0.2 {
		t.Errorf("the time is not over a plot.Linear axis: %.1f and %.1f", a, b)
	}
	if !strings.HasPrefix(charts[0].Title, "Speed over the file size") ||
		!strings.HasPrefix(charts[1].Title, "Time over the file size") {
		t.Errorf("%q, %q", charts[0].Title, charts[1].Title)
	}
}
