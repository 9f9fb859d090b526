package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
)

// Whoever let a halted workload go on is named, and what a tracer computes is a part of tracing.
func TestHalted(t *testing.T) {
	for _, c := range []struct {
		place      profile.PathPlace
		code, text string
		share      float64
	}{
		{profile.PathPlace{What: "stopped", Label: "waiting", By: "cpulimit", ByPID: 7}, cause.Stopped,
			"until cpulimit (7) continued it: 3 times, 600 ms", 0.6},
		{profile.PathPlace{What: "traced", Label: "waiting", By: "strace", ByPID: 8}, cause.Traced, "for strace (8)", 0.9},
		{profile.PathPlace{What: "frozen", Label: "waiting"}, cause.Frozen, "until another program thawed", 0.6},
		{profile.PathPlace{What: "thaw", Label: "lock", By: "fsfreeze", ByPID: 9, File: "/data/f"}, cause.FrozenFS,
			"until fsfreeze (9) thawed /data (xfs)", 0.6},
	} {
		p := spent(map[string]int64{c.place.Label: 600_000_000, "cpu": 400_000_000}, nil)
		p.Files = []profile.File{{Path: "/data/f", Mount: "/data", FSType: "xfs"}}
		p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{
			{Place: c.place, NS: 600_000_000, Count: 3},
			{Place: profile.PathPlace{What: "runs", Label: "cpu", Process: "strace"}, NS: 300_000_000, Count: 3},
			{Place: profile.PathPlace{What: "runs", Label: "cpu", Process: "sh"}, NS: 100_000_000, Count: 3},
		}}
		got := verdict.Judge(p).Causes[0]
		if got.Code != c.code || got.Certainty != cause.Measured || !strings.Contains(got.Text, c.text) ||
			int(10*got.Share+.5) != int(10*c.share) {
			t.Errorf("%+v", got)
		}
	}
}
