package baseline

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/iotrace/iotrace/stats"
	"github.com/iotrace/iotrace/stats/distribution"
	"github.com/iotrace/iotrace/stats/modes"
)

// validDepth is the share of the nominal queue depth below which a result is
// invalid.
const validDepth = 0.8

// stepLog gathers the executions of a step in one place.
type stepLog struct {
	step    Step
	queue   int64 // requests that the queue of the device holds, 0 if not known
	skipped string
	runs    []RunResult
	latency [2]distribution.Histogram // writes and reads of counted runs
	notes   map[string]Warning
}

func (l *stepLog) warn(code, text string) {
	if l.notes == nil {
		l.notes = map[string]Warning{}
	}
	l.notes[code] = Warning{code, text}
}

// add books an execution.
func (l *stepLog) add(m *measure, run, order int, counted bool) RunResult {
	r := RunResult{
		Run: run, Counted: counted, Order: order, MonotonicNS: m.mono,
		ActiveNS: m.active, WallNS: m.wall, DurableNS: m.durable,
		ReadOps: m.ops[1], ReadBytes: m.bytes[1], WriteOps: m.ops[0], WriteBytes: m.bytes[0],
		Rate: perSecond(m.payload(l.step), m.active), OpsPerSecond: perSecond(m.payloadOps(l.step), m.active),
		Latency: latencies(&m.latency), CPUNS: m.cpu, Syncs: m.syncs, SyncNS: m.syncNS, Engine: m.engine,
		Device: m.device, Bursts: m.bursts, Files: m.files, Course: m.course.export(m.active, 128),
		Changes: m.changes(),
	}
	if m.active > 0 {
		r.Achieved = (m.latency[0].Sum() + m.latency[1].Sum()) / float64(m.active-m.syncNS)
	}
	if counted {
		for i := range l.latency {
			l.latency[i].Merge(&m.latency[i])
		}
	}
	l.runs = append(l.runs, r)
	return r
}

// payload is what the rate of a step counts: both directions, but a copy once.
func (m *measure) payload(s Step) int64 {
	if s.Op == Copy {
		return m.bytes[0]
	}
	return m.bytes[0] + m.bytes[1]
}

func (m *measure) payloadOps(s Step) int64 {
	if s.Op == Copy {
		return m.ops[0]
	}
	return m.ops[0] + m.ops[1]
}

func latencies(h *[2]distribution.Histogram) map[string]Latency {
	all := map[string]Latency{}
	for i, name := range []string{"write", "read"} {
		if h[i].Count() == 0 {
			continue
		}
		all[name] = latencyOf(&h[i])
	}
	return all
}

func latencyOf(h *distribution.Histogram) Latency {
	q := func(p float64) int64 { return finite(h.Quantile(p)) }
	return Latency{N: h.Count(), Min: h.Min(), P50: q(0.5), P90: q(0.9), P99: q(0.99), P999: q(0.999),
		Max: h.Max(), Mean: finite(h.Mean())}
}

// A run is cut into chunks of equal bytes to look for a change of its rate: no
// more than 160, no smaller than 64 MiB, and at least 20.
const (
	maxChunks = 160
	minChunks = 20
	minChunk  = 64 * mib
)

// changes finds lasting changes of the rate within the run.
func (m *measure) changes() []Change {
	n := int(min((m.bytes[0]+m.bytes[1])/minChunk, maxChunks))
	if n < minChunks {
		return nil
	}
	return changesOf(m.course.chunks(m.active, n))
}

// levelsOf finds the stretches of a series during which the rate stayed the
// same.
func levelsOf(all []chunk) []Level {
	rates := make([]float64, len(all))
	for i, c := range all {
		rates[i] = c.rate
	}
	var levels []Level
	for _, l := range stats.ChangePoints(rates, stats.ChangeOptions{}).Levels {
		level := Level{ToBytes: all[l.To-1].bytes, Rate: round(l.Median)}
		if l.From > 0 {
			level.FromBytes, level.FromNS = all[l.From-1].bytes, all[l.From-1].ns
		}
		levels = append(levels, level)
	}
	return levels
}

func changesOf(all []chunk) []Change {
	var changes []Change
	levels := levelsOf(all)
	for i := 1; i < len(levels); i++ {
		changes = append(changes, Change{Bytes: levels[i].FromBytes, NS: levels[i].FromNS, Before: levels[i-1].Rate, After: levels[i].Rate})
	}
	return changes
}

// counted are the values of the counted runs.
func (l *stepLog) counted(value func(RunResult) int64) []float64 {
	var all []float64
	for _, r := range l.runs {
		if r.Counted {
			all = append(all, float64(value(r)))
		}
	}
	return all
}

func rateOf(r RunResult) int64 { return r.Rate }

// result sums the executions up.
func (l *stepLog) result(o Original) StepResult {
	s := StepResult{Step: l.step.Name, Runs: l.runs, Skipped: l.skipped, Latency: latencies(&l.latency)}
	if l.skipped != "" {
		return s
	}
	rates := l.counted(rateOf)
	s.Rate = summarise(rates)
	s.Ops = summarise(l.counted(func(r RunResult) int64 { return r.OpsPerSecond }))
	if l.step.Writes() && l.counted(func(r RunResult) int64 { return r.DurableNS }) != nil && l.runs[0].DurableNS > 0 {
		d := summarise(l.counted(func(r RunResult) int64 { return perSecond(r.payload(l.step), r.DurableNS) }))
		s.Durable = &d
	}
	s.Depth = l.depth()
	s.CPUPer = l.cpuPerOp()
	s.Shown = l.shown(o)
	s.Line = l.sizeTime()
	l.observe(s)
	for _, code := range noteOrder {
		if w, ok := l.notes[code]; ok {
			s.Warnings = append(s.Warnings, w)
		}
	}
	return s
}

