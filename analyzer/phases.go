package analyzer

import (
	"math"

	"github.com/iotrace/iotrace/analyzer/stats"
)

// listPhases looks for steps in every curve of speed and explains what could
// have caused them.
func (a *analysis) listPhases(p *Profile) {
	p.Phases, p.ChangePoints = []Phase{}, []Step{}
	for _, s := range a.speeds.list {
		s.finish()
		if len(s.at) < minChunks || s.coarse*10 > s.total {
			continue // calls larger than chunks hide what happens within
		}
		levels := s.levels()
		rates, busy := s.rates(), s.busyRates()
		for i, l := range levels {
			p.Phases = append(p.Phases, s.phase(l, rates, busy))
			if i > 0 {
				p.ChangePoints = append(p.ChangePoints, s.step(levels[i-1], l, busy))
			}
		}
	}
	for i := range p.ChangePoints {
		a.explain(p, &p.ChangePoints[i])
	}
}

// tooNoisy is the standard deviation of the logarithm of the rate above which
// chunks are joined: work that comes in bursts, as under a rate limit, hides
// the level if a chunk is shorter than a burst.
const (
	tooNoisy     = .5
	fewestJoined = 16 // chunks that joining leaves
)

// levels finds the levels of the curve. Chunks are joined two by two until the
// noise is bearable, or too few would be left; what is found plays no part in
// that.
func (s *speed) levels() []stats.Level {
	for {
		c := stats.ChangePoints(s.rates(), stats.ChangeOptions{})
		if c.Noise.Sigma <= tooNoisy || len(s.at)/2 < fewestJoined {
			return c.Levels
		}
		s.join()
	}
}

// join makes the chunks twice as large.
func (s *speed) join() {
	s.chunk *= 2
	for _, m := range []*[]int64{&s.at, &s.busy, &s.ops, &s.direct} {
		half := (*m)[:0]
		for i := 1; i < len(*m); i += 2 {
			half = append(half, (*m)[i])
		}
		*m = half
	}
}

func (s *speed) phase(l stats.Level, rates, busy []float64) Phase {
	f := Phase{
		Series: s.name, Device: s.device, FromBytes: int64(l.From) * s.chunk, ToBytes: int64(l.To) * s.chunk,
		FromNS: s.first, ToNS: s.at[l.To-1], BytesPerS: whole(l.Median), BusyRate: whole(stats.Median(busy[l.From:l.To])),
		Chunk: s.chunk, Chunks: l.To - l.From,
	}
	if l.From > 0 {
		f.FromNS = s.at[l.From-1]
	}
	f.Modes = modes(rates[l.From:l.To])
	return f
}

// modes lists the modes of a sample that has several.
func modes(y []float64) []Mode {
	m := stats.Modes(y)
	if !m.Bimodal {
		return nil
	}
	var list []Mode
	for _, x := range m.Modes {
		list = append(list, Mode{whole(x.Median), x.Weight})
	}
	return list
}

// whole rounds a number for the profile; what is not finite becomes Unknown.
func whole(x float64) int64 {
	if math.IsNaN(x) || math.Abs(x) > math.MaxInt64/2 {
		return Unknown
	}
	return int64(math.Round(x))
}

func (s *speed) step(before, after stats.Level, busy []float64) Step {
	t := Step{
		Series: s.name, Device: s.device, AtBytes: int64(after.From) * s.chunk, AtNS: s.at[after.From-1],
		Before: whole(before.Median), After: whole(after.Median), Ratio: after.Ratio, P: after.P,
	}
	was, is := stats.Median(busy[before.From:before.To]), stats.Median(busy[after.From:after.To])
	t.sizeBefore, t.sizeAfter = s.size(before), s.size(after)
	t.directBefore, t.directAfter = s.directShare(before), s.directShare(after)
	t.DeviceToo = s.device != "" && was > 0 && (is/was < 1/1.15 && t.Ratio < 1 || is/was > 1.15 && t.Ratio > 1)
	return t
}
