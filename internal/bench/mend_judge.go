//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/whatif"
)

// trial is one mend beside what was predicted of it.
type trial struct {
	program, code          string
	recorded, truth        float64 // s
	predicted, low, high   float64
	held, offered, refused bool
	spread                 float64 // of what was recorded, as a share
}

// judge predicts each mend from the recordings of what was not mended.
func (s *mendSession) judge(dir string) error {
	var trials []trial
	k, err := ratio(dir)
	if err != nil {
		return err
	}
	fmt.Printf("A request of the drive with half the latency takes %.2f times as long, on the way to it as well.\n\n", k)
	for i := range programs {
		p := &programs[i]
		if !chosen(s.only, p.name) {
			continue
		}
		list, err := s.judgeOne(dir, p, k)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		trials = append(trials, list...)
	}
	if s.verbose {
		for _, t := range trials {
			fmt.Printf("%-15s %-10s %7.3f -> %7.3f (%.3f to %.3f), truly %7.3f held=%t offered=%t refused=%t\n", t.program,
				t.code, t.recorded, t.predicted, t.low, t.high, t.truth, t.held, t.offered, t.refused)
		}
	}
	table(trials)
	return nil
}

// ratio is how much shorter requests became on the mended drive: the way to it takes as long as before. It is read off
// direct reads, one at a time.
func ratio(dir string) (float64, error) {
	var latency [2]float64
	for i, m := range []string{"plain", whatif.HalfLatency} {
		files, err := filepath.Glob(filepath.Join(dir, "dd-read", m+"-*.iotrace"))
		if err != nil {
			return 0, err
		}
		var list []float64
		for _, file := range files {
			r, err := whatif.Load(file)
			if err != nil {
				continue
			}
			for _, d := range r.Devices() {
				if model, ok := r.Model(d); ok && strings.HasPrefix(d, "loop") {
					list = append(list, model.Latency[1])
				}
			}
		}
		if len(list) == 0 {
			return 0.5, nil
		}
		slices.Sort(list)
		latency[i] = list[len(list)/2]
	}
	return latency[1] / latency[0], nil
}

// judgeOne judges the mends of a program: each is predicted from each recording, and what is printed most in the middle
// of these counts.
func (s *mendSession) judgeOne(dir string, p *program, k float64) ([]trial, error) {
	plain, err := filepath.Glob(filepath.Join(dir, p.name, "plain-*.iotrace"))
	if err != nil || len(plain) == 0 {
		return nil, err
	}
	var trials []trial
	for _, m := range p.all()[1:] {
		truth, err := median(dir, p.name, m)
		if err != nil {
			return nil, err
		}
		if truth == 0 {
			continue
		}
		var list []trial
		for _, file := range plain {
			t, err := predicted(file, m, truth, k)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				continue
			}
			t.program = p.name
			list = append(list, t)
		}
		if len(list) == 0 {
			continue
		}
		least, most := list[0].recorded, list[0].recorded
		for _, t := range list {
			least, most = min(least, t.recorded), max(most, t.recorded)
		}
		slices.SortFunc(list, func(a, b trial) int { return int(1e9 * (a.predicted - b.predicted)) })
		t := list[len(list)/2]
		t.spread = most/least - 1
		trials = append(trials, t)
	}
	return trials, nil
}

// told is the time of a prediction that is told: until the data is safe, but not where syncs are left out.
func told(code string, wall, durable whatif.Range) whatif.Range {
	if code == whatif.NoSyncs {
		return wall
	}
	return durable
}

// median is how long a mended program took.
func median(dir, name string, m mend) (float64, error) {
	files, err := filepath.Glob(filepath.Join(dir, name, m.code+"-*.iotrace"))
	var list []float64
	for _, file := range files {
		r, err := whatif.Load(file)
		if err != nil { // events were lost
			fmt.Fprintln(os.Stderr, err)
			continue
		}
		was := r.Recorded()
		list = append(list, mendSeconds(told(m.code, whatif.Range{NS: was.Wall}, whatif.Range{NS: was.Durable}).NS))
	}
	if len(list) == 0 {
		return 0, err
	}
	slices.Sort(list)
	return list[len(list)/2], err
}

func mendSeconds(ns int64) float64 { return float64(ns) / 1e9 }

// predicted is what is printed of a mend, beside the truth.
func predicted(file string, m mend, truth, k float64) (trial, error) {
	r, err := whatif.Load(file)
	if err != nil {
		return trial{}, err
	}
	s := whatif.Scenario{Code: m.code, Name: m.code, Change: m.change}
	for _, standard := range whatif.Standard() {
		if standard.Code == m.code {
			s = standard
		}
	}
	if m.code == whatif.HalfLatency {
		s.Change.Latency = k
	}
	was := r.Recorded()
	t := trial{code: m.code, truth: truth}
	t.recorded = mendSeconds(told(m.code, whatif.Range{NS: was.Wall}, whatif.Range{NS: was.Durable}).NS)
	answers, err := r.Answers([]whatif.Scenario{s})
	if err != nil {
		t.refused = true
		return t, nil
	}
	x := told(m.code, answers[0].Wall, answers[0].Durable)
	t.predicted, t.low, t.high = mendSeconds(x.NS), mendSeconds(x.Low), mendSeconds(x.High)
	t.held = truth >= t.low && truth <= t.high
	p, err := analyzer.AnalyzeAhead(file, analyzer.Options{})
	if err != nil {
		return t, err
	}
	t.offered = slices.ContainsFunc(p.Verdict.Offered, func(x profile.Prospect) bool { return x.Name == s.Name })
	return t, nil
}
