package compare

import (
	"math"

	"github.com/iotrace/iotrace/stats"
)

// distances are those between two known values.
type distances struct {
	all, js, w1 float64
	doublings   float64 // NaN for shares
}

// distance compares two values; ok is false if one is not known. Something and
// nothing are as far apart as can be.
func distance(a, b *Value, k *kind) (d distances, ok bool) {
	switch {
	case a.State == Unknown || b.State == Unknown:
		return d, false
	case a.State == None && b.State == None:
		return distances{doublings: math.NaN()}, true
	case a.State == None || b.State == None:
		return distances{all: 1, js: 1, w1: math.NaN(), doublings: math.NaN()}, true
	case len(a.Shares) > 0:
		return shareDistance(a, b), true
	}
	return pointDistance(a.Points, b.Points, k), true
}

// shareDistance of two sets of shares: half the Jensen-Shannon divergence, half
// the share that would have to change its kind.
func shareDistance(a, b *Value) distances {
	var p, q []float64
	moved := 0.0
	add := func(x, y float64) {
		p, q = append(p, x), append(q, y)
		moved += math.Abs(x-y) / 2
	}
	for _, s := range a.Shares {
		add(s.Share, b.share(s.Kind))
	}
	for _, s := range b.Shares {
		if !hasKind(a, s.Kind) {
			add(0, s.Share)
		}
	}
	js := stats.JensenShannon(p, q) / math.Ln2
	return distances{all: bounded((js + moved) / 2), js: js, w1: moved, doublings: math.NaN()}
}

func hasKind(v *Value, kind string) bool {
	for _, s := range v.Shares {
		if s.Kind == kind {
			return true
		}
	}
	return false
}

// pointDistance of two distributions: half the Jensen-Shannon divergence over
// bins of a doubling, which tells how much of them differs, half the number of
// doublings by which they are shifted, which tells how far.
func pointDistance(a, b []Point, k *kind) distances {
	la, lb := logs(a, k), logs(b, k)
	d := distances{
		js:        stats.JensenShannon(bins(la), bins(lb)) / math.Ln2,
		w1:        earth(a, b),
		doublings: earth(la, lb),
	}
	d.all = bounded((d.js + math.Min(1, d.doublings/k.span)) / 2)
	return d
}

func bounded(d float64) float64 { return math.Min(1, math.Max(0, d)) }

// earth is the Wasserstein-1 distance of two short lists.
func earth(a, b []Point) float64 {
	pv, pw := columns(a)
	qv, qw := columns(b)
	return stats.EarthMover(pv, pw, qv, qw)
}

func columns(points []Point) (values, weights []float64) {
	for _, p := range points {
		values, weights = append(values, p.Value), append(weights, p.Weight)
	}
	return values, weights
}

// logs are the base-2 logarithms of the values, within the limits of the kind.
func logs(points []Point, k *kind) []Point {
	out := make([]Point, len(points))
	for i, p := range points {
		out[i] = Point{math.Log2(math.Min(math.Max(p.Value, k.floor), k.limit) / k.floor), p.Weight}
	}
	return out
}

// bins are one doubling wide. A value between two bin centres counts for both
// in proportion (linear binning: Wand and Jones, Kernel Smoothing, 1995), so
// that a small shift across an edge is a small distance.
func bins(logs []Point) []float64 {
	bins := make([]float64, 66)
	for _, p := range logs {
		low := math.Floor(p.Value)
		bins[int(low)] += p.Weight * (1 - (p.Value - low))
		bins[int(low)+1] += p.Weight * (p.Value - low)
	}
	return bins
}
