package browsertest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer"
)

// TestCurvesRefine zooms into the curves of a real recording: they have to show
// the finest level that fits, with its values, and the page has to say which.
func TestCurvesRefine(t *testing.T) {
	p, err := analyzer.Analyze("../../trace/testdata/cp.iotrace", analyzer.Options{Charts: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Charts.Zooms) < 2 {
		t.Fatalf("the recording has %d finer levels", len(p.Charts.Zooms))
	}
	b := open(t, write(t, p), 1400, 1000)
	b.do("document.documentElement.style.scrollBehavior = 'auto'; document.getElementById('place0-rate').scrollIntoView(); iotrace.drawAll()")
	end := p.Charts.Timeline.EndNS
	level := func() string { return eval[string](b, "document.getElementById('level').textContent") }
	if s := level(); !strings.Contains(s, "a point per "+eval[string](b, fmt.Sprintf("iotrace.print.time(%d)", p.Charts.BinNS))) {
		t.Errorf("before zooming the page says %q", s)
	}
	for k, z := range p.Charts.Zooms {
		width := min(1500*z.BinNS, end-1) // the widest window that this level is drawn for
		if k+1 < len(p.Charts.Zooms) && width/p.Charts.Zooms[k+1].BinNS <= 1500 {
			continue
		}
		from := (end - width) / 2
		b.do(fmt.Sprintf("iotrace.show(%d, %d)", from, from+width))
		if s, want := level(), "a point per "+eval[string](b, fmt.Sprintf("iotrace.print.time(%d)", z.BinNS)); !strings.Contains(s, want) {
			t.Errorf("in a window of %d ns the page says %q, want %q", width, s, want)
		}
		for i, s := range z.Series[:2] {
			if s.Layer != "calls" {
				break
			}
			got := eval[[][2]float64](b, fmt.Sprintf("iotrace.drawn.get('place0-rate').chart.getOption().series[%d].data", i))
			checkSteps(t, &s, z.BinNS, from, from+width, got)
		}
	}
}

// checkSteps compares the corners of a drawn curve with the rows of its level.
func checkSteps(t *testing.T, s *analyzer.Steps, bin, from, to int64, got [][2]float64) {
	t.Helper()
	first, found := slices.BinarySearch(s.At, from/bin)
	if !found {
		first--
	}
	last, _ := slices.BinarySearch(s.At, (to+bin-1)/bin)
	if len(got) != 2*(last-first) {
		t.Errorf("%s at %d ns has %d corners in the window, want %d", s.Direction, bin, len(got), 2*(last-first))
		return
	}
	for i := first; i < last; i++ {
		corner := got[2*(i-first)]
		want := float64(s.Bytes[i]) / float64(bin) * 1e9
		if int64(corner[0]) != s.At[i]*bin || math.Abs(corner[1]-want) > 0.002*want {
			t.Errorf("%s at %d ns: row %d is drawn at %v, want %d ns and %g B/s", s.Direction, bin, i, corner, s.At[i]*bin, want)
			return
		}
	}
}
