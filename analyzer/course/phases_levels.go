package course

import (
	"math"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/stats"
)

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
