package answer

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// TestLookedAtForAttributes: rsync -A asks each file for its list of who may use it.
func TestLookedAtForAttributes(t *testing.T) {
	for op, want := range map[trace.Op]string{trace.OpXattr: noAttributes, trace.OpStat: leaveOut} {
		o := &observer{p: namesIn(op, "/srv", 5000, 7e9)}
		o.p.Lookups = &profile.Lookups{Found: 5000, Looked: profile.Looked{Files: 5000, Lookups: 5000}}
		lookedAt(o)
		if len(o.list) != 1 || o.list[0].Instead != want {
			t.Errorf("%s: %+v", op, o.list)
		}
	}
}
