package unit

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// Shares prints parts of a whole, in whole percents that add up to 100: the first is rounded as it would be alone, and
// of the others those that rounding down would shorten most are rounded up. Parts that are not all of it are printed as
// Share does.
func Shares(parts []float64) []string {
	texts := make([]string, len(parts))
	sum := 0.0
	for i, part := range parts {
		sum += part
		texts[i] = Share(part)
	}
	if len(parts) == 0 || slices.Min(parts) < 0 || !(math.Abs(sum-1) < 1e-6) {
		return texts
	}
	for i, n := range percents(parts) {
		switch {
		case n == 0 && parts[i] > 0:
			texts[i] = "<1 %"
		case n == 100 && parts[i] < 1:
			texts[i] = ">99 %"
		default:
			texts[i] = strconv.Itoa(n) + " %"
		}
	}
	return texts
}

// percents are those of parts that add up to 1.
func percents(parts []float64) []int {
	list := make([]int, len(parts))
	list[0] = int(math.Round(100 * parts[0]))
	left := 100 - list[0]
	var order []int // of the others, the largest remainder first
	for i := 1; i < len(parts); i++ {
		list[i] = int(100 * parts[i])
		left -= list[i]
		order = append(order, i)
	}
	rest := func(i int) float64 { return 100*parts[i] - float64(list[i]) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rest(b), rest(a)) })
	for _, i := range order[:max(min(left, len(order)), 0)] {
		list[i]++
	}
	return list
}
