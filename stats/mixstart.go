package stats

import (
	"cmp"
	"math"
	"slices"
)

// maxPoints is the number of values above which a mixture is fitted to bins.
const maxPoints = 2048

// condense turns a sorted sample into points: one per value or, above
// maxPoints, one per bin at the mean of its values.
func condense(s []float64) []point {
	if len(s) <= maxPoints {
		return Points(s)
	}
	lo, width := s[0], s[len(s)-1]/maxPoints-s[0]/maxPoints
	if width <= 0 {
		return []point{{Value: s[0], Weight: float64(len(s))}}
	}
	pts := make([]point, 0, maxPoints)
	bin := -1
	for _, v := range s {
		if b := min(int((v-lo)/width), maxPoints-1); b != bin {
			bin = b
			pts = append(pts, point{})
		}
		p := &pts[len(pts)-1]
		p.Weight++
		p.Value += (v - p.Value) / p.Weight
	}
	return pts
}

// startingCuts returns the places at which to cut the sorted points into k
// groups to start EM from: equal weights, the widest gaps, and the greatest
// reduction of the squares about the means.
func startingCuts(pts []point, n float64, k int) [][]int {
	if k == 1 {
		return [][]int{nil}
	}
	if len(pts) < k {
		return nil
	}
	return [][]int{equalCuts(pts, n, k), gapCuts(pts, n, k), squareCuts(pts, k)}
}

func equalCuts(pts []point, n float64, k int) []int {
	var cuts []int
	sum := 0.0
	for i, p := range pts {
		if i > 0 && len(cuts) < k-1 && sum >= n*float64(len(cuts)+1)/float64(k) {
			cuts = append(cuts, i)
		}
		sum += p.Weight
	}
	return cuts
}

// gapCuts cuts at the widest gaps that leave minShare of the weight on both
// sides.
func gapCuts(pts []point, n float64, k int) []int {
	width := func(at int) float64 { return pts[at].Value - pts[at-1].Value }
	var gaps []int
	sum := 0.0
	for i, p := range pts {
		if i > 0 && sum >= minShare*n && sum <= (1-minShare)*n {
			gaps = append(gaps, i)
		}
		sum += p.Weight
	}
	slices.SortStableFunc(gaps, func(a, b int) int { return cmp.Compare(width(b), width(a)) })
	cuts := gaps[:min(k-1, len(gaps))]
	slices.Sort(cuts)
	return cuts
}

// squareCuts cuts where the squares about the means of the groups become least,
// greedily: first in two, then the group in two that gains most.
func squareCuts(pts []point, k int) []int {
	groups := [][2]int{{0, len(pts)}}
	for len(groups) < k {
		best, at, gain := -1, 0, 0.0
		for g, r := range groups {
			if i, d := bestSplit(pts[r[0]:r[1]]); d > gain {
				best, at, gain = g, r[0]+i, d
			}
		}
		if best < 0 {
			break
		}
		groups = slices.Insert(groups, best+1, [2]int{at, groups[best][1]})
		groups[best][1] = at
	}
	var cuts []int
	for _, g := range groups[1:] {
		cuts = append(cuts, g[0])
	}
	return cuts
}

// bestSplit returns where to split the points so that the squares between the
// two means are greatest, and these squares.
func bestSplit(pts []point) (at int, gain float64) {
	var n, mean float64
	for _, p := range pts {
		n += p.Weight
		mean += p.Weight / n * (p.Value - mean)
	}
	var w, m float64
	for i, p := range pts {
		if i > 0 {
			// w·(n−w)/n · (difference of the two means)²
			if d := (m - mean) * n / (n - w); w*(n-w)/n*d*d > gain {
				at, gain = i, w*(n-w)/n*d*d
			}
		}
		w += p.Weight
		m += p.Weight / w * (p.Value - m)
	}
	return at, gain
}

// startAt describes the groups between the cuts as components.
func startAt(pts []point, cuts []int) []component {
	var c []component
	total, first := 0.0, 0
	for _, end := range append(slices.Clone(cuts), len(pts)) {
		g := component{}
		squares := 0.0
		for _, p := range pts[first:end] {
			g.Weight += p.Weight
			d := p.Value - g.Mean
			g.Mean += p.Weight / g.Weight * d
			squares += p.Weight * d * (p.Value - g.Mean)
		}
		g.SD = max(minSpread, math.Sqrt(squares/g.Weight))
		c = append(c, g)
		total += g.Weight
		first = end
	}
	for i := range c {
		c[i].Weight /= total
	}
	return c
}
