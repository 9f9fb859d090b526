package calls

import (
	"strings"
	"testing"
)

// TestDeltas: times between events are no times; those since the first event are, and so are those of a boot.
func TestDeltas(t *testing.T) {
	lines := func(times ...string) string {
		var b strings.Builder
		for _, at := range times {
			b.WriteString("            dd  1234 [000]     " + at + ": block:block_rq_issue: 8,0 R 4096 () 1000 + 8 [dd]\n")
		}
		return b.String()
	}
	for text, want := range map[string]bool{
		lines("0.000000", "0.000100", "0.000050", "0.000100", "0.000020"): true,
		lines("0.000000", "0.000100", "0.000150", "0.000200", "0.000320"): false,
		lines("0.000000", "0.000100", "0.000050", "0.000100"):             false,
		lines("9.000000", "9.000100", "9.000050", "9.000200", "9.000120"): false,
		lines("0.000000", "9.000100", "10.000050", "11.000200"):           false,
		"": false,
	} {
		if why := deltas([]byte(text)); strings.Contains(why, "--deltatime") != want {
			t.Errorf("%q:\n%s", why, text)
		}
	}
	if PerfScript.Refuse == nil || Ftrace.Refuse != nil {
		t.Error("deltas are refused of perf alone")
	}
}
