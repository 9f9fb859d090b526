package baseline

import (
	"math"
	"time"
)

// Plan says what a run is about to do to each place.
type Plan struct {
	Places   []PlacePlan
	Duration time.Duration // estimated by trials; 0 without them
	// DropsCaches: the page cache of the whole system is emptied before some steps.
	DropsCaches bool
}

// PlacePlan is the plan for one place.
type PlacePlan struct {
	Place   Place
	Space   int64         // bytes of files there at once
	Writes  int64         // bytes that will be written, as far as bounded by bytes
	Writing time.Duration // time of writing that is bounded by time only
	Removed int           // files of a former run that died, removed already
}

// assumedRate is taken for the time of work bounded by bytes, before anything
// has been measured: bytes per second.
const assumedRate = 500e6

// Spare is the space that must stay free: 64 MiB, or 2 % of what is written.
func Spare(need int64) int64 { return max(64*mib, need/50) }

// space is the most bytes of files that the patterns need at once.
func space(patterns []Pattern) int64 {
	var most int64
	for _, p := range patterns {
		var fixed, fresh int64
		for _, s := range p.Steps {
			switch {
			case p.Target == TargetDevice:
			case s.Files != nil:
				fresh = max(fresh, s.Files.Bytes())
			case s.Op == Copy:
				fixed, fresh = max(fixed, s.FileSize), max(fresh, s.FileSize)
			case s.Fresh:
				fresh = max(fresh, s.FileSize)
			default:
				fixed = max(fixed, s.FileSize)
			}
		}
		most = max(most, fixed+fresh)
	}
	return most
}

// written is what a step writes: bytes, or time where only time bounds it.
func (s Step) written(span int64) (bytes int64, timed time.Duration) {
	if !s.Writes() {
		return 0, 0
	}
	moved, timed := s.Moves(span)
	if s.Op == Mixed {
		share := float64(100-s.ReadShare) / 100
		return int64(float64(moved) * share), time.Duration(float64(timed) * share)
	}
	return moved, timed
}

// Moves is the bytes of the step in both directions; timed if nothing but time
// bounds them.
func (s Step) Moves(span int64) (bytes int64, timed time.Duration) {
	switch {
	case s.Files != nil:
		return s.Files.Bytes(), 0
	case s.Limit.Bytes > 0:
		return s.Limit.Bytes * int64(s.Threads), 0
	case s.Burst != nil && s.Burst.Count > 0:
		return s.Burst.Bytes * int64(s.Burst.Count) * int64(s.Threads), 0
	case s.Limit.Time > 0:
		return 0, s.Limit.Time
	case s.Access == Shared:
		return span, 0
	}
	return span * int64(s.Threads), 0
}

// Lasts estimates the time of a step, pauses included.
func (s Step) Lasts(span int64) time.Duration {
	moved, timed := s.Moves(span)
	d := timed
	if moved > 0 {
		d = time.Duration(float64(moved) / assumedRate * float64(time.Second))
		if s.Op == Copy {
			d *= 2
		}
		if s.Limit.Time > 0 {
			d = min(d, s.Limit.Time)
		}
	}
	if s.Burst != nil {
		d = time.Duration(float64(d) / s.Burst.Duty)
	}
	return d + s.Idle
}

// PlanOf adds up what patterns do in one place.
func PlanOf(patterns []Pattern, place Place) PlacePlan {
	p := PlacePlan{Place: place, Space: space(patterns)}
	var ready Prepared
	for _, pattern := range patterns {
		for _, s := range pattern.Before {
			bytes, _ := s.written(s.Span(place.SizeBytes))
			p.Writes += bytes
		}
		if want, ok := pattern.Prepared(); ok && want != ready {
			p.Writes += want.Size
			ready = want
		}
		for _, s := range pattern.Steps {
			bytes, timed := s.written(s.Span(place.SizeBytes))
			n := int64(pattern.Rounds())
			p.Writes = saturate(p.Writes, bytes, n)
			p.Writing += timed * time.Duration(n)
		}
	}
	return p
}

// saturate is sum + each·n, or the largest number there is.
func saturate(sum, each, n int64) int64 {
	if each > 0 && n > (math.MaxInt64-sum)/each {
		return math.MaxInt64
	}
	return sum + each*n
}
