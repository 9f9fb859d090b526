package compare

import (
	"cmp"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/sorting"
)

// A Rank is how close a workload is to patterns that declare the same values.
type Rank struct {
	Patterns   []string    `json:"patterns"` // in the order of the catalogue
	Title      string      `json:"title"`    // of the first
	Similarity *float64    `json:"similarity"`
	Different  []string    `json:"different"` // codes of the dimensions that differ
	Comparison *Comparison `json:"-"`
}

// Ranking orders the patterns by their similarity to a workload.
func Ranking(s *Side, patterns []baseline.Pattern) []Rank {
	var ranks []Rank
	for _, group := range Groups(patterns) {
		c := Compare(s, group[0])
		r := Rank{Title: group[0].About, Similarity: c.Similarity, Different: []string{}, Comparison: c}
		for _, p := range group {
			r.Patterns = append(r.Patterns, p.Name)
		}
		for _, d := range c.Different() {
			if !d.Outcome {
				r.Different = append(r.Different, d.Code)
			}
		}
		ranks = append(ranks, r)
	}
	order := func(r Rank) float64 {
		if r.Similarity == nil {
			return -1
		}
		return *r.Similarity
	}
	sorting.Stably(ranks, func(a, b Rank) int { return cmp.Compare(order(b), order(a)) })
	return ranks
}

// Groups joins patterns that declare the same: different tools, presets and
// versions of one test.
func Groups(patterns []baseline.Pattern) [][]*Side {
	var groups [][]*Side
next:
	for i := range patterns {
		s := FromPattern(&patterns[i])
		for g := range groups {
			if alike(groups[g][0], s) {
				groups[g] = append(groups[g], s)
				continue next
			}
		}
		groups = append(groups, []*Side{s})
	}
	return groups
}

// alike reports whether two patterns have no distance in any dimension.
func alike(a, b *Side) bool {
	for i := range kinds {
		x, y := &a.values[i], &b.values[i]
		if x.State != y.State {
			return false
		}
		if d, ok := distance(x, y, &kinds[i]); ok && d.all > 0 {
			return false
		}
	}
	return true
}
