package verdict_test

import (
	"math"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
)

// inferred is how likely a cause is that would be measured if the recording told who woke whom.
const inferred = 150.0 / 161

// sure reports whether a rule was so sure of a cause, in a profile without a path: what the recording shows is likely
// then, and what is likely may not be likely enough to be named.
func sure(c *profile.Reason, want string) bool {
	likely := c.Certainty == cause.Likely
	switch direct := likely && math.Abs(c.Probability-inferred) < 1e-9; want {
	case cause.Measured:
		return direct
	case cause.Likely:
		return likely && !direct || c.Certainty == cause.Open
	}
	return c.Certainty == want
}

// Measured is what the chain of waits shows; without the chain the same is likely, and says how likely.
func TestMeasured(t *testing.T) {
	p := reread(290e6)
	v := verdict.Judge(p)
	if c := &v.Causes[0]; !sure(c, cause.Measured) {
		t.Errorf("without a path: %+v", c)
	}
	p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{{NS: second,
		Place: profile.PathPlace{What: "service",
			Label: "device_read", Request: "read", Device: "sda"}}}}
	v = verdict.Judge(p)
	if c := &v.Causes[0]; c.Certainty != cause.Measured || c.Probability != 0 {
		t.Errorf("with a path: %+v", c)
	}
}

// What was wrong more often than a third of the time is first only as something that may be, with what would tell.
func TestNotLikelyEnough(t *testing.T) {
	p := spent(map[string]int64{"io_wait": second}, map[string]int64{"waiting_io": second})
	p.Path = &profile.Path{TotalNS: second}
	v := verdict.Judge(p)
	if c := &v.Causes[0]; c.Code != cause.LimitAbove || c.Certainty != cause.Open || c.Experiment == "" {
		t.Errorf("%+v", c)
	}
}

// A drive that had nothing to do limits nothing.
func TestIdleDriveIsNotBlamed(t *testing.T) {
	for _, label := range []string{"device_read", "device_write", "throttled"} {
		p := spent(map[string]int64{label: second}, map[string]int64{"waiting_io": second})
		p.Path = &profile.Path{TotalNS: second}
		f := &profile.Flow{Count: 9, Bytes: 9e6, Depth: profile.Depth{MeanBusy: 3, BusyNS: second / 60}}
		p.Devices = []profile.Device{{Name: "sda", Level: 1, Read: f, Write: f}}
		p.Trace.Drives = []profile.Drive{{Name: "sda", BusyNS: second / 60}}
		if v := verdict.Judge(p); v.Causes[0].Code != cause.LimitAbove {
			t.Errorf("%s: %+v", label, v.Causes)
		}
	}
}
