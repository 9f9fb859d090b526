package compare

import (
	"cmp"
	"math"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// The states of a Value.
const (
	Known   = "known"
	None    = "none"    // known not to occur: no syncs, no requests
	Unknown = "unknown" // Reason says why
)

// A Value is what one side says about one dimension: a distribution of a
// quantity (Points) or shares of kinds (Shares).
type Value struct {
	State   string    `json:"state"`
	Reason  string    `json:"reason,omitempty"`
	Typical *float64  `json:"typical"`          // median of Points; depths and rates: mean; of Shares the first
	Points  []Point   `json:"points,omitempty"` // ascending; weights add up to 1
	Shares  []Share   `json:"shares,omitempty"` // they add up to 1
	Samples []float64 `json:"samples,omitempty"`

	runs []Value // that were pooled
}

// Point is a value and its share of the whole: of the bytes (sizes, runs), of
// the time (depths) or of the operations (times).
type Point struct {
	Value  float64 `json:"value"`
	Weight float64 `json:"weight"`
}

// Share is the share of one kind.
type Share struct {
	Kind  string  `json:"kind"`
	Share float64 `json:"share"`
}

func unknown(reason string) Value { return Value{State: Unknown, Reason: reason} }
func none(what string) Value      { return Value{State: None, Reason: what} }

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
// percentile of the profile lies is parted there, so that the quantiles of what
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

// value is what was gathered, or otherwise if that is nothing.
func (s spread) value(otherwise Value) Value {
	v := Value{State: Known}
	total := 0.0
	for value, weight := range s {
		v.Points = append(v.Points, Point{value, weight})
	}
	slices.SortFunc(v.Points, func(a, b Point) int { return cmp.Compare(a.Value, b.Value) })
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

// settle sets the typical value.
func (v *Value) settle(k *kind) {
	if v.State != Known {
		return
	}
	t := v.typical(k)
	v.Typical = &t
	if len(v.Samples) == 0 {
		v.Samples = []float64{t}
	}
}

func (v *Value) typical(k *kind) float64 {
	if len(v.Shares) > 0 {
		return v.Shares[0].Share
	}
	if k.mean {
		sum := 0.0
		for _, p := range v.Points {
			sum += p.Value * p.Weight
		}
		return sum
	}
	return v.quantile(0.5)
}

// quantile is the value that a share q of the weight does not exceed.
func (v *Value) quantile(q float64) float64 {
	seen := 0.0
	for _, p := range v.Points {
		if seen += p.Weight; seen >= q-1e-9 {
			return p.Value
		}
	}
	return v.Points[len(v.Points)-1].Value
}

// share of a kind; 0 if there is none of it.
func (v *Value) share(kind string) float64 {
	for _, s := range v.Shares {
		if s.Kind == kind {
			return s.Share
		}
	}
	return 0
}

// pool joins the values of several runs, each with the same weight.
func pool(values []Value, k *kind) Value {
	if len(values) == 1 {
		return values[0]
	}
	missing := 0
	for _, v := range values {
		switch v.State {
		case Unknown:
			return v
		case None:
			missing++
		}
	}
	if missing > 0 {
		if missing < len(values) {
			return unknown("some of the runs have it and some have not")
		}
		return values[0]
	}
	points, shares := spread{}, portions{}
	var samples []float64
	for _, v := range values {
		for _, p := range v.Points {
			points.add(p.Value, p.Weight)
		}
		for _, s := range v.Shares {
			shares = shares.plus(s)
		}
		samples = append(samples, v.typical(k))
	}
	v := points.value(Value{})
	if len(shares) > 0 {
		v = shares.value(Value{})
	}
	v.Samples, v.runs = samples, values
	return v
}

// quantiles are those of each run; of a side of one run, the one.
func (v *Value) quantiles(q float64) []float64 {
	if len(v.runs) == 0 {
		return []float64{v.quantile(q)}
	}
	all := make([]float64, len(v.runs))
	for i := range v.runs {
		all[i] = v.runs[i].quantile(q)
	}
	return all
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
