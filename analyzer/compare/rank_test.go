package compare

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/baseline"
)

// Each pattern of the catalogue, turned into a workload that does what it
// declares, ranks itself first among all of them. Patterns that declare the
// same share their rank.
func TestEachPatternRanksItselfFirst(t *testing.T) {
	catalogue := baseline.Catalogue()
	groups := Groups(catalogue)
	byName := map[string]*baseline.Pattern{}
	for i := range catalogue {
		byName[catalogue[i].Name] = &catalogue[i]
	}
	first, all := 0, 0
	for _, g := range groups {
		p := synthesize(t, byName[g[0].Name]).profile()
		ranks := Ranking(FromProfile("trace", p), catalogue)
		all += len(g)
		if slices.Contains(ranks[0].Patterns, g[0].Name) {
			first += len(g)
			continue
		}
		at := slices.IndexFunc(ranks, func(r Rank) bool { return slices.Contains(r.Patterns, g[0].Name) })
		t.Logf("%s (%d alike) is number %d with %.3f, behind %s with %.3f", g[0].Name, len(g), at+1, *ranks[at].Similarity,
			ranks[0].Patterns[0], *ranks[0].Similarity)
		for i, d := range ranks[at].Comparison.Dimensions {
			if d.Distance != nil && *d.Distance > 0.01 {
				t.Logf("   %s %.3f: %s | winner %.3f", d.Code, *d.Distance, d.Effect, *ranks[0].Comparison.Dimensions[i].Distance)
			}
		}
	}
	t.Logf("%d of %d patterns in %d groups rank themselves first", first, all, len(groups))
	if first*100 < all*95 {
		t.Errorf("only %d of %d", first, all)
	}
}
