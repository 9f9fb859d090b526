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
