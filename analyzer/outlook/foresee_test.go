package outlook

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
)

// What would help is told in numbers of what can help against the first cause,
// and of what saves the most.
func TestForesee(t *testing.T) {
	prospect := func(code string, ms int64) profile.Prospect {
		r := profile.Range{NS: ms * 1e6, Low: (ms - 1) * 1e6, High: (ms + 1) * 1e6}
		return profile.Prospect{Code: code, Name: "a change of " + code, Wall: r, Durable: r}
	}
	for _, c := range []struct {
		cause  string
		whatIf []profile.Prospect
		want   string
	}{
		{verdict.DeviceLatency, []profile.Prospect{prospect("cpu", 1), prospect("latency", 60), prospect("depth", 20),
			prospect("readahead", 50)}, "By simulation, it would take 20.0 ms (19.0 ms to 21.0 ms) with a change of depth, " +
			"or 50.0 ms (49.0 ms to 51.0 ms) with a change of readahead, not 100 ms."},
		{verdict.DeviceBandwidth, []profile.Prospect{prospect("drive", 98), prospect("cpu", 10)},
			"By simulation, a change of drive would save less than 5 %."},
		{verdict.LimitAbove, []profile.Prospect{prospect("drive", 10)}, ""},
		{verdict.DeviceBandwidth, nil, ""},
	} {
		p := &profile.Profile{TimeStack: profile.TimeStack{TotalNS: 100e6}, WhatIf: c.whatIf, Verdict: profile.Verdict{
			Lines: []string{"It waited.", verdict.HelpBegins + "this.", "More."}, Causes: []profile.Reason{{Code: c.cause}}}}
		want := []string{"It waited.", verdict.HelpBegins + "this.", c.want, "More."}
		if c.want == "" {
			want = slices.Delete(want, 2, 3)
		}
		if foresee(p); !slices.Equal(p.Verdict.Lines, want) {
			t.Errorf("%s:\n%q\nwant\n%q", c.cause, p.Verdict.Lines, want)
		}
	}
}
