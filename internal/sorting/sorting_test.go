package sorting

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// element is what is compared, and what tells equal ones apart.
type element struct {
	key   int
	which string
}

func byKey(a, b element) int { return cmp.Compare(a.key, b.key) }

// Any list becomes what slices makes of it.
func TestStably(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.IntRange(0, rapid.IntRange(0, 1000).Draw(t, "most")), 0, 300).Draw(t, "keys")
		var list []element
		for i, key := range keys {
			list = append(list, element{key, fmt.Sprint(i)})
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, byKey)
		if Stably(list, byKey); !slices.Equal(list, want) {
			t.Errorf("%v; want %v", list, want)
		}
	})
}

func BenchmarkStably(b *testing.B) { benchmark(b, Stably) }
func BenchmarkSlices(b *testing.B) { benchmark(b, slices.SortStableFunc) }

func benchmark(b *testing.B, sort func([]element, func(a, b element) int)) {
	for _, n := range []int{10, 1000, 100_000} {
		unsorted := make([]element, n)
		for i := range unsorted {
			unsorted[i].key = i * 7919 % 10007
		}
		list := make([]element, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				copy(list, unsorted)
				sort(list, byKey)
			}
		})
	}
}
