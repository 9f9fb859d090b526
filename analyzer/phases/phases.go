// Package phases finds the steps in the speed of calls and devices, and weighs what
// may have caused them.
package phases

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/stats"
)

// Collector follows the speed of calls and devices.
type Collector struct {
	speeds *speeds
	trend  *measure.Trend
	curves bool // the profile has them, too
}

// New divides the recording into at most n bins of time for what
// an explanation needs.
func New(s *survey.Survey, n int, end int64, curves bool) *Collector {
	return &Collector{newSpeeds(s), measure.NewTrend(n, end), curves}
}

// Data adds data moved to or from files that hold data.
func (a *Collector) Data(x *world.Access) {
	if x.Reads {
		a.speeds.read.add(x.Start, x.End, x.Bytes, x.Direct())
	}
	if x.Writes {
		a.speeds.write.add(x.Start, x.End, x.Bytes, x.Direct())
	}
}

// Request adds a request.
func (a *Collector) Request(e *world.Request) {
	if e.Ours {
		a.speeds.request(e)
		return
	}
	a.trend.Foreign[a.trend.At(e.Completed)] += e.Bytes
}

// Label adds a stretch of the time stack.
func (a *Collector) Label(l timeline.Label, from, to int64) { a.trend.Label(l, from, to) }

// Finish looks for steps in every curve of speed and explains what could have
// caused them.
func (a *Collector) Finish(p *profile.Profile) {
	p.Phases, p.ChangePoints = []profile.Phase{}, []profile.Step{}
	var changes []change
	for _, s := range a.speeds.list {
		s.finish()
		levels := s.levels()
		rates, busy := s.rates(), s.busyRates()
		for i, l := range levels {
			p.Phases = append(p.Phases, s.phase(l, rates, busy))
			if i > 0 {
				step, c := s.step(levels[i-1], l, busy)
				p.ChangePoints, changes = append(p.ChangePoints, step), append(changes, c)
			}
		}
	}
	for i := range p.ChangePoints {
		a.explain(p, changes, i)
	}
	if a.curves {
		p.Charts = &profile.Charts{}
		for _, s := range a.speeds.list {
			if len(s.ends) > 0 {
				p.Charts.Rates = append(p.Charts.Rates, s.profile())
			}
		}
	}
}

func (s *speed) phase(l stats.Level, rates, busy []float64) profile.Phase {
	f := profile.Phase{
		Series: s.name, Device: s.device, FromBytes: int64(l.From) * s.chunk, ToBytes: int64(l.To) * s.chunk,
		FromNS: s.from(l.From).at, ToNS: s.ends[l.To-1].at, BytesPerS: measure.Whole(l.Median), BusyRate: measure.Whole(stats.Median(busy[l.From:l.To])),
		Chunk: s.chunk, Chunks: l.To - l.From,
	}
	f.Modes = measure.Modes(rates[l.From:l.To])
	return f
}

// change is what is known of a step beyond what the profile says.
type change struct {
	sizeBefore, sizeAfter     int64   // mean of operations
	directBefore, directAfter float64 // share past the page cache
	idle                      float64 // share of the time after it with none in flight
}

func (s *speed) step(before, after stats.Level, busy []float64) (profile.Step, change) {
	t := profile.Step{
		Series: s.name, Device: s.device, AtBytes: int64(after.From) * s.chunk, AtNS: s.from(after.From).at,
		Before: measure.Whole(before.Median), After: measure.Whole(after.Median), Ratio: after.Ratio, P: after.P,
	}
	was, is := stats.Median(busy[before.From:before.To]), stats.Median(busy[after.From:after.To])
	t.DeviceToo = s.device != "" && slowed(t.Before, t.After, was, is)
	return t, change{s.size(before), s.size(after), s.directShare(before), s.directShare(after), s.idle(after)}
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
