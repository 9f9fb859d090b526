package answer

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// TestLookedAtForAttributes: rsync -A asks each file for its list of who may use it. A search lists the directories
// that it goes through; who has names of files from elsewhere, as a library of pictures, asks for one after the other.
func TestLookedAtForAttributes(t *testing.T) {
	for _, test := range []struct {
		op     trace.Op
		listed string
		want   string
	}{{trace.OpXattr, "/srv/a", noAttributes}, {trace.OpStat, "/srv/a", leaveOut}, {trace.OpStat, "/", leaveOut},
		{trace.OpStat, "/usr/lib/python3", listFirst}} {
		op, want := test.op, test.want
		o := &observer{p: namesIn(op, "/srv", 5000, 7e9)}
		o.p.OpFiles = append(o.p.OpFiles, profile.OpFiles{Op: trace.OpReaddir, Under: test.listed})
		o.p.Lookups = &profile.Lookups{Found: 5000, Looked: profile.Looked{Files: 5000, Lookups: 5000,
			Under: "/srv", UnderFiles: 5000}}
		lookedAt(o)
		if len(o.list) != 1 || o.list[0].Instead != want {
			t.Errorf("%s: %+v", op, o.list)
		}
	}
}
