package gap

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
)

// TestElsewhere: what the verdict says comes before another moment, if it took noticeable time.
func TestElsewhere(t *testing.T) {
	p := &profile.Profile{}
	if got := elsewhere(p); got != "" {
		t.Errorf("a recording of which nothing is known differs because %q", got)
	}
	p.Verdict.Causes = []profile.Reason{{Code: cause.DeviceLatency, Share: 0.6}, {Code: cause.LimitAbove, Share: 0.05}}
	if got := elsewhere(p); got != "" {
		t.Errorf("a twentieth of the time made the difference: %q", got)
	}
	p.Verdict.Causes[1].Share = 0.3
	if got := elsewhere(p); got != lacking[cause.LimitAbove] {
		t.Errorf("%q, want the limit", got)
	}
}
