package generator

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
)

// courseOf finds the levels of what was written in parts, one after the other, and where its rate fell for good.
func courseOf(parts []baseline.FileTime) ([]baseline.Level, *baseline.Onset) {
	p := &baseline.Pass{}
	var ns int64
	for _, part := range parts {
		p.Files = append(p.Files, baseline.SustainedFile{StartNS: ns, ActiveNS: part.NS, Bytes: part.Bytes,
			Rate: baseline.PerSecond(part.Bytes, part.NS)})
		ns += part.NS
	}
	find(p)
	return p.Levels, p.Onset
}

// find looks for the levels of the pass.
func find(p *baseline.Pass) {
	all := make([]chunk, len(p.Files))
	var bytes int64
	for i, f := range p.Files {
		bytes += f.Bytes
		all[i] = chunk{Bytes: bytes, NS: f.StartNS + f.ActiveNS, Rate: float64(f.Rate)}
	}
	p.Levels = levelsOf(all)
	p.Onset = onset(p)
}

// lastingFall is the least factor between the rates before and after an onset. File systems and drives wander
// by a fifth for seconds; drives that throttle lose a quarter at least, and rarely less than half.
const lastingFall = 1.25

// leastSlow is how long a pass must be slow until its end: other use of the machine also slows a device down by a
// quarter, for tenths of a second. A pass that ends sooner has not shown that it lasts.
const leastSlow = time.Second

// onset is the deepest fall that lasts: no later level comes back to within lastingFall of the one before it. A
// short dip and a slow decline are in the levels, and are no onset.
func onset(p *baseline.Pass) *baseline.Onset {
	var found *baseline.Onset
	depth, after := lastingFall, int64(0) // after: the fastest level from here to the end
	for i := len(p.Levels) - 1; i > 0; i-- {
		before, l := p.Levels[i-1], p.Levels[i]
		after = max(after, l.Rate)
		if lastNS(p)-l.FromNS < leastSlow.Nanoseconds() {
			continue
		}
		if fall := float64(before.Rate) / float64(max(after, 1)); fall >= depth {
			depth = fall
			found = &baseline.Onset{Bytes: l.FromBytes, NS: l.FromNS, Before: before.Rate, After: l.Rate,
				MilliCelsius: temperatureAt(p, l.FromNS)}
		}
	}
	return found
}

// lastNS is when the last file was written.
func lastNS(p *baseline.Pass) int64 {
	if len(p.Files) == 0 {
		return 0
	}
	last := p.Files[len(p.Files)-1]
	return last.StartNS + last.ActiveNS
}

func temperatureAt(p *baseline.Pass, ns int64) *int64 {
	for _, f := range p.Files {
		if f.StartNS >= ns {
			return f.MilliCelsius
		}
	}
	return nil
}

// The onset of a half-rate pass lies at the same bytes as that of the full one
// within this factor, or one file; beyond the second factor it came clearly
// later.
const (
	sameOnset  = 1.15
	laterOnset = 1.3
)

// concludeSustained says what the passes show. A cause is named only if the evidence
// leaves no other.
func concludeSustained(r *baseline.SustainedReport) {
	for i := range r.Passes {
		find(&r.Passes[i])
	}
	if len(r.Passes) == 0 || r.Passes[0].Onset == nil {
		return
	}
	full := r.Passes[0]
	v := &r.Verdict
	v.Throttled = true
	v.Candidates = []string{"a write cache that is full", "heat", "a slower link, power saving or other use of the drive"}
	say := func(format string, args ...any) { v.Evidence = append(v.Evidence, fmt.Sprintf(format, args...)) }
	if full.Onset.MilliCelsius != nil {
		say("the drive was at %.0f °C when its rate fell", float64(*full.Onset.MilliCelsius)/1000)
	}
	hot, known := heated(full.Before, full.After)
	switch {
	case known && hot:
		say("its counters say that it slowed down because of heat")
		v.Cause = "heat"
	case known:
		say("its counters say that heat did not slow it down")
		v.Candidates = slices.DeleteFunc(v.Candidates, isHeat)
	}
	if len(r.Passes) < 2 || r.Interrupted {
		if v.Cause == "" {
			v.Experiment = "repeat with --half-rate: a full cache comes at the same bytes again, heat later or not at all"
		}
		return
	}
	compareHalf(r, v, say, known && !hot)
}

func isHeat(candidate string) bool { return candidate == "heat" }

func compareHalf(r *baseline.SustainedReport, v *baseline.Verdict, say func(string, ...any), cool bool) {
	full, half := r.Passes[0].Onset, r.Passes[1].Onset
	near := func(a, b int64) bool {
		return math.Abs(float64(a-b)) <= float64(r.FileBytes) || float64(max(a, b)) <= sameOnset*float64(min(a, b))
	}
	switch {
	case half == nil:
		say("at half the rate it did not fall within %s", unit.Bytes(r.TotalBytes))
	case near(half.Bytes, full.Bytes):
		say("at half the rate it fell after the same %s", unit.Bytes(half.Bytes))
		if v.Cause == "" {
			v.Cause, v.Candidates = "cache", nil
		}
		return
	default:
		say("at half the rate it fell after %s, not %s", unit.Bytes(half.Bytes), unit.Bytes(full.Bytes))
	}
	later := half == nil || float64(half.Bytes) > laterOnset*float64(full.Bytes)
	if v.Cause != "" || !later {
		return
	}
	v.Candidates = []string{"heat", "a write cache that is emptied in the pauses"}
	v.Experiment = "watch the drive's temperature, or cool it and repeat: heat then comes later still, a cache does " +
		"not change"
	if cool {
		v.Candidates = slices.DeleteFunc(v.Candidates, isHeat)
		v.Experiment = ""
	}
}

// heated reports whether the drive slowed down because of heat between two
// readings: by its own counters, if it has them.
func heated(before, after *baseline.Thermal) (yes, known bool) {
	if before == nil || after == nil || before.Transitions == nil || after.Transitions == nil {
		return false, false
	}
	return *after.Transitions > *before.Transitions || *after.ThrottleSeconds > *before.ThrottleSeconds, true
}
