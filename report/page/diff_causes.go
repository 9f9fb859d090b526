package page

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/iotrace/iotrace/analyzer/compare"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/report/content"
)

// causeBar is what the time of a side was made of, as long as that was.
type causeBar struct {
	Name, Took, Width string // percent of the longest
	Parts             []barPart
}

// causeBars are the bars of both sides, one above the other on one scale; none if a side has no time.
func causeBars(c *compare.Comparison) (bars []causeBar) {
	longest := int64(1)
	total := func(s *compare.Side) (ns int64) {
		if s.Profile != nil {
			for _, x := range s.Profile.Verdict.Bar {
				ns += x.TimeNS
			}
		}
		return ns
	}
	sides := []*compare.Side{c.Subject, c.Reference}
	for _, s := range sides {
		if total(s) == 0 {
			return nil
		}
		longest = max(longest, total(s))
	}
	for _, s := range sides {
		b := causeBar{Name: content.SideName(s), Took: unit.Nanoseconds(total(s)),
			Width: strconv.FormatFloat(100*float64(total(s))/float64(longest), 'f', 3, 64)}
		var took []string
		for _, x := range s.Profile.Verdict.Bar {
			took = append(took, unit.Nanoseconds(x.TimeNS))
		}
		b.Parts = barParts(s.Profile, took)
		bars = append(bars, b)
	}
	return bars
}

// strongestFirst is a comparison whose dimensions stand in the order of how far apart the sides are.
func strongestFirst(c *compare.Comparison) *compare.Comparison {
	sorted := *c
	sorted.Dimensions = slices.Clone(c.Dimensions)
	far := func(d *compare.Dimension) float64 {
		if d.Distance == nil {
			return -1
		}
		return *d.Distance
	}
	sorting.Stably(sorted.Dimensions, func(a, b compare.Dimension) int { return cmp.Compare(far(&b), far(&a)) })
	return &sorted
}
