package measure

import (
	"maps"
	"slices"
)

func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Union appends what is not in a yet.
func Union(a, b []string) []string {
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}
