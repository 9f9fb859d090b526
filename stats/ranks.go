package stats

import (
	"cmp"
	"slices"
)

// ranking is what rank tests need to know about two samples put together.
type ranking struct {
	rankSum float64 // of the first sample, ties sharing their mean rank
	ties    float64 // Σ (t³ − t) over groups of t equal values
}

// rank ranks two usable samples together.
func rank(a, b []float64) ranking {
	type value struct {
		v     float64
		first bool
	}
	all := make([]value, 0, len(a)+len(b))
	for _, v := range a {
		all = append(all, value{v, true})
	}
	for _, v := range b {
		all = append(all, value{v, false})
	}
	slices.SortFunc(all, func(p, q value) int { return cmp.Compare(p.v, q.v) })

	var r ranking
	for i := 0; i < len(all); {
		j := i
		ofFirst := 0
		for ; j < len(all) && all[j].v == all[i].v; j++ {
			if all[j].first {
				ofFirst++
			}
		}
		t := float64(j - i)
		r.rankSum += float64(ofFirst) * (float64(i+j) + 1) / 2
		r.ties += t*t*t - t
		i = j
	}
	return r
}

// u is the Mann–Whitney statistic of the first sample, of size n: the number
// of pairs in which it has the larger value, ties counting one half.
func (r ranking) u(n int) float64 {
	return r.rankSum - float64(n)*float64(n+1)/2
}
