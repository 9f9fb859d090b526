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
	between := func(code string, ms, high int64) profile.Prospect {
		r := profile.Range{NS: ms * 1e6, Low: (ms - 1) * 1e6, High: high * 1e6}
		return profile.Prospect{Code: code, Name: "a change of " + code, Wall: r, Durable: r, If: "if so"}
	}
	prospect := func(code string, ms int64) profile.Prospect { return between(code, ms, ms+1) }
	for _, c := range []struct {
		cause  string
		whatIf []profile.Prospect
		want   string
	}{
		{verdict.DeviceLatency, []profile.Prospect{prospect("cpu", 1), prospect("latency", 60), prospect("depth", 20),
			prospect("readahead", 50)}, "By simulation, it would take 20.0 ms (19.0 ms to 21.0 ms), not 100 ms, with a change of depth, " +
			"if so; or 50.0 ms (49.0 ms to 51.0 ms), not 100 ms, with a change of readahead, if so."},
		{verdict.Readahead, []profile.Prospect{between("readahead", 20, 100), prospect("latency", 60)},
			"By simulation, it would take 60.0 ms (59.0 ms to 61.0 ms), not 100 ms, with a change of latency, if so."},
		{verdict.Readahead, []profile.Prospect{between("readahead", 20, 101)}, ""},
		{verdict.Sync, []profile.Prospect{prospect("no_fsync", 20)},
			"By simulation, it would take 20.0 ms (19.0 ms to 21.0 ms), not 80.0 ms, with a change of no_fsync, if so."},
		{verdict.DeviceBandwidth, []profile.Prospect{prospect("drive", 98), prospect("cpu", 10)},
			"By simulation, a change of drive would save less than 5 %."},
		{verdict.LimitAbove, []profile.Prospect{prospect("drive", 10)}, ""},
		{verdict.DeviceBandwidth, nil, ""},
	} {
		p := &profile.Profile{WallNS: 80e6, TimeStack: profile.TimeStack{TotalNS: 100e6}, WhatIf: c.whatIf, Verdict: profile.Verdict{
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
