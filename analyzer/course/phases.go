package course

import (
	"fmt"
	"math"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/stats"
)

// Phases follows the speed of calls and devices.
type Phases struct {
	speeds *speeds
	trend  *measure.Trend
	curves bool // the profile has them, too
}

// NewPhases divides the recording into at most n bins of time for what
// the time was spent on.
func NewPhases(s *survey.Survey, n int, end int64, curves bool) *Phases {
	return &Phases{newSpeeds(s), measure.NewTrend(n, end), curves}
}

// Data adds data moved to or from files that hold data.
func (a *Phases) Data(x *world.Access) {
	if x.Reads {
		a.speeds.read.add(x.Start, x.End, x.Bytes, x.Direct())
	}
	if x.Writes {
		a.speeds.write.add(x.Start, x.End, x.Bytes, x.Direct())
	}
}

// Request adds a request.
func (a *Phases) Request(e *world.Request) {
	if e.Ours {
		a.speeds.request(e)
		return
	}
	a.trend.Foreign[a.trend.At(e.Completed)] += e.Bytes
}

// Label adds a stretch of the time stack.
func (a *Phases) Label(k timeline.Kind, from, to int64) {
	a.trend.Label(timeline.Kind(k.Label()), from, to)
}

// Finish looks for steps in every curve of speed.
func (a *Phases) Finish(p *profile.Profile) {
	p.Phases, p.ChangePoints = []profile.Phase{}, []profile.Step{}
	var curves []profile.Rates
	processors, joined := newProcessors(a.trend, p), 0
	for _, s := range a.speeds.list {
		s.finish()
		c := newChunks(s)
		levels, n := processors.join(c.levels())
		joined += n
		for i := range levels {
			p.Phases = append(p.Phases, levels[i].phase())
			if i > 0 {
				p.ChangePoints = append(p.ChangePoints, a.step(p, &levels[i-1], &levels[i]))
			}
		}
		if len(c.ends) > 0 {
			curves = append(curves, c.profile())
		}
	}
	processors.tell(p, joined)
	alongside(p)
	if a.curves {
		p.Charts = &profile.Charts{Rates: curves}
	}
}

const (
	// setNear is how far from a step the limit was seen first that made it: a step is where a chunk of bytes ends, and
	// recorders look every 0.1 s.
	setNear = 500_000_000 // ns
	// atFirst is how late one may be seen that held from the beginning.
	atFirst = 200_000_000 // ns
)

// lowered says which limit of a control group was set or lowered about when the rate fell, "" if none is known. One
// that the group had from the beginning was not.
func lowered(p *profile.Profile, s *profile.Step) (text string) {
	if s.Ratio >= 1 {
		return ""
	}
	type place struct{ group, device string }
	latest := map[place]profile.IOLimit{}
	for _, l := range p.Trace.IOLimits {
		at := place{l.Group, l.Device}
		before, known := latest[at]
		latest[at] = l
		if s.Device != "" && s.Device != l.Device || l.FromNS < s.AtNS-setNear || l.FromNS > s.AtNS+setNear ||
			!known && l.FromNS <= p.StartNS+atFirst {
			continue
		}
		if limit := tighter(&before, &l); limit != "" {
			text = fmt.Sprintf("Its cgroup %s let it %s at %s from about then on", l.Group, limit, l.Device)
		}
	}
	return text
}

// tighter says which number of a limit is lower than before, "" if none is.
func tighter(before, now *profile.IOLimit) string {
	for _, limit := range wording.IOLimits() {
		if was, is := limit.Of(before), limit.Of(now); is > 0 && (was == 0 || is < was) {
			return limit.Verb + " " + limit.Text(is)
		}
	}
	return ""
}

// level is a stretch of a curve with one speed.
type level struct {
	stats.Level
	curve       *speed
	chunk       int64 // bytes
	begin, end  mark
	rates, busy []float64 // of its chunks: all the time, and that with an operation in flight
}

func (l *level) bytes() int64 { return int64(l.To-l.From) * l.chunk }

// directShare is the part that went past the page cache.
func (l *level) directShare() float64 {
	return float64(l.end.direct-l.begin.direct) / float64(l.bytes())
}

// size is the mean size of the operations.
func (l *level) size() int64 { return l.bytes() / max(l.end.ops-l.begin.ops, 1) }

func (l *level) phase() profile.Phase {
	return profile.Phase{
		Series: l.curve.name, Device: l.curve.device, FromBytes: int64(l.From) * l.chunk, ToBytes: int64(l.To) * l.chunk,
		FromNS: l.begin.at, ToNS: l.end.at, BytesPerS: measure.Whole(l.Median), BusyRate: measure.Whole(stats.Median(l.busy)),
		Chunk: l.chunk, Chunks: l.To - l.From, Operation: l.size(), Modes: measure.Modes(l.rates),
	}
}

// between is the step from one level to the next.
func between(before, after *level) profile.Step {
	s := profile.Step{
		Series: after.curve.name, Device: after.curve.device, AtBytes: int64(after.From) * after.chunk, AtNS: after.begin.at,
		Before: measure.Whole(before.Median), After: measure.Whole(after.Median), Ratio: after.Ratio, P: after.P,
	}
	was, is := stats.Median(before.busy), stats.Median(after.busy)
	s.DeviceToo = s.Device != "" && slowed(s.Before, s.After, was, is)
	return s
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

// placeSteps finds the beginnings of levels anew, in rates in which a pause counts
// for the burst that waited: where squares about the levels on both sides are
// least, up to one burst later. A limit that changes changes the next pause, not
// the last one.
func placeSteps(levels []stats.Level, rates []float64) {
	for i := 1; i < len(levels); i++ {
		before, after := &levels[i-1], &levels[i]
		low, high := math.Log(before.Median), math.Log(after.Median)
		best, sum, at := 0.0, 0.0, after.From
		for k := after.From; k < min(after.From+burstChunks, after.To-1); k++ {
			z := math.Log(rates[k])
			sum += (z-low)*(z-low) - (z-high)*(z-high) // of moving chunk k to the level before
			if sum < best {
				best, at = sum, k+1
			}
		}
		before.To, after.From = at, at
	}
}
