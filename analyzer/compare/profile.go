package compare

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// FromProfile is the side of one trace.
func FromProfile(name string, p *profile.Profile) *Side {
	s := &Side{Name: name, Kind: Trace, About: strings.Join(p.Command, " "), Runs: 1, Warnings: []string{}, Profile: p}
	if p.Trace.Reason == "interrupted" {
		s.Warnings = append(s.Warnings, "the trace has no end: what came later is not compared")
	}
	if p.Lost.Total > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("events were lost: %d", p.Lost.Total))
	}
	if p.Trace.Damaged > 0 {
		s.Warnings = append(s.Warnings, "parts of the trace are damaged")
	}
	if len(p.Observations) > 0 {
		s.observation = p.Observations[0].Text
	}
	t := &traced{p: p, calls: &profile.Layer{}}
	if l := p.AtCalls(); l != nil {
		t.calls = l
	}
	for i := range p.Layers {
		if l := &p.Layers[i]; l.Name == "faults" && bytes(l.Read) >= mappedShare*bytes(t.calls.Read) {
			t.mapped = l.Read
		}
	}
	fromCalls(t, s)
	fromRequests(t, s)
	fromTimes(t, s)
	if t.cut() == "" {
		s.runs = RunsOf(p)
		for i := range s.runs {
			s.runs[i].moved = int64(t.read() + bytes(t.calls.Write))
		}
	}
	return s
}

// mappedShare is what waits for mapped files bring in at least, measured by what calls read, to be a way in
// which the workload reads: what its programs consist of is not.
const mappedShare = 1
