package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// What the path runs in forks is their cause; what a program computes besides is its own, and so is all of it where
// forks took next to nothing.
func TestForking(t *testing.T) {
	for _, c := range []struct {
		name  string
		ns    int64 // in forks, on the path
		child int64 // of what is left, a child's before it executes a program
		size  int64 // of page tables, 0: not known
		codes string
		text  string
	}{
		{"most of the time", second * 6 / 10, 0, 4 << 20, "fork own_cpu",
			"50 forks of redis-server, 12.0 ms each: it waits while the kernel copies 4.19 MB of page tables"},
		{"with what the children give back", second * 3 / 10, second * 6 / 10, 4 << 20, "fork own_cpu",
			"50 forks of redis-server, 12.0 ms each: it waits while the kernel copies 4.19 MB of page tables, which its " +
				"child gives back"},
		{"a part of it", second / 10, 0, 0, "own_cpu fork",
			"50 forks of redis-server, 12.0 ms each: it waits while the kernel copies the page tables"},
		{"next to nothing", second / 100, 0, 4 << 20, "own_cpu", ""},
	} {
		p := spent(map[string]int64{"cpu": second - c.ns, "other_call": c.ns}, map[string]int64{"running": second})
		call := profile.Call{Op: trace.OpFork, Name: "clone", Count: 50, TimeNS: second * 6 / 10}
		call.Latency = profile.Dist{Count: 50, Sum: call.TimeNS, P10: 12e6, P50: 12e6, P90: 12e6, Max: 12e6}
		if call.Size.ByBytes = c.size; c.size > 0 {
			call.Size.Count = 50
		}
		p.Calls = []profile.Call{{Op: trace.OpSpawn, Name: "clone", Count: 5, TimeNS: second}, call}
		p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{
			{NS: second - c.ns - c.child, Place: profile.PathPlace{What: "runs", Label: "cpu", Process: "sh"}},
			{NS: c.child, Place: profile.PathPlace{What: "runs", Label: "cpu", Process: "sh", Copy: true}},
			{NS: c.ns, Place: profile.PathPlace{What: "runs", Label: "other_call", Process: "redis-server", Call: "fork"}}}}
		var codes []string
		for _, r := range verdict.Judge(p).Causes {
			if codes = append(codes, r.Code); r.Code == cause.Fork && r.Text != c.text {
				t.Errorf("%s: %q", c.name, r.Text)
			}
		}
		if strings.Join(codes, " ") != c.codes {
			t.Errorf("%s: %v, want %s", c.name, codes, c.codes)
		}
	}
}
