package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// Calls of a page and less, in order and from memory, are the cost where most of one does not depend on its size. What
// is computed between them is the program's own.
func TestCallsOfPages(t *testing.T) {
	for _, c := range []struct {
		name            string
		count, size     int64
		ns              int64 // a call
		fs, kernel      string
		class           string
		opens           int64
		writes, counted bool
	}{
		{"pages of ext4", 50_000, 4096, 520, "ext4", "6.18.44", "sequential", 1, false, true},
		{"pages of xfs, written", 50_000, 4096, 1250, "xfs", "6.12", "mostly_sequential", 1, true, true},
		{"pages of an older ext4", 50_000, 4096, 1400, "ext4", "6.12.9-amd64", "sequential", 1, true, false},
		{"half pages of btrfs", 50_000, 2048, 1500, "btrfs", "6.18", "sequential", 1, true, false},
		{"less of btrfs", 50_000, 1024, 1118, "btrfs", "6.18", "sequential", 1, true, true},
		{"pages in memory", 50_000, 4096, 713, "tmpfs", "6.18", "sequential", 1, true, false},
		{"a kernel that is not known", 50_000, 4096, 520, "ext4", "", "sequential", 1, false, false},
		{"a usual buffer", 50_000, 32 << 10, 2100, "ext4", "6.18", "sequential", 1, false, false},
		{"at random", 50_000, 4096, 520, "ext4", "6.18", "random", 1, false, false},
		{"few", 9_000, 4096, 520, "ext4", "6.18", "sequential", 1, false, false},
		{"memory that is used for the first time", 50_000, 4096, 9_400, "ext4", "6.18", "sequential", 1, false, false},
		{"opened for each", 50_000, 4096, 520, "ext4", "6.18", "sequential", 50_000, false, false},
	} {
		inCalls := c.count * c.ns
		p := spent(map[string]int64{"cpu": second - inCalls, "page_cache": inCalls}, map[string]int64{
			"running": second - inCalls, "data_calls": inCalls})
		p.Trace.Kernel = c.kernel
		p.Processes = []profile.Process{{Command: "bzip2", CPUNS: second}}
		f := &profile.Flow{Count: c.count, Bytes: c.count * c.size,
			Size:    profile.Dist{Count: c.count, P50: c.size, ByBytes: c.size},
			Latency: profile.Dist{P50: c.ns, Sum: inCalls, Bins: []profile.Bin{{From: c.ns - 8, To: c.ns + 8, Count: c.count}}}}
		file := profile.File{Path: "/file", Type: trace.FileRegular, FSType: c.fs, Read: f,
			ReadPattern: &profile.AccessPattern{Class: c.class}, Ops: []profile.OpCount{{Op: trace.OpOpen, Count: c.opens}}}
		p.Layers = []profile.Layer{{Name: "calls", Read: f}}
		if c.writes {
			file.Read, file.Write, file.WritePattern = nil, f, file.ReadPattern
			p.Layers = []profile.Layer{{Name: "calls", Write: f}}
		}
		p.Files = []profile.File{file}
		p.Pattern.Think = profile.Dist{Count: c.count, P50: 2_000, Sum: second / 2}
		counted := false
		for _, r := range verdict.Judge(p).Causes {
			switch r.Code {
			case cause.SmallCalls:
				counted = true
				if r.TimeNS != inCalls || !strings.HasPrefix(r.Remedy, "larger calls") {
					t.Errorf("%s: %+v", c.name, r)
				}
			case cause.OwnCPU:
				if strings.Contains(r.Remedy, "larger calls") {
					t.Errorf("%s: %q", c.name, r.Remedy)
				}
			}
		}
		if counted != c.counted {
			t.Errorf("%s: %+v", c.name, verdict.Judge(p).Causes)
		}
	}
}
