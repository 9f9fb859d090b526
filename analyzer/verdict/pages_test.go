package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
)

// A program that computes between calls of a page, in order and one right after the other, can save some of that by
// larger ones; not if they jump about, are few, or have much between them.
func TestCallsOfPages(t *testing.T) {
	for _, c := range []struct {
		name        string
		count, size int64
		class       string
		pause       int64
		writes      bool
		files       int64
		want        bool
	}{
		{"pages in order", 50_000, 4096, "sequential", 2_000, false, 1, true},
		{"written in lines", 50_000, 80, "mostly_sequential", 3_000, true, 1, true},
		{"pages at random", 50_000, 4096, "random", 2_000, false, 1, false},
		{"a usual buffer", 50_000, 32 << 10, "sequential", 2_000, false, 1, false},
		{"few", 5_000, 4096, "sequential", 2_000, false, 1, false},
		{"much between them", 50_000, 4096, "sequential", 20_000, false, 1, false},
		{"files of two pages", 50_000, 4096, "sequential", 2_000, false, 25_000, false},
	} {
		p := spent(map[string]int64{"cpu": second * 3 / 4, "page_cache": second / 4}, map[string]int64{
			"running": second * 3 / 4, "data_calls": second / 4})
		p.Processes = []profile.Process{{Command: "reader", CPUNS: second}}
		f := &profile.Flow{Count: c.count, Bytes: c.count * c.size, Size: profile.Dist{P50: c.size, ByBytes: c.size}}
		p.Layers = []profile.Layer{{Name: "calls", Read: f}}
		if p.Pattern.ReadClass = c.class; c.writes {
			p.Layers = []profile.Layer{{Name: "calls", Write: f}}
			p.Pattern.ReadClass, p.Pattern.WriteClass = "", c.class
		}
		x := profile.Pieces{Files: c.files, Count: c.count, Least: max(c.files, c.count*c.size>>16)}
		if p.Pattern.ReadCalls = x; c.writes {
			p.Pattern.ReadCalls, p.Pattern.WriteCalls = profile.Pieces{}, x
		}
		p.Pattern.Think = profile.Dist{Count: c.count, P50: c.pause, Sum: c.pause * c.count}
		for _, r := range verdict.Judge(p).Causes {
			if r.Code == cause.OwnCPU && strings.HasPrefix(r.Remedy, "larger calls") != c.want {
				t.Errorf("%s: %q", c.name, r.Remedy)
			}
			if r.Code == cause.SmallCalls && c.size > 512 {
				t.Errorf("%s: %+v", c.name, r)
			}
		}
	}
}
