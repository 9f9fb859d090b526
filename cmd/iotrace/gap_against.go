package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/baseline"
)

// benchmark is what a workload is compared with.
type benchmark struct {
	name     string
	setting  gap.Setting
	speed    gap.Benchmark
	warnings []string
}

// benchmark finds the benchmark that --against names, in the direction of the
// workload, and its rates.
func (o *gapOptions) benchmark(w *gap.Workload) (b benchmark, err error) {
	reading := w != nil && w.Reading()
	results, err := benchResults(o.against)
	if err != nil {
		return b, err
	}
	var patterns []baseline.Pattern
	if results == nil {
		if patterns, err = baseline.Lookup(o.against); err != nil {
			return b, err
		}
	} else {
		b.rates(results)
		for _, p := range results.Patterns {
			patterns = append(patterns, p.Pattern)
		}
	}
	step, ok := baseline.Step{}, false
	for _, p := range patterns {
		if step, ok = blockStep(p, reading); ok {
			b.name = p.Name
			break
		}
	}
	if !ok {
		return b, fmt.Errorf("comparing with %s: it has no step that %s blocks of one file, as the workload does (see iotrace bench --list)", o.against, verb(reading))
	}
	b.setting = gap.Setting{Read: reading, Write: !reading, Depth: step.Nominal(), Block: step.Block, Buffered: step.Cache == baseline.Buffered,
		Random: step.Access == baseline.Random || step.Access == baseline.Shuffled, Fresh: step.Fresh}
	if step.Data == baseline.Zero || step.Data == baseline.ByteA {
		b.setting.Compressible = 1
	}
	if results != nil {
		b.claim(results, reading)
	}
	given := func(s *gap.Speed, mbps float64) {
		if mbps > 0 {
			*s = gap.Speed{Source: "given"}
			s.Value = mbps * 1e6
		}
	}
	given(&b.speed.Read, o.read)
	given(&b.speed.Write, o.write)
	b.speed.Link = o.link * 1e6
	return b, nil
}

func verb(reading bool) string {
	if reading {
		return "reads"
	}
	return "writes"
}

// blockStep is the step of a pattern that moves blocks of one file in a
// direction.
func blockStep(p baseline.Pattern, reading bool) (baseline.Step, bool) {
	want := baseline.Write
	if reading {
		want = baseline.Read
	}
	for _, s := range p.Steps {
		if s.Op == want && s.Files == nil && s.Block > 0 {
			return s, true
		}
	}
	return baseline.Step{}, false
}

// benchResults reads the output of bench --json; nil if there is no such file.
func benchResults(path string) (*baseline.Report, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the benchmark's results: %w", err)
	}
	var r baseline.Report
	if err := json.Unmarshal(text, &r); err != nil || r.Type != "bench" {
		return nil, fmt.Errorf("reading the benchmark's results: %s is not the output of iotrace bench --json", path)
	}
	return &r, nil
}

// rates takes the greatest median rate of each direction.
func (b *benchmark) rates(r *baseline.Report) {
	eachStep(r, func(p *baseline.Pattern, step baseline.Step, res *baseline.StepResult) {
		switch step.Op {
		case baseline.Read:
			faster(&b.speed.Read, p.Name, res)
		case baseline.Write:
			faster(&b.speed.Write, p.Name, res)
		}
	})
}

// claim takes the rate of the pattern itself in the direction of the workload.
func (b *benchmark) claim(r *baseline.Report, reading bool) {
	eachStep(r, func(p *baseline.Pattern, step baseline.Step, res *baseline.StepResult) {
		if p.Name != b.name {
			return
		}
		switch {
		case reading && step.Op == baseline.Read:
			b.speed.Read = gap.Speed{}
			faster(&b.speed.Read, p.Name, res)
		case !reading && step.Op == baseline.Write:
			b.speed.Write = gap.Speed{}
			faster(&b.speed.Write, p.Name, res)
		}
		if !res.Depth.Valid && res.Depth.Reason != "" {
			b.warnings = append(b.warnings, p.Name+": "+res.Depth.Reason)
		}
	})
}

// eachStep visits the results of each step in the first place.
func eachStep(r *baseline.Report, visit func(*baseline.Pattern, baseline.Step, *baseline.StepResult)) {
	for i := range r.Patterns {
		p := &r.Patterns[i]
		if len(p.Places) == 0 {
			continue
		}
		for j := range p.Places[0].Steps {
			res := &p.Places[0].Steps[j]
			for _, s := range p.Pattern.Steps {
				if s.Name == res.Step {
					visit(&p.Pattern, s, res)
				}
			}
		}
	}
}

func faster(s *gap.Speed, name string, res *baseline.StepResult) {
	if float64(res.Rate.Median) <= s.Value {
		return
	}
	*s = gap.Speed{Source: name}
	s.Value = float64(res.Rate.Median)
	if res.Rate.Low != nil && res.Rate.High != nil {
		s.Low, s.High, s.Level = float64(*res.Rate.Low), float64(*res.Rate.High), res.Rate.Level
	}
}
