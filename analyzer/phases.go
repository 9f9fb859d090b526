package analyzer

import (
	"math"

	"github.com/iotrace/iotrace/stats"
)

// listPhases looks for steps in every curve of speed and explains what could
// have caused them.
func (a *analysis) listPhases(p *Profile) {
	p.Phases, p.ChangePoints = []Phase{}, []Step{}
	for _, s := range a.speeds.list {
		s.finish()
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

func (s *speed) phase(l stats.Level, rates, busy []float64) Phase {
	f := Phase{
		Series: s.name, Device: s.device, FromBytes: int64(l.From) * s.chunk, ToBytes: int64(l.To) * s.chunk,
		FromNS: s.from(l.From).at, ToNS: s.ends[l.To-1].at, BytesPerS: whole(l.Median), BusyRate: whole(stats.Median(busy[l.From:l.To])),
		Chunk: s.chunk, Chunks: l.To - l.From,
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
		Series: s.name, Device: s.device, AtBytes: int64(after.From) * s.chunk, AtNS: s.from(after.From).at,
		Before: whole(before.Median), After: whole(after.Median), Ratio: after.Ratio, P: after.P,
	}
	was, is := stats.Median(busy[before.From:before.To]), stats.Median(busy[after.From:after.To])
	t.sizeBefore, t.sizeAfter = s.size(before), s.size(after)
	t.idle = s.idle(after)
	t.directBefore, t.directAfter = s.directShare(before), s.directShare(after)
	t.DeviceToo = s.device != "" && slowed(t.Before, t.After, was, is)
	return t
}

// slowed reports whether a device became slower, or faster: at least half of
// the change in the time per byte is in the time in which it was busy. What an
// idle device does in its few busy moments explains nothing.
func slowed(before, after int64, busyBefore, busyAfter float64) bool {
	if before <= 0 || after <= 0 || !(busyBefore > 0) || !(busyAfter > 0) {
		return false
	}
	change := 1/float64(after) - 1/float64(before)
	return (1/busyAfter-1/busyBefore)/change >= .5
}
