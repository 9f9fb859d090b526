package gap

import (
	"fmt"

	"github.com/iotrace/iotrace/baseline"
)

// report takes the first step of a benchmark's results that fits and is a measurement. If none is one, the first that
// fits says what the benchmark does, but no rate of it counts.
func (b *Reference) report(r *baseline.Report, name string, sought Sought) error {
	var doubts []string
	found := false
	eachStep(r, func(p *baseline.Pattern, s baseline.Step, res *baseline.StepResult) {
		if !fits(s, sought) || found {
			return
		}
		why := doubt(res)
		if found = why == ""; found || b.Name == "" {
			b.Name, b.Setting, b.Result = p.Name, setting(s), res
		}
		if !found {
			doubts = append(doubts, fmt.Sprintf("%s is no measurement, its rate is not used: %s", p.Name, why))
		}
	})
	if b.Name == "" {
		var patterns []baseline.Pattern
		for _, p := range r.Patterns {
			patterns = append(patterns, p.Pattern)
		}
		return none(name, sought, patterns)
	}
	b.Warnings = doubts
	b.fastest(r)
	if !found {
		b.forget(sought)
		return nil
	}
	b.own(r)
	return nil
}

// forget drops the rate in the direction of the benchmark itself: others of its file stand for another pattern.
func (b *Reference) forget(sought Sought) {
	switch {
	case b.Setting.Read && b.Setting.Write:
		b.Speed.Copy = Speed{}
	case sought.Reads:
		b.Speed.Read = Speed{}
	default:
		b.Speed.Write = Speed{}
	}
}

// doubt is why a result is no measurement of the device under its pattern; "" if it is one.
func doubt(res *baseline.StepResult) string {
	switch {
	case res.Skipped != "":
		return res.Skipped
	case res.Invalid != "":
		return res.Invalid
	case !res.Depth.Valid:
		return res.Depth.Reason
	}
	return ""
}

// fastest takes the greatest median rate of each direction.
func (b *Reference) fastest(r *baseline.Report) {
	eachStep(r, func(p *baseline.Pattern, step baseline.Step, res *baseline.StepResult) {
		if s := b.speed(step.Op); s != nil {
			faster(s, p.Name, res)
		}
	})
}

// own takes the rate of the pattern itself in its direction.
func (b *Reference) own(r *baseline.Report) {
	eachStep(r, func(p *baseline.Pattern, step baseline.Step, res *baseline.StepResult) {
		if s := b.speed(step.Op); s != nil && p.Name == b.Name && setting(step) == b.Setting {
			*s = Speed{}
			faster(s, p.Name, res)
		}
	})
}

// speed is the rate that an operation is about; nil for mixed ones.
func (b *Reference) speed(op baseline.Op) *Speed {
	switch op {
	case baseline.Read:
		return &b.Speed.Read
	case baseline.Write:
		return &b.Speed.Write
	case baseline.Copy:
		return &b.Speed.Copy
	}
	return nil
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

// faster replaces a rate by a result that is greater and is a measurement.
func faster(s *Speed, name string, res *baseline.StepResult) {
	if doubt(res) == "" && float64(res.Rate.Median) > s.Value {
		*s = measured(name, res.Rate)
	}
}

// measured is a rate with its interval.
func measured(name string, rate baseline.Summary) Speed {
	s := Speed{Source: name}
	s.Value = float64(rate.Median)
	if rate.Low != nil && rate.High != nil {
		s.Low, s.High, s.Level = float64(*rate.Low), float64(*rate.High), rate.Level
	}
	return s
}
