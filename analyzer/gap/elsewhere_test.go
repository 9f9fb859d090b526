package gap

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
)

// TestElsewhere: what the verdict says comes before another moment, if it took noticeable time.
func TestElsewhere(t *testing.T) {
	p := &profile.Profile{}
	if got := elsewhere(p); got != "" {
		t.Errorf("a recording of which nothing is known differs because %q", got)
	}
	p.Verdict.Causes = []profile.Reason{{Code: verdict.DeviceLatency, Share: 0.6}, {Code: verdict.LimitAbove, Share: 0.05}}
	if got := elsewhere(p); got != "" {
		t.Errorf("a twentieth of the time made the difference: %q", got)
	}
	p.Verdict.Causes[1].Share = 0.3
	if got := elsewhere(p); got != lacking[verdict.LimitAbove] {
		t.Errorf("%q, want the limit", got)
	}
}
