package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/answer"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/whatif"
)

// mostEvents is how many events a recording may have: nobody waits for a summary
// because of its outlook. `iotrace whatif` simulates longer ones.
const mostEvents = 200_000

// AnalyzeAhead is Analyze, and how long the workload would have taken with the standard set of changes, if the
// recording says enough for a simulation.
func AnalyzeAhead(path string, o Options) (*profile.Profile, error) {
	var s *survey.Survey
	o.Surveyed = func(known *survey.Survey) { s = known }
	p, err := Analyze(path, o)
	if err != nil || path == "-" || events(p) > mostEvents {
		return p, err
	}
	r, err := whatif.LoadSurveyed(path, s)
	if err != nil {
		return p, nil // iotrace whatif says what is missing
	}
	if answers, err := r.Answers(whatif.Standard()); err == nil {
		p.WhatIf = Prospects(answers)
		foresee(p)
		answer.Compose(p)
	}
	return p, nil
}

// Prospects are answers as a profile has them.
func Prospects(answers []whatif.Answer) (list []profile.Prospect) {
	for _, a := range answers {
		list = append(list, profile.Prospect{Code: a.Code, Name: a.Name, If: a.If, Wall: profile.Range(a.Wall),
			Durable: profile.Range(a.Durable), Undecided: a.Undecided, Assumptions: a.Assumptions})
	}
	return list
}

func events(p *profile.Profile) (n uint64) {
	for _, kind := range p.Trace.Events {
		n += kind
	}
	return n
}
