package profile

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

func TestWhatIsTold(t *testing.T) {
	for _, c := range []struct {
		limits         []trace.LimitCode
		counted        bool
		depth, latency bool
	}{
		{nil, false, true, true},
		{[]trace.LimitCode{trace.LimitNoQueue}, false, true, true},
		{[]trace.LimitCode{trace.LimitNoDurations}, false, false, false},
		{[]trace.LimitCode{trace.LimitNoDurations}, true, true, true},
		{[]trace.LimitCode{trace.LimitNoTimes}, true, false, true},
		{[]trace.LimitCode{trace.LimitNoTimes, trace.LimitNoDurations}, false, false, false},
	} {
		var r Trace
		for _, code := range c.limits {
			r.Limits = append(r.Limits, Limit{Code: string(code)})
		}
		if d, l := r.TellsDepth(c.counted), r.TellsLatency(c.counted); d != c.depth || l != c.latency {
			t.Errorf("%v, counted %v: depth %v, latency %v", c.limits, c.counted, d, l)
		}
	}
}

// A shell that reports how a command of its own was ended was not ended by a signal itself.
func TestSignal(t *testing.T) {
	status := func(of int) *int { return &of }
	for _, test := range []struct {
		name      string
		processes []Process
		want      int
	}{
		{"killed", []Process{{Status: status(143), Signal: 15}, {Status: status(0)}}, 15},
		{"reports", []Process{{Status: status(143)}, {Status: status(143), Signal: 15}}, 0},
		{"not seen to end", nil, 15},
	} {
		if got := (&Profile{ExitStatus: 143, Processes: test.processes}).Signal(); got != test.want {
			t.Errorf("%s: signal %d, want %d", test.name, got, test.want)
		}
	}
	if got := (&Profile{ExitStatus: 1}).Signal(); got != 0 {
		t.Errorf("exit status 1: signal %d", got)
	}
}
