package analyzer

import (
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// Threads that begin to wait while another one syncs wait behind that; those of a pool, who waited before, and those
// who wait for far longer do not.
func TestBehindSyncs(t *testing.T) {
	const syncs, each = 20, 10 * ms
	for name, c := range map[string]struct {
		after, lasts int64 // of each wait: when it begins, from the beginning of a sync on, and how long it is
		by           trace.WakeSource
		want         bool
	}{
		"a lock":                     {ms, each - ms, trace.WokenByThread, true},
		"a pool":                     {-ms, each + ms, trace.WokenByThread, false},
		"another thread's long work": {ms, 10 * each, trace.WokenByThread, false},
		"a timeout":                  {ms, each - ms, trace.WokenByTimer, false},
	} {
		s := newScene(t, "ledger")
		f := s.create("/srv/ledger")
		for range syncs {
			s.write(f, 0, 4*KiB, us)
			from := s.now + c.after
			for tid := s.pid + 1; tid <= s.pid+2; tid++ {
				s.put(from+c.lasts, &trace.Wait{Start: from, Duration: c.lasts, PID: s.pid, TID: tid, Cause: trace.WaitFutex,
					By: c.by, Waker: s.tid})
			}
			s.call(trace.Syscall{Op: trace.OpDataSync, File: f, Offset: trace.NoOffset}, each)
			s.think(10 * each)
		}
		s.returns()
		p := s.profile()
		if got, want := p.Processes[0].BehindNS, int64(2*syncs*(each-ms)); c.want && got != want || !c.want && got != 0 {
			t.Errorf("%s: %d behind syncs, want %d", name, got, want)
		}
		told := slices.ContainsFunc(p.Verdict.Causes, func(r profile.Reason) bool {
			return strings.Contains(r.Text, "other threads of ledger (")
		})
		if told != c.want {
			t.Errorf("%s: %+v", name, p.Verdict.Causes)
		}
	}
}
