package stats

import "math"

// Interval is a range that covers an unknown value with probability Level. The
// zero Interval means that no interval can be given: the sample is too small
// or not usable.
type Interval struct {
	Low   float64
	High  float64
	Level float64 // coverage, 0 < Level < 1: the one asked for, or the one achieved where a function says so
}

// Known reports whether the interval exists.
func (i Interval) Known() bool { return i.Level > 0 }

// Contains reports whether v lies in the interval, ends included. An interval
// that is not known contains nothing.
func (i Interval) Contains(v float64) bool { return i.Known() && i.Low <= v && v <= i.High }

// Estimate is a value with its uncertainty.
type Estimate struct {
	Value float64
	Interval
}

// noEstimate is the estimate of a sample that is not usable.
var noEstimate = Estimate{Value: nan}

var nan = math.NaN()
