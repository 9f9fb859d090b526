package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// What helps with a mapped file depends on the order in which it is touched, on what the kernel was told of that, and
// on how much came in each time.
func TestAdviceOnMappings(t *testing.T) {
	order, random := &profile.AccessPattern{Sequential: 1}, &profile.AccessPattern{Sequential: .5, Backward: .5}
	down := &profile.AccessPattern{Backward: 1}
	for _, c := range []struct {
		name    string
		pattern *profile.AccessPattern
		filled  int64 // of 400 MB, with 100 waits
		advice  string
		want    string
	}{
		{"in order", order, 128 << 10, "", "ask ahead"},
		{"in order, though told that it is not", order, 4096, "random", "leave out MADV_RANDOM"},
		{"all of it, backwards, as memcpy goes at times", down, 4 << 20, "random", "leave out MADV_RANDOM"},
		{"at random, with much around it", random, 1 << 20, "", "MADV_RANDOM, so that"},
		{"at random, page by page", random, 4096, "random", "touch it in order"},
		{"at random, and little around it", random, 16 << 10, "", "touch it in order"},
	} {
		p := spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
		p.Files = []profile.File{{Path: "/data", Size: 400 << 20, Faults: &profile.FaultCount{Count: 100, TimeNS: second,
			Filled:  100 * c.filled,
			Pattern: c.pattern}}}
		if c.advice != "" {
			p.Calls = []profile.Call{{Op: trace.OpAdvise, Name: "madvise", Count: 1, Advice: map[string]int64{c.advice: 1}}}
		}
		if v := verdict.Judge(p); v.Causes[0].Code != cause.MappedReads || !strings.HasPrefix(v.Causes[0].Remedy, c.want) {
			t.Errorf("%s: %+v", c.name, v.Causes)
		}
	}
}
