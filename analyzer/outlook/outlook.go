// Package outlook analyzes a trace and looks ahead: how long the workload would
// have taken with what would help it.
package outlook

import (
	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/analyzer/whatif"
)

// mostEvents is how many events a recording may have: nobody waits for a summary
// because of its outlook. `iotrace whatif` simulates longer ones.
const mostEvents = 200_000

// Analyze is analyzer.Analyze, and the standard set of changes if the recording
// says enough for a simulation.
func Analyze(path string, o analyzer.Options) (*profile.Profile, error) {
	p, err := analyzer.Analyze(path, o)
	if err != nil || path == "-" || events(p) > mostEvents {
		return p, err
	}
	r, err := whatif.Load(path)
	if err != nil {
		return p, nil // iotrace whatif says what is missing
	}
	if p.WhatIf, err = r.Answers(whatif.Standard()); err == nil {
		verdict.Foresee(p)
	}
	return p, nil
}

func events(p *profile.Profile) (n uint64) {
	for _, kind := range p.Trace.Events {
		n += kind
	}
	return n
}
