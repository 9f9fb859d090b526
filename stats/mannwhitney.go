package stats

import "math"

// uTest is the result of a Mann–Whitney test.
type uTest struct {
	U     float64 // pairs in which the value of the first sample is larger, ties counting one half
	P     float64 // two-sided
	Exact bool    // P is exact, not from the normal approximation
}

// exactRanks is the size of both samples together up to which MannWhitney
// counts arrangements. All counts are then below 2⁵³ (there are 1.3e14).
const exactRanks = 50

// MannWhitney tests whether two independent samples come from one distribution
// against one being shifted (Mann and Whitney, Annals of Mathematical
// Statistics 18, 1947).
//
// Without ties and with at most 50 values in all, P is exact. Otherwise it
// comes from the normal approximation with tie and continuity correction,
// which is good from about 8 values a side. Four against four is the least
// that can reach P < 0.05. P is NaN if a sample is not usable.
//
// With thousands of values any difference is significant: look at A12 then.
func MannWhitney(a, b []float64) uTest {
	if !usable(a) || !usable(b) {
		return uTest{U: nan, P: nan}
	}
	r := rank(a, b)
	u := r.u(len(a))
	if r.ties == 0 && len(a)+len(b) <= exactRanks {
		return uTest{U: u, P: exactU(len(a), len(b), u), Exact: true}
	}
	n, m := float64(len(a)), float64(len(b))
	all := n + m
	variance := n * m / 12 * (all + 1 - r.ties/(all*(all-1)))
	if variance <= 0 { // all values are equal
		return uTest{U: u, P: 1}
	}
	z := (math.Abs(u-n*m/2) - 0.5) / math.Sqrt(variance)
	return uTest{U: u, P: math.Min(1, 2*normalSurvival(math.Max(z, 0)))}
}

// exactU is the two-sided probability of a statistic as extreme as u when n
// of n+m ranks are drawn at random.
func exactU(n, m int, u float64) float64 {
	// ways[k][s]: choices of k ranks that are s above the smallest possible sum.
	ways := make([][]float64, n+1)
	for k := range ways {
		ways[k] = make([]float64, n*m+1)
	}
	ways[0][0] = 1
	for r := range n + m { // rank r from 0; as the k-th chosen it adds r−(k−1)
		for k := min(n, r+1); k >= 1; k-- {
			shift := r - (k - 1)
			for s := n * m; s >= shift; s-- {
				ways[k][s] += ways[k-1][s-shift]
			}
		}
	}
	extreme, total := 0.0, 0.0
	tail := int(math.Min(u, float64(n*m)-u))
	for s, w := range ways[n] {
		total += w
		if s <= tail {
			extreme += w
		}
	}
	return math.Min(1, 2*extreme/total)
}
