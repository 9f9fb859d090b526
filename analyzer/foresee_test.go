package analyzer

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
)

// What is offered can help against the first cause and saves something, the most first.
func TestForesee(t *testing.T) {
	between := func(code string, ms, high int64) profile.Prospect {
		r := profile.Range{NS: ms * 1e6, Low: (ms - 1) * 1e6, High: high * 1e6}
		return profile.Prospect{Code: code, Name: "a change of " + code, Wall: r, Durable: r, If: "if so"}
	}
	prospect := func(code string, ms int64) profile.Prospect { return between(code, ms, ms+1) }
	for _, c := range []struct {
		cause  string
		whatIf []profile.Prospect
		want   []string
	}{
		{cause.DeviceLatency, []profile.Prospect{prospect("cpu", 1), prospect("latency", 60), prospect("depth", 20),
			prospect("readahead", 50)}, []string{"depth", "readahead"}},
		{cause.Readahead, []profile.Prospect{between("readahead", 20, 100), prospect("latency", 60)}, []string{"latency"}},
		{cause.Readahead, []profile.Prospect{between("readahead", 20, 101)}, nil},
		{cause.Sync, []profile.Prospect{prospect("no_fsync", 20)}, []string{"no_fsync"}},
		{cause.DeviceBandwidth, []profile.Prospect{prospect("drive", 98), prospect("cpu", 10)}, nil},
		{cause.LimitAbove, []profile.Prospect{prospect("drive", 10)}, nil},
		{cause.DeviceBandwidth, nil, nil},
	} {
		p := &profile.Profile{WallNS: 80e6, TimeStack: profile.TimeStack{TotalNS: 100e6}, WhatIf: c.whatIf,
			Verdict: profile.Verdict{Causes: []profile.Reason{{Code: c.cause}}}}
		foresee(p)
		var got []string
		for _, w := range p.Verdict.Offered {
			got = append(got, w.Code)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.cause, got, c.want)
		}
	}
}
