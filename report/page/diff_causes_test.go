package page

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/compare"
	"github.com/iotrace/iotrace/analyzer/profile"
)

// Both sides have a bar on one scale, whose parts are their causes; how long it took stands before all else.
func TestCausesOfBothSides(t *testing.T) {
	side := func(name string, ns int64) *compare.Side {
		p := &profile.Profile{Command: []string{"cp"}, WallNS: ns, DurableNS: ns}
		p.Verdict.Bar = []profile.BarPart{{Code: "sync", Name: "sync", TimeNS: ns / 4, Share: 0.25},
			{Name: "other", TimeNS: ns - ns/4, Share: 0.75}}
		return compare.FromProfile(name, p)
	}
	c := compare.Compare(side("a", 4e9), side("b", 1e9))
	bars := causeBars(c)
	widths := map[string]string{}
	for _, b := range bars {
		widths[b.Took] = b.Width
		if len(b.Parts) != 2 || b.Parts[0].Color != "stack-sync" || b.Parts[1].Color != "rest" {
			t.Errorf("%+v", b)
		}
	}
	if widths["4.00 s"] != "100.000" || widths["1.00 s"] != "25.000" {
		t.Errorf("the bars are %v wide", widths)
	}
	results := newDiffPair(c, 0).Effects[0]
	if results.Title != "Results" || !strings.HasPrefix(results.Lines[0], "wall time") {
		t.Errorf("%+v stands first", results)
	}
}
