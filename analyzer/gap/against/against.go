// Package against finds the benchmark that a workload is to be compared with, and its rates: in the catalogue of
// patterns or in the results of a run.
package against

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/baseline"
)

// Given are rates that somebody knows, in bytes per second; 0 for those that nobody does.
type Given struct{ Read, Write, Link float64 }

// Benchmark is what a workload is compared with.
type Benchmark struct {
	Name     string
	Setting  gap.Setting
	Speed    gap.Benchmark
	Warnings []string
}

// Find looks for the step of a benchmark that moves data as the workload does: reading, or else writing. name is that
// of a pattern or of a file of results, whose rates then count; rates that are given count more.
func Find(name string, reading bool, given Given) (*Benchmark, error) {
	b := &Benchmark{}
	results, err := baseline.ReadReport(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the benchmark's results: %w", err)
	}
	patterns := measured(results)
	if results == nil {
		if patterns, err = baseline.Lookup(name); err != nil {
			return nil, err
		}
	}
	step, ok := b.choose(patterns, reading)
	if !ok {
		return nil, fmt.Errorf(
			"comparing with %s: it has no step that %s blocks of one file, as the workload does (see iotrace bench --list)",
			name, verb(reading))
	}
	b.Setting = setting(step, reading)
	if results != nil {
		b.fastest(results)
		b.own(results, reading)
	}
	b.Speed.Read = replaced(b.Speed.Read, given.Read)
	b.Speed.Write = replaced(b.Speed.Write, given.Write)
	b.Speed.Link = given.Link
	return b, nil
}

// measured are the patterns of results.
func measured(r *baseline.Report) (patterns []baseline.Pattern) {
	if r != nil {
		for _, p := range r.Patterns {
			patterns = append(patterns, p.Pattern)
		}
	}
	return patterns
}

// choose takes the first pattern that moves blocks of one file in a direction, and its step that does.
func (b *Benchmark) choose(patterns []baseline.Pattern, reading bool) (baseline.Step, bool) {
	want := baseline.Write
	if reading {
		want = baseline.Read
	}
	for _, p := range patterns {
		for _, s := range p.Steps {
			if s.Op == want && s.Files == nil && s.Block > 0 {
				b.Name = p.Name
				return s, true
			}
		}
	}
	return baseline.Step{}, false
}

func verb(reading bool) string {
	if reading {
		return "reads"
	}
	return "writes"
}

// setting is a step in the terms of a workload.
func setting(s baseline.Step, reading bool) gap.Setting {
	g := gap.Setting{
		Read: reading, Write: !reading, Depth: s.Nominal(), Block: s.Block, Fresh: s.Fresh,
		Buffered: s.Cache == baseline.Buffered,
		Random:   s.Access == baseline.Random || s.Access == baseline.Shuffled,
	}
	if s.Data == baseline.Zero || s.Data == baseline.ByteA {
		g.Compressible = 1
	}
	return g
}

// fastest takes the greatest median rate of each direction.
func (b *Benchmark) fastest(r *baseline.Report) {
	eachStep(r, func(p *baseline.Pattern, step baseline.Step, res *baseline.StepResult) {
		switch step.Op {
		case baseline.Read:
			faster(&b.Speed.Read, p.Name, res)
		case baseline.Write:
			faster(&b.Speed.Write, p.Name, res)
		}
	})
}

// own takes the rate of the pattern itself in the direction of the workload.
func (b *Benchmark) own(r *baseline.Report, reading bool) {
	eachStep(r, func(p *baseline.Pattern, step baseline.Step, res *baseline.StepResult) {
		if p.Name != b.Name {
			return
		}
		switch {
		case reading && step.Op == baseline.Read:
			b.Speed.Read = gap.Speed{}
			faster(&b.Speed.Read, p.Name, res)
		case !reading && step.Op == baseline.Write:
			b.Speed.Write = gap.Speed{}
			faster(&b.Speed.Write, p.Name, res)
		}
		if res.Invalid != "" {
			b.Warnings = append(b.Warnings, p.Name+": "+res.Invalid)
		}
		if !res.Depth.Valid && res.Depth.Reason != "" {
			b.Warnings = append(b.Warnings, p.Name+": "+res.Depth.Reason)
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

// faster replaces a rate by a result that is greater.
func faster(s *gap.Speed, name string, res *baseline.StepResult) {
	if res.Invalid != "" || float64(res.Rate.Median) <= s.Value {
		return
	}
	*s = gap.Speed{Source: name}
	s.Value = float64(res.Rate.Median)
	if res.Rate.Low != nil && res.Rate.High != nil {
		s.Low, s.High, s.Level = float64(*res.Rate.Low), float64(*res.Rate.High), res.Rate.Level
	}
}

// replaced is a rate that is given, or else the one that is known.
func replaced(known gap.Speed, given float64) gap.Speed {
	if given <= 0 {
		return known
	}
	s := gap.Speed{Source: "given"}
	s.Value = given
	return s
}
