package samples

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/stats"
)

// Gap is an explanation made from a table that is known: reading costs
// 0.8 s per GB, small blocks 0.2, and both nothing beyond that.
func Gap(recorded float64) *gap.Report {
	w := &gap.Workload{Bytes: 1e9, ReadBytes: 1e9, WriteBytes: 1e9, CallBytes: 2e9, Seconds: recorded, Files: 1,
		Block: 64 << 10, MeanBlock: 64 << 10, Depth: 8, Latency: 1e-3}
	bench := gap.Setting{Write: true, Depth: 8, Block: 1 << 20}
	p := &profile.Profile{Trace: profile.Trace{File: "evil\x1b[31m</title>.iotrace"},
		Verdict: profile.Verdict{Causes: []profile.Reason{
			{Code: cause.DeviceLatency, Name: "sda read", Text: "reads of <b> one by one", Share: 0.625},
			{Code: cause.Sync, Name: "sync", Text: "in fsync", Share: 0.25}, {Code: cause.OwnCPU, Name: "CPU", Share: 0.04},
		}}}
	r := gap.Views(p, w, bench, gap.Benchmark{})
	r.Against = "cdm@9/default/seq1m-q8t1/write"
	var runs []gap.Measured
	for i, x := range gap.Factorial(len(r.Differences), 6, 1) {
		v := 0.25 + float64(i%3)*0.002
		if x.Mask&1 == 1 {
			v += 0.8
		}
		if x.Mask&2 == 2 {
			v += 0.2
		}
		runs = append(runs, gap.Measured{Run: x, Seconds: v, Bytes: 1e9})
	}
	r.Conclude(&gap.Experiment{Dir: "/mnt", Payload: 1e9, Runs: runs}, gap.Explain(r.Differences, runs, recorded, 0,
		stats.Resampling{}))
	return r
}

// Bench is a result of one step in places that reached the given rates.
func Bench(places []string, rates [][]int64) *baseline.Report {
	r := &baseline.Report{Type: "bench", Version: 1, Tool: "iotrace test", Host: "vm",
		Warnings: []baseline.Warning{{Code: "x", Text: "<b>care</b>"}}}
	p := baseline.PatternResult{Pattern: baseline.Pattern{Name: "cdm/seq1m-q8t1", Title: "sequential"}}
	for i, name := range places {
		r.Places = append(r.Places, baseline.Place{Path: name, FSType: "ext4", SizeBytes: 1e9, FreeBytes: 1e8})
		s := baseline.StepResult{Step: "read", Depth: baseline.Depth{Nominal: 8, Achieved: 7.9, Valid: true}}
		s.Latency = map[string]baseline.Latency{"read": {N: 10, P50: 1e5, P90: 2e5, P99: 3e5, P999: 4e5, Max: 9e6}}
		for k, rate := range rates[i] {
			s.Runs = append(s.Runs, baseline.RunResult{Run: k, Counted: true, Rate: rate, ActiveNS: 1e9,
				Course: baseline.Series{SliceNS: 1e8, Bytes: []int64{rate / 8, rate / 8, rate / 9, rate / 8, rate / 7, rate / 8,
					rate / 8, rate / 8, rate / 8, rate / 8}}})
			s.Rate = baseline.Summary{N: k + 1, Min: rates[i][0], Median: rates[i][k/2], Max: rate}
		}
		if n := len(rates[i]); n >= 6 {
			s.Rate.Low, s.Rate.High = &rates[i][0], &rates[i][n-1]
		}
		p.Places = append(p.Places, baseline.PlaceResult{Place: name, Steps: []baseline.StepResult{s}})
	}
	if len(places) > 1 {
		p.Comparisons = []baseline.Comparison{{Step: "read", Place: places[1], With: places[0], Ratio: 0.5, Low: 0.4,
			High: 0.6, P: 0.001, Verdict: "slower"}}
	}
	r.Patterns = []baseline.PatternResult{p}
	return r
}

// Suite is the results of a suite: so many workloads, with two steps each.
func Suite(workloads int, places []string, rates [][]int64) *baseline.Report {
	r := Bench(places, rates)
	one := r.Patterns[0]
	r.Patterns = nil
	for i := range workloads {
		p := one
		p.Pattern.Name = fmt.Sprintf("suite/workload-%d", i+1)
		p.Places = nil
		for _, x := range one.Places {
			second := x.Steps[0]
			second.Step = "again"
			x.Steps = []baseline.StepResult{x.Steps[0], second}
			p.Places = append(p.Places, x)
		}
		r.Patterns = append(r.Patterns, p)
	}
	return r
}
