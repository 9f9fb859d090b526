package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
)

// Where waits are not recorded, the kernel's account of the command says how much of the time it computed, and no more
// than that is called its own; too little of it says nothing.
func TestCharged(t *testing.T) {
	for _, test := range []struct {
		name         string
		label        string
		user, system int64
		own          int64
		first, text  string
	}{
		{"it computed", "outside", second * 2 / 3, 0, second * 2 / 3, cause.OwnCPU,
			"667 ms of CPU time by the kernel's account"},
		{"it did not", "outside", second / 5, 0, second / 5, cause.OutsideOfCalls, "not computing"},
		{"a pipeline did", "other_call", second * 2 / 3, 0, second * 2 / 3, cause.OwnCPU, "by the kernel's account"},
		{"the tracer did", "other_call", second / 10, second, second / 10, cause.OutsideOfCalls, "on pipes"},
		{"too short to tell", "outside", second / 20, 0, 0, cause.OutsideOfCalls, "whether the program ran or slept"},
		{"nothing is known", "other_call", 0, 0, 0, cause.OutsideOfCalls, "whether they waited"},
	} {
		p := spent(map[string]int64{test.label: second}, nil)
		p.Trace.Limits = []profile.Limit{{Code: "no_waits"}}
		p.Trace.Charged = &profile.Charge{UserNS: test.user, SystemNS: test.system}
		v := verdict.Judge(p)
		if len(v.Causes) == 0 || v.Causes[0].Code != test.first || !strings.Contains(v.Causes[0].Text, test.text) {
			t.Errorf("%s: %+v, want %s, %q", test.name, v.Causes, test.first, test.text)
		}
		var own int64
		for _, c := range v.Causes {
			if c.Code == cause.OwnCPU {
				own += c.TimeNS
				if !sure(&c, cause.Measured) {
					t.Errorf("%s: %s", test.name, c.Certainty)
				}
			}
		}
		if own != test.own {
			t.Errorf("%s: %d ns its own, want %d", test.name, own, test.own)
		}
	}
}

// Where there are only requests, the time between them is not said to be outside of recorded calls: there are none.
func TestRequestsOnly(t *testing.T) {
	p := spent(map[string]int64{"outside": second}, nil)
	for calls, want := range map[uint64]string{0: "no request was in flight", 1: "outside of recorded calls"} {
		p.Trace.Limits = []profile.Limit{{Code: "no_calls"}, {Code: "no_waits"}}
		p.Trace.Events = map[string]uint64{"syscall": calls}
		if v := verdict.Judge(p); len(v.Causes) != 1 || !strings.HasPrefix(v.Causes[0].Text, want) ||
			v.Causes[0].Name != "not recorded" {
			t.Errorf("%d calls: %+v, want %q", calls, v.Causes, want)
		}
	}
}
