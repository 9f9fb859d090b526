package stats

// This file measures how much time is covered by spans that may overlap.

import (
	"cmp"
	"slices"
)

// Union is the time that at least one span covers; it sorts them by their starts.
func Union(spans [][2]int64) int64 {
	slices.SortFunc(spans, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	covered, until := int64(0), int64(0)
	for _, s := range spans {
		covered += max(s[1]-max(s[0], until), 0)
		until = max(until, s[1])
	}
	return covered
}

// Within is how much of the time from one moment to another is covered by spans that do not overlap and are in order.
func Within(spans [][2]int64, from, to int64) int64 {
	i, _ := slices.BinarySearchFunc(spans, from, func(s [2]int64, at int64) int { return cmp.Compare(s[1], at) })
	covered := int64(0)
	for ; i < len(spans) && spans[i][0] < to; i++ {
		covered += max(min(spans[i][1], to)-max(spans[i][0], from), 0)
	}
	return covered
}
