package generator

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/stats"
)

// stepLog gathers the executions of a step in one place.
type stepLog struct {
	Step    baseline.Step
	Place   baseline.Place
	Skipped string
	Runs    []baseline.RunResult
	latency [2]stats.Histogram // writes and reads of counted runs
	notes   []baseline.Warning
}

// Warn adds a warning; the last one of each code is kept.
func (l *stepLog) Warn(code, text string) {
	w := baseline.Warning{Code: code, Text: text}
	if i := slices.IndexFunc(l.notes, func(x baseline.Warning) bool { return x.Code == code }); i >= 0 {
		l.notes[i] = w
	} else {
		l.notes = append(l.notes, w)
	}
}

// warnings are those of noteOrder first.
func (l *stepLog) warnings() []baseline.Warning {
	rank := func(w baseline.Warning) int {
		if i := slices.Index(noteOrder, w.Code); i >= 0 {
			return i
		}
		return len(noteOrder)
	}
	list := slices.Clone(l.notes)
	sorting.Stably(list, func(a, b baseline.Warning) int { return cmp.Compare(rank(a), rank(b)) })
	return list
}

// latencies are those of both directions, by name.
func latencies(h *[2]stats.Histogram) map[string]baseline.Latency {
	all := map[string]baseline.Latency{}
	for i, name := range []string{"write", "read"} {
		if h[i].Count() == 0 {
			continue
		}
		all[name] = LatencyOf(&h[i])
	}
	return all
}

// LatencyOf describes a distribution.
func LatencyOf(h *stats.Histogram) baseline.Latency {
	q := func(p float64) int64 { return finite(h.Quantile(p)) }
	return baseline.Latency{N: h.Count(), Min: h.Min(), P50: q(0.5), P90: q(0.9), P99: q(0.99), P999: q(0.999),
		Max: h.Max(), Mean: finite(h.Mean())}
}

// Add books an execution, whose latencies come as writes and reads.
func (l *stepLog) Add(r baseline.RunResult, latency *[2]stats.Histogram) {
	if r.Counted {
		for i := range l.latency {
			l.latency[i].Merge(&latency[i])
		}
	}
	l.Runs = append(l.Runs, r)
}

// Counted are the values of the counted runs.
func (l *stepLog) Counted(value func(baseline.RunResult) int64) []float64 {
	var all []float64
	for _, r := range l.Runs {
		if r.Counted {
			all = append(all, float64(value(r)))
		}
	}
	return all
}

func rateOf(r baseline.RunResult) int64 { return r.Rate }

// Result sums the executions up.
func (l *stepLog) Result(o baseline.Original) baseline.StepResult {
	s := baseline.StepResult{Step: l.Step.Name, Runs: l.Runs, Skipped: l.Skipped, Latency: latencies(&l.latency)}
	if l.Skipped != "" {
		return s
	}
	rates := l.Counted(rateOf)
	s.Rate = summarise(rates)
	s.Ops = summarise(l.Counted(func(r baseline.RunResult) int64 { return r.OpsPerSecond }))
	if l.Step.Writes() && l.Counted(func(r baseline.RunResult) int64 { return r.DurableNS }) != nil &&
		l.Runs[0].DurableNS > 0 {
		d := summarise(l.Counted(func(r baseline.RunResult) int64 {
			return baseline.PerSecond(payload(r, l.Step), r.DurableNS)
		}))
		s.Durable = &d
	}
	s.Depth, s.Invalid = depthOf(l), unreached(l)
	s.CPUPer = l.cpuPerOp()
	s.Shown = l.shown(o)
	s.Line = l.sizeTime()
	l.observe(s)
	s.Warnings = append(s.Warnings, l.warnings()...)
	return s
}

// payload is what the rate of a step counts: both directions, but a copy once.
func payload(r baseline.RunResult, s baseline.Step) int64 {
	if s.Op == baseline.Copy {
		return r.WriteBytes
	}
	return r.WriteBytes + r.ReadBytes
}

// summarise describes values; a sample with several modes has no mean.
func summarise(values []float64) baseline.Summary {
	s := baseline.Summary{N: len(values)}
	if len(values) == 0 {
		return s
	}
	s.Min, s.Max = int64(slices.Min(values)), int64(slices.Max(values))
	s.Median = rounded(stats.Median(values))
	addInterval(&s, values, 0.95)
	if m := stats.FindModes(values); m.Bimodal {
		for _, mode := range m.Modes {
			s.Modes = append(s.Modes, baseline.Mode{Median: rounded(mode.Median), Weight: mode.Weight})
		}
		return s
	}
	s.Mean = new(rounded(stats.Mean(values)))
	return s
}

// addInterval adds the interval of the median with a level, if there are enough values for one.
func addInterval(s *baseline.Summary, values []float64, level float64) {
	if ci := stats.MedianCI(values, level); ci.Known() {
		s.Low, s.High, s.Level = new(rounded(ci.Low)), new(rounded(ci.High)), ci.Level
	}
}

func rounded(v float64) int64 { return int64(math.Round(v)) }

// cpuPerOp is the CPU time of an operation.
func (l *stepLog) cpuPerOp() int64 {
	var cpu, ops int64
	for _, r := range l.Runs {
		if r.Counted {
			cpu += r.CPUNS
			ops += r.ReadOps + r.WriteOps
		}
	}
	return int64(each(cpu, ops))
}

// each is the share of one of n.
func each(ns, n int64) time.Duration { return time.Duration(ns / max(n, 1)) }

// sizeTime fits time over size to the files of the first counted run.
func (l *stepLog) sizeTime() *baseline.SizeTime {
	for _, r := range l.Runs {
		if r.Counted && len(r.Files) >= leastFiles {
			return sizeTimeOf(r.Files)
		}
	}
	return nil
}

// leastFiles are as many as make a line.
const leastFiles = 3

// sizeTimeOf fits time over size to files; nil if they are too few.
func sizeTimeOf(files []baseline.FileTime) *baseline.SizeTime {
	if len(files) < leastFiles {
		return nil
	}
	size, ns, rate := make([]float64, len(files)), make([]float64, len(files)), make([]float64, len(files))
	for i, f := range files {
		size[i], ns[i] = float64(f.Bytes), float64(f.NS)
		rate[i] = size[i] / ns[i] * 1e9
	}
	robust, least := stats.TheilSen(size, ns, 0.95), stats.OLS(size, ns, 0.95)
	s := &baseline.SizeTime{Files: len(files), TheilSen: inverse(robust.Slope.Value), OLS: inverse(least.Slope.Value),
		PerFileNS: finite(robust.Intercept.Value), TrimmedMean: finite(stats.TrimmedMean(rate, 0.2)),
		Median: finite(stats.Median(rate))}
	if i := robust.Slope.Interval; i.Known() {
		s.Low, s.High = inverse(i.High), inverse(i.Low)
	}
	return s
}

// inverse turns ns per byte into bytes per second; 0 where larger files did not take longer, which is no speed.
func inverse(slope float64) int64 {
	if slope <= 0 {
		return 0
	}
	return finite(1e9 / slope)
}

// finite is v as an integer, 0 if it has no value.
func finite(v float64) int64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return rounded(v)
}
