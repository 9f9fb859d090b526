package copies

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/analyzer/measure"
)

// TestHalve compares with sorting the whole list by comparing places.
func TestHalve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scale := rapid.IntRange(0, 50).Draw(t, "scale")
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) blockIO {
			at := rapid.Int64Range(0, 5000).Draw(t, "at") << scale
			n := rapid.Int64Range(1, 9).Draw(t, "n")
			return blockIO{measure.Extent{From: at, To: at + n}, n, rapid.Int64().Draw(t, "issued"), n}
		}), 2, 60).Draw(t, "blocks")
		slices.SortStableFunc(list[:rapid.IntRange(0, len(list)).Draw(t, "before")],
			func(a, b blockIO) int { return cmp.Compare(a.From, b.From) })
		want := slices.Clone(list)
		slices.SortStableFunc(want, func(a, b blockIO) int { return cmp.Compare(a.From, b.From) })
		var j joiner
		got := j.halve(list)
		if len(got) != len(want)/2 {
			t.Fatalf("%d blocks became %d", len(want), len(got))
		}
		for i, x := range got {
			a, b := want[2*i], want[2*i+1]
			pair := blockIO{measure.Extent{From: a.From, To: max(a.To, b.To)}, a.bytes + b.bytes, min(a.issued, b.issued),
				max(a.completed, b.completed)}
			if x != pair {
				t.Fatalf("block %d is %v, want %v joined with %v", i, x, a, b)
			}
		}
	})
}
