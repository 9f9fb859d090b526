package answer

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// What a program did to names is told where that was its work, not what it read as it started.
func TestByName(t *testing.T) {
	const second = int64(1e9)
	for name, c := range map[string]struct {
		names, data, bytes int64
		want               string
	}{
		"names":                   {second, 1e6, 5400, "1,000 unlinkat calls, 1 getdents64 call"},
		"a start, and then sleep": {second / 4, 1e6, 5400, ""},
		"reads as well":           {second, second / 5, 5400, ""},
		"much in little time":     {second, 1e6, 2 << 20, ""},
	} {
		p := &profile.Profile{Layers: []profile.Layer{{Name: "calls", Read: &profile.Flow{Bytes: c.bytes}}}}
		p.TimeStack.TotalNS = second
		p.Calls = []profile.Call{
			{Op: trace.OpReaddir, Name: "getdents64", Count: 1, TimeNS: c.names / 5},
			{Op: trace.OpUnlink, Name: "unlinkat", Count: 1000, TimeNS: c.names * 4 / 5},
			{Op: trace.OpOpen, Name: "openat", Count: 30, TimeNS: c.names / 1000},
			{Op: trace.OpRead, Name: "read", Count: 5, TimeNS: c.data},
		}
		if got := byName(p); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
