package chart

import (
	"cmp"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// litLabels are the labels of the time stack that a cause of the verdict takes its time
// from.
var litLabels = map[string][]string{
	"sync": {"sync"}, "compression": {"sync", "draining"}, "settling": {"draining"}, "dirty_limit": {"throttled"},
	"small_calls": {"page_cache", "cpu"}, "discards": {"device_other"}, "page_cache": {"page_cache"},
	"names": {"metadata"}, "copy_up": {"metadata", "other_call"}, "own_cpu": {"cpu"},
	"wake_up": {"ready"}, "cpu_contention": {"ready"}, "cpu_quota": {"ready"}, "stolen_cpu": {"ready"},
	"think_time": {"waiting"}, "user_space_fs": {"other_call"}, "network_fs": {"other_call"},
	"other_end": {"other_call"}, "blocked_in_call": {"other_call", "lock"},
	"limit_above": {"io_wait", "queued", "draining"}, "outside_of_calls": {"outside"},
}

// maxLit bounds the stretches of a cause: the longest stay.
const maxLit = 200

// lit are the stretches in which a cause took half of the time or more. A drive reads or
// writes, as the evidence says.
func lit(c *profile.Charts, r *profile.Reason) (stretches [][2]int64) {
	labels := litLabels[r.Code]
	if labels == nil {
		labels = []string{"device_both", "device_read", "device_write"}
		about := func(way string) bool {
			return slices.ContainsFunc(r.Evidence, func(e profile.Evidence) bool { return strings.Contains(e.Pointer, way) })
		}
		if read, write := about("/read"), about("/write"); read != write {
			labels = []string{"device_both", map[bool]string{true: "device_read", false: "device_write"}[read]}
		}
	}
	for bin := range c.Bins {
		var ns int64
		for _, l := range c.Stack {
			if slices.Contains(labels, l.Label) && bin < len(l.NS) {
				ns += l.NS[bin]
			}
		}
		from := int64(bin) * c.BinNS
		if n := len(stretches); 2*ns < min(c.BinNS, c.Timeline.EndNS-from) {
			continue
		} else if n > 0 && stretches[n-1][1] == from {
			stretches[n-1][1] += c.BinNS
		} else {
			stretches = append(stretches, [2]int64{from, from + c.BinNS})
		}
	}
	slices.SortStableFunc(stretches, func(a, b [2]int64) int { return cmp.Compare(b[1]-b[0], a[1]-a[0]) })
	stretches = stretches[:min(len(stretches), maxLit)]
	slices.SortFunc(stretches, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	return stretches
}

// Lit says whether there is something to show of a cause of the verdict.
func (s *Sheet) Lit(cause int) bool { return cause < len(s.Data.Lit) && len(s.Data.Lit[cause]) > 0 }
