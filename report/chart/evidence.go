package chart

import (
	"cmp"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/sorting"
)

// litLabels are the labels of the time stack that a cause of the verdict takes its time
// from.
var litLabels = map[string][]string{
	"sync": {"sync"}, "compression": {"sync", "draining"}, "settling": {"draining"}, "dirty_limit": {"throttled"},
	"small_calls": {"page_cache", "cpu"}, "discards": {"device_other"}, "page_cache": {"page_cache"},
	"names": {"metadata"}, "copy_up": {"metadata", "other_call"}, "own_cpu": {"cpu"}, "fork": {"other_call"},
	"wake_up": {"ready"}, "cpu_contention": {"ready"}, "cpu_quota": {"ready"}, "stolen_cpu": {"ready"},
	"thread_lock": {"waiting"}, "think_time": {"waiting"}, "user_space_fs": {"other_call"}, "network_fs": {"other_call"},
	"other_end": {"other_call"}, "blocked_in_call": {"other_call", "lock"},
	"limit_above": {"io_wait", "queued", "draining"}, "outside_of_calls": {"outside"},
}

// maxLit bounds the stretches of a cause: the longest stay.
const maxLit = 200

// lit are the stretches in which a cause took half of the time or more. A drive reads or
// writes, as the evidence says.
func lit(p *profile.Profile, r *profile.Reason) (stretches [][2]int64) {
	c, b := p.Charts, bandOf(p, r)
	for bin, ns := range b.over(c.Stack) {
		from := int64(bin) * c.BinNS
		if n := len(stretches); 2*ns < float64(min(c.BinNS, c.Timeline.EndNS-from)) {
			continue
		} else if n > 0 && stretches[n-1][1] == from {
			stretches[n-1][1] += c.BinNS
		} else {
			stretches = append(stretches, [2]int64{from, from + c.BinNS})
		}
	}
	sorting.Stably(stretches, func(a, b [2]int64) int { return cmp.Compare(b[1]-b[0], a[1]-a[0]) })
	stretches = stretches[:min(len(stretches), maxLit)]
	sorting.Stably(stretches, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	return stretches
}

// bandOf is the time of a cause: what it is made of where that is known, else that under its labels.
func bandOf(p *profile.Profile, r *profile.Reason) band {
	if len(r.Parts) > 0 {
		return band{of: timesOf(p, r).of}
	}
	return band{of: under(labelsOf(r)...)}
}

// labelsOf are the labels of the time stack that a cause takes its time from, the one that names it last where it is a
// drive.
func labelsOf(r *profile.Reason) []string {
	if labels := litLabels[r.Code]; labels != nil {
		return labels
	}
	about := func(way string) bool {
		return slices.ContainsFunc(r.Evidence, func(e profile.Evidence) bool { return strings.Contains(e.Pointer, way) })
	}
	switch read, write := about("/read"), about("/write"); {
	case read && !write:
		return []string{"device_both", "device_read"}
	case write && !read:
		return []string{"device_both", "device_write"}
	}
	return []string{"device_read", "device_write", "device_both"}
}

// CauseColor is the colour that a cause has in the charts over time.
func CauseColor(r *profile.Reason) string {
	labels := labelsOf(r)
	if _, known := litLabels[r.Code]; known {
		return StackColor(labels[0])
	}
	return StackColor(labels[len(labels)-1])
}
