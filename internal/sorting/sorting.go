// Package sorting sorts lists of structs with little code of the program for each type. Of slices.SortFunc and its
// stable sibling the compiler makes another copy for each, 8 kB of code and tables; of a hundred types these were 1 MB.
package sorting

import "slices"

// Stably sorts a list; what compares as equal stays in its order. It is slices.SortStableFunc by numbers of elements:
// what is sorted is always a list of int, and the elements are moved once, when their places are known. It needs a word
// of memory an element. Lists of small elements that are sorted again and again, as events pass, are left to slices.
func Stably[S ~[]E, E any](list S, compare func(a, b E) int) {
	if len(list) < 2 {
		return
	}
	move(arrangement(len(list), func(i, j int) int { return compare(list[i], list[j]) }), list)
}

// arrangement tells for each place the number of the element that belongs there. It is sorted by a faster algorithm
// than a stable one: no two elements are equal where their numbers decide last.
func arrangement(n int, compare func(i, j int) int) []int {
	from := make([]int, n)
	for i := range from {
		from[i] = i
	}
	slices.SortFunc(from, func(i, j int) int {
		if c := compare(i, j); c != 0 {
			return c
		}
		return i - j
	})
	return from
}

// move puts the elements into their places, cycle by cycle. An arrangement that has been followed is none any more.
func move[E any](from []int, list []E) {
	for start := range from {
		if from[start] == start {
			continue
		}
		first, at := list[start], start
		for from[at] != start {
			next := from[at]
			list[at], from[at] = list[next], at
			at = next
		}
		list[at], from[at] = first, at
	}
}