func (r RunResult) payload(s Step) int64 {
	if s.Op == Copy {
		return r.WriteBytes
	}
	return r.WriteBytes + r.ReadBytes
}

// summarise describes values; a sample with several modes has no mean.
func summarise(values []float64) Summary {
	s := Summary{N: len(values)}
	if len(values) == 0 {
		return s
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		lo, hi = min(lo, v), max(hi, v)
	}
	s.Min, s.Max, s.Median = int64(lo), int64(hi), round(stats.Median(values))
	if ci := stats.MedianCI(values, 0.95); ci.Known() {
		low, high := round(ci.Low), round(ci.High)
		s.Low, s.High, s.Level = &low, &high, ci.Level
	}
	if m := modes.Find(values); m.Bimodal {
		for _, mode := range m.Modes {
			s.Modes = append(s.Modes, Mode{round(mode.Median), mode.Weight})
		}
		return s
	}
	mean := round(stat.Mean(values, nil))
	s.Mean = &mean
	return s
}

func round(v float64) int64 { return int64(math.Round(v)) }

// depth compares the nominal depth with what was reached in the median run.
func (l *stepLog) depth() Depth {
	d := Depth{Nominal: l.step.Nominal(), Valid: true}
	if l.step.Blocking {
		d.Achieved = 1 // by construction: one call at a time
	} else {
		var all []float64
		for _, r := range l.runs {
			if r.Counted {
				all = append(all, r.Achieved)
			}
		}
		d.Achieved = stats.Median(all)
	}
	var device, comparable []float64
	for _, r := range l.runs {
		if r.Counted && r.Device != nil {
			device = append(device, r.Device.MeanDepth)
			if l.comparable(r) {
				comparable = append(comparable, r.Device.MeanDepth)
			}
		}
	}
	if len(device) > 0 {
		d.Device = stats.Median(device)
	}
	need := validDepth * float64(d.Nominal)
	switch {
	case d.Achieved < need:
		d.Valid = false
		d.Reason = fmt.Sprintf("%.1f of %d operations were outstanding on average", d.Achieved, d.Nominal)
	case len(comparable) > 0 && stats.Median(comparable) < need && d.Nominal > 1:
		d.Valid = false
		d.Reason = fmt.Sprintf("the device had %.1f of %d requests in flight on average: ", stats.Median(comparable), d.Nominal)
		if l.queue > 0 && l.queue < int64(d.Nominal) {
			d.Reason += fmt.Sprintf("its queue holds %d", l.queue)
		} else {
			d.Reason += "the others were being submitted or collected (a busy CPU, locks of the file system)"
		}
	}
	return d
}

// comparable reports whether each operation of the run became one request of
// the device and nobody else used it, so that its depth can be set against ours.
func (l *stepLog) comparable(r RunResult) bool {
	d, ours := r.Device, r.ReadOps+r.WriteOps
	requests := d.Reads + d.Writes
	within := func(a, b int64) bool { return float64(a) > 0.95*float64(b) && float64(a) < 1.05*float64(b) }
	return l.step.Cache == Direct && within(requests, ours) && within(d.ReadBytes+d.WriteBytes, r.ReadBytes+r.WriteBytes)
}

func (l *stepLog) cpuPerOp() int64 {
	var cpu, ops int64
	for _, r := range l.runs {
		if r.Counted {
			cpu += r.CPUNS
			ops += r.ReadOps + r.WriteOps
		}
	}
	if ops == 0 {
		return 0
	}
	return cpu / ops
}

// sizeTime fits time over size to the files of the first counted run.
func (l *stepLog) sizeTime() *SizeTime {
	for _, r := range l.runs {
		if !r.Counted || len(r.Files) < 3 {
			continue
		}
		size, ns, rate := make([]float64, len(r.Files)), make([]float64, len(r.Files)), make([]float64, len(r.Files))
		for i, f := range r.Files {
			size[i], ns[i] = float64(f.Bytes), float64(f.NS)
			rate[i] = size[i] / ns[i] * 1e9
		}
		robust, least := stats.TheilSen(size, ns, 0.95), stats.OLS(size, ns, 0.95)
		s := &SizeTime{Files: len(r.Files), TheilSen: inverse(robust.Slope.Value), OLS: inverse(least.Slope.Value),
			PerFileNS: finite(robust.Intercept.Value), TrimmedMean: finite(stats.TrimmedMean(rate, 0.2)), Median: finite(stats.Median(rate))}
		if i := robust.Slope.Interval; i.Known() {
			s.Low, s.High = inverse(i.High), inverse(i.Low)
		}
		return s
	}
	return nil
}

// inverse turns ns per byte into bytes per second.
func inverse(slope float64) int64 { return finite(1e9 / slope) }

// finite is v as an integer, 0 if it has no value.
func finite(v float64) int64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return round(v)
}
