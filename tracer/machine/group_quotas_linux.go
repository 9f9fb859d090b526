package machine

import (
	"cmp"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// groupQuotas are the groups that recorded processes were in, with those around them, whose quotas of processor time
// hold as well.
type groupQuotas struct {
	hierarchy
	seen map[string]*span
}

// span is for how long a group had been held back, in ns, when it was first seen and when it was seen last: it may be
// gone when its processes are.
type span struct{ first, last int64 }

func newGroupQuotas(on []host.Mount) *groupQuotas {
	return &groupQuotas{hierarchy: find(on, "cpu", "cpu.cfs_quota_us", "cpu.shares"), seen: map[string]*span{}}
}

// joined takes note of the group of a process, by its memberships.
func (q *groupQuotas) joined(of string) {
	for group := q.member(of); group != "" && group != "/"; group = filepath.Dir(group) {
		if q.seen[group] != nil || len(q.seen) >= maxGroups {
			return // and those around it
		}
		n := q.heldBack(group)
		q.seen[group] = &span{n, n}
	}
}

// heldBack is for how long a quota has kept what is in a group from running, in ns added up over processors, as
// tg_throttle_up and unthrottle_cfs_rq of kernel/sched/fair.c count it.
func (q *groupQuotas) heldBack(group string) int64 {
	for line := range strings.Lines(q.read(group, "cpu.stat")) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.ParseInt(value, 10, 64)
		switch {
		case err != nil || n < 0:
		case name == "throttled_time": // version 1: ns
			return n
		case name == "throttled_usec" && n < 1<<50: // version 2: µs
			return n * 1000
		}
	}
	return 0
}

// look takes note of what has become of the groups.
func (q *groupQuotas) look() {
	for group, s := range q.seen {
		s.last = max(s.last, q.heldBack(group))
	}
}

// held lists the groups that were held back since they were first seen, longest first.
func (q *groupQuotas) held() (list []trace.Held) {
	q.look()
	for group, s := range q.seen {
		if n := max(s.last-s.first, 0); n > 0 {
			list = append(list, trace.Held{Group: group, Time: n})
		}
	}
	sorting.Stably(list, func(a, b trace.Held) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Group, b.Group))
	})
	return list[:min(len(list), trace.MaxHeld)]
}
