package chart

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/profile"
)

// TestBandsAreTheBar checks that the critical path over time adds up to the parts of the bar, at each level of zoom,
// and that it is one picture: what is drawn in two phases of a recording is not smeared over both.
func TestBandsAreTheBar(t *testing.T) {
	t.Parallel()
	p, err := analyzer.Analyze(filepath.Join("..", "..", "testdata", "path.iotrace"), analyzer.Options{Charts: true})
	if err != nil {
		t.Fatal(err)
	}
	if p.Path == nil || len(p.Verdict.Bar) < 3 {
		t.Fatalf("a path %v, a bar %+v", p.Path != nil, p.Verdict.Bar)
	}
	list := timeBands(p)
	if len(list) != len(p.Verdict.Bar) {
		t.Fatalf("%d bands, %d parts of the bar", len(list), len(p.Verdict.Bar))
	}
	whole := 0
	for i, b := range list {
		part := &p.Verdict.Bar[i]
		if b.name != part.Name {
			t.Errorf("band %d is %q, the part of the bar %q", i, b.name, part.Name)
		}
		same := func(sum float64, where string) {
			t.Helper()
			if math.Abs(sum-float64(part.TimeNS)) > 1e-6*float64(p.TimeStack.TotalNS) {
				t.Errorf("%s: %s takes %.0f ns, in the bar %d", where, b.name, sum, part.TimeNS)
			}
		}
		var sum float64
		for _, ns := range b.over(p.Charts.Stack) {
			sum += ns
		}
		same(sum, "the picture")
		for k := range p.Charts.Zooms {
			if z := &p.Charts.Zooms[k]; z.Whole {
				whole++
				same(zoomed(&b, z, p.Charts.Timeline.EndNS), "a finer level")
			}
		}
	}
	if whole == 0 {
		t.Error("no finer level has all of the recording")
	}
	begins := map[string]int{}
	for _, b := range list {
		for bin, ns := range b.over(p.Charts.Stack) {
			if 2*ns > float64(p.Charts.BinNS) {
				begins[b.name] = bin
				break
			}
		}
	}
	if begins["CPU"] >= begins["sync"] {
		t.Errorf("the processor and then syncs; they come first at %v", begins)
	}
}

// zoomed is the time of a band at a finer level, whose rows hold until the next.
func zoomed(b *band, z *profile.Zoom, end int64) (sum float64) {
	for i, ns := range b.over(z.Stack) {
		next := end/z.BinNS + 1
		if i+1 < len(z.StackAt) {
			next = z.StackAt[i+1]
		}
		sum += ns * float64(next-z.StackAt[i])
	}
	return sum
}
