package machine

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// groupCounter follows a number of the groups that recorded processes were in, and of those around them, whose limits
// hold as well. The number only grows.
type groupCounter struct {
	hierarchy
	number func(group string) int64
	seen   map[string]*span
}

// span is a number when a group was first seen and when it was seen last: the group may be gone when its processes are.
type span struct{ first, last int64 }

// joined takes note of the group of a process, by its memberships.
func (c *groupCounter) joined(of string) {
	for group := range c.around(of) {
		if group == "/" || c.seen[group] != nil || len(c.seen) >= maxGroups {
			return // and those around it
		}
		n := c.number(group)
		c.seen[group] = &span{n, n}
	}
}

// look takes note of what has become of the groups.
func (c *groupCounter) look() {
	for group, s := range c.seen {
		s.last = max(s.last, c.number(group))
	}
}

// growth is by how much the number of a group grew since it was first seen.
type growth struct {
	group string
	by    int64
}

// grown lists the groups whose number grew, most first.
func (c *groupCounter) grown() (list []growth) {
	c.look()
	for group, s := range c.seen {
		if n := s.last - s.first; n > 0 {
			list = append(list, growth{group, n})
		}
	}
	sorting.Stably(list, func(a, b growth) int { return cmp.Or(cmp.Compare(b.by, a.by), cmp.Compare(a.group, b.group)) })
	return list
}

// groupQuotas are for how long quotas of processor time held groups back, in ns.
type groupQuotas struct{ groupCounter }

func newGroupQuotas(on []host.Mount) *groupQuotas {
	q := &groupQuotas{}
	q.groupCounter = groupCounter{find(on, "cpu", "cpu.cfs_quota_us", "cpu.shares"), q.heldBack, map[string]*span{}}
	return q
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

// held lists the groups that were held back since they were first seen, longest first.
func (q *groupQuotas) held() (list []trace.Held) {
	for _, g := range q.grown() {
		list = append(list, trace.Held{Group: g.group, Time: g.by})
	}
	return list[:min(len(list), trace.MaxHeld)]
}

// groupShortages are how often groups came up against their limits of memory.
type groupShortages struct {
	groupCounter
	limits map[string]int64 // the latest of each group that has one
}

func newGroupShortages(on []host.Mount) *groupShortages {
	s := &groupShortages{limits: map[string]int64{}}
	s.groupCounter = groupCounter{find(on, "memory", "memory.limit_in_bytes"), s.reached, map[string]*span{}}
	return s
}

// reached is how often a group came up against its limit, which is noted.
func (s *groupShortages) reached(group string) (n int64) {
	if limit := s.limit(group); limit < unlimited {
		s.limits[group] = limit
	}
	if !s.unified {
		return max(limitOr(s.read(group, "memory.failcnt"), 0), 0)
	}
	for line := range strings.Lines(s.read(group, "memory.events")) {
		switch name, value, _ := strings.Cut(line, " "); name {
		case "high", "max":
			n += max(limitOr(value, 0), 0)
		}
	}
	return n
}

// list names the groups that came up against their limits since they were first seen, those that did so most first.
func (s *groupShortages) list() (list []trace.MemoryLimit) {
	for _, g := range s.grown() {
		if limit, known := s.limits[g.group]; known {
			list = append(list, trace.MemoryLimit{Group: g.group, Bytes: limit, Reached: g.by})
		}
	}
	return list[:min(len(list), trace.MaxMemoryLimits)]
}
