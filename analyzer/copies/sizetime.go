package copies

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/stats"
)

const (
	minFitted = 8    // files that a regression needs
	maxFitted = 5000 // files that are kept for it
	// leastFitted is how large the largest of the files read or written must be:
	// below, the times are those of calls and caches.
	leastFitted = 1 << 20
)

// fitSizes regresses the time of whole files on their size: of copies if there
// are enough, otherwise of files read or written whole. The slope is the speed
// without what each file costs, the intercept is that cost.
func fitSizes(p *profile.Profile, seen *transfers) {
	var sizes, times []float64
	add := func(bytes, ns int64) {
		if bytes > 0 && ns > 0 && len(sizes) < maxFitted {
			sizes, times = append(sizes, float64(bytes)), append(times, float64(ns))
		}
	}
	for _, c := range p.Copies {
		if !c.Method.Names() {
			add(c.Bytes, c.WallNS)
		}
	}
	what := "copy"
	if len(sizes) < minFitted {
		sizes, times, what = nil, nil, "write"
		for _, s := range seen.Sinks {
			if s.File.Data() && s.Written.Whole(s.File.Size) && s.Again == 0 {
				add(s.Written.Bytes, s.Flow.Last-s.Flow.First)
			}
		}
	}
	if len(sizes) < minFitted {
		sizes, times, what = nil, nil, "read"
		for _, s := range seen.Sources {
			if s.File.Data() && s.Read.Whole(s.File.Size) && s.Again == 0 {
				add(s.Read.Bytes, s.Flow.Last-s.Flow.First)
			}
		}
	}
	if len(sizes) >= minFitted && various(sizes) && (what == "copy" || slices.Max(sizes) >= leastFitted) {
		p.SizeTime = fit(what, sizes, times)
	}
}

// various reports whether there are at least three sizes, the largest at least
// twice the smallest.
func various(sizes []float64) bool {
	seen := map[float64]bool{}
	lo, hi := sizes[0], sizes[0]
	for _, s := range sizes {
		seen[s] = true
		lo, hi = min(lo, s), max(hi, s)
	}
	return len(seen) >= 3 && hi >= 2*lo
}

func fit(what string, sizes, times []float64) *profile.SizeTime {
	const level = .95
	rates := make([]float64, len(sizes))
	perByte, all := 0.0, 0.0
	for i := range sizes {
		rates[i] = sizes[i] / times[i] * 1e9
	}
	ols, robust := stats.OLS(sizes, times, level), stats.TheilSen(sizes, times, level)
	trimmed := stats.TrimmedMeanCI(rates, stats.DefaultTrim, level)
	f := &profile.SizeTime{
		What: what, Files: len(sizes), OLS: line(ols.Line), TheilSen: line(robust.Line),
		TrimmedRate: measure.Whole(stats.TrimmedMean(rates, stats.DefaultTrim)), TrimmedLow: measure.Whole(trimmed.Low),
		TrimmedHigh: measure.Whole(trimmed.High), MedianRate: measure.Whole(stats.Median(rates)),
		RateModes: measure.Modes(rates), PerFileCost: measure.Whole(robust.Intercept.Value),
	}
	for i := range sizes {
		perByte += robust.Slope.Value * sizes[i]
		all += times[i]
	}
	f.PerByteShare = min(max(perByte/all, 0), 1)
	if f.RateModes != nil {
		f.Warnings = append(f.Warnings, "The rates have more than one mode: no single rate, mean or trimmed mean describes "+
			"them.")
	}
	if c := stats.ChangePoints(rates, stats.ChangeOptions{}); len(c.Levels) > 1 {
		f.Warnings = append(f.Warnings, fmt.Sprintf("The rate changed %s in the course of the files: "+
			"a line through all of them mixes different speeds.", unit.Things(int64(len(c.Levels)-1), "time")))
	}
	if !(f.TheilSen.Rate > 0) {
		f.Warnings = append(f.Warnings, "Larger files did not take longer: the time does not depend on the size here.")
	}
	return f
}

// line turns ns per byte into bytes per second.
func line(l stats.Line) profile.Line {
	inverse := func(nsPerByte float64) int64 {
		if !(nsPerByte > 0) {
			return profile.Unknown
		}
		return measure.Whole(1e9 / nsPerByte)
	}
	r := profile.Line{Rate: inverse(l.Slope.Value), RateLow: profile.Unknown, RateHigh: profile.Unknown,
		InterceptNS: measure.Whole(l.Intercept.Value), InterceptMargin: profile.Unknown}
	if l.Intercept.Known() {
		r.InterceptMargin = measure.Whole(l.Intercept.High - l.Intercept.Value)
	}
	if l.Slope.Known() {
		r.RateLow, r.RateHigh = inverse(l.Slope.High), inverse(l.Slope.Low)
	}
	return r
}
