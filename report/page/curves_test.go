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
