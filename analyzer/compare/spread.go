package compare

import (
	"cmp"
	"math"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/sorting"
)

// spread gathers weighted values.
type spread map[float64]float64

func (s spread) add(value, weight float64) {
	if weight > 0 && !math.IsInf(weight, 0) && !math.IsNaN(value) {
		s[value] += weight
	}
}

// sizes adds a distribution of sizes, each with the weight of its bytes. Values are
// exact where the profile lists them, and otherwise the middles of their bins, a
// quarter of a doubling wide.
func (s spread) sizes(d *profile.Dist) {
	for _, b := range d.Bins {
		rest := b.Count
		for _, t := range d.Top {
			if n := min(t.Count, rest); t.Value >= b.From && t.Value < b.To && n > 0 {
				s.add(float64(t.Value), float64(t.Value)*float64(n))
				rest -= n
			}
		}
		middle := float64(b.From+b.To-1) / 2
		middle = min(max(middle, float64(d.Min)), float64(d.Max))
		s.add(middle, middle*float64(rest))
	}
}

// times adds a distribution of durations, one weight for each. A bin in which a
// percentile of the profile lies is split there, so that the quantiles of what
// was gathered are those of the profile (within 1.6 %), not the middles of bins.
func (s spread) times(d *profile.Dist) {
	marks := []struct {
		share float64
		value int64
	}{{0.1, d.P10}, {0.5, d.P50}, {0.9, d.P90}, {0.99, d.P99}, {0.999, d.P999}}
	var below int64
	for _, b := range d.Bins {
		from, rest := max(b.From, d.Min), b.Count
		for _, m := range marks {
			n := int64(math.Ceil(m.share*float64(d.Count))) - below
			if m.value < b.From || m.value >= b.To || n <= 0 || n > rest {
				continue
			}
			s.add(float64(m.value), float64(n))
			below, rest, from = below+n, rest-n, m.value
		}
		s.add(max(float64(from), float64(min(b.To-1, d.Max)+from)/2), float64(rest))
		below += rest
	}
}

// quantiles adds a distribution of which only quantiles are known: between two
// of them the logarithms are taken to be spread evenly, in steps of a quarter
// of a doubling.
func (s spread) quantiles(l baseline.Latency) {
	if l.N == 0 {
		return
	}
	edges := []Point{{float64(l.Min), 0}, {float64(l.P50), 0.5}, {float64(l.P90), 0.9}, {float64(l.P99), 0.99},
		{float64(l.P999), 0.999}, {float64(l.Max), 1}}
	for i := 1; i < len(edges); i++ {
		low, high := math.Max(edges[i-1].Value, 1), math.Max(edges[i].Value, 1)
		weight := (edges[i].Weight - edges[i-1].Weight) * float64(l.N)
		parts := max(1, math.Ceil(math.Log2(high/low)*4))
		for k := 1.0; k <= parts; k++ {
			s.add(low*math.Pow(high/low, k/parts), weight/parts)
		}
	}
}

// value is what was gathered, or otherwise if that is nothing.
func (s spread) value(otherwise Value) Value {
	v := Value{State: Known}
	total := 0.0
	for value, weight := range s {
		v.Points = append(v.Points, Point{value, weight})
	}
	sorting.Stably(v.Points, func(a, b Point) int { return cmp.Compare(a.Value, b.Value) })
	for _, p := range v.Points { // in order: the same sum every time
		total += p.Weight
	}
	if total <= 0 {
		return otherwise
	}
	for i := range v.Points {
		v.Points[i].Weight /= total
	}
	return v
}

// portions are shares of named kinds.
type portions []Share

func (p portions) value(otherwise Value) Value {
	total := 0.0
	for _, s := range p {
		total += s.Share
	}
	if !(total > 0) {
		return otherwise
	}
	v := Value{State: Known}
	for _, s := range p {
		v.Shares = append(v.Shares, Share{s.Kind, s.Share / total})
	}
	return v
}

func (p portions) plus(s Share) portions {
	for i := range p {
		if p[i].Kind == s.Kind {
			p[i].Share += s.Share
			return p
		}
	}
	return append(p, s)
}
