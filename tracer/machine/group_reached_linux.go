package machine

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// groupShortages are the groups that recorded processes were in, with those around them, whose limits of memory hold as
// well.
type groupShortages struct {
	hierarchy
	seen map[string]*shortage
}

// shortage is how often a group had come up against its limit when it was first seen and when it was seen last: it may
// be gone when its processes are.
type shortage struct{ limit, first, last int64 }

func newGroupShortages(on []host.Mount) *groupShortages {
	return &groupShortages{hierarchy: find(on, "memory", "memory.limit_in_bytes"), seen: map[string]*shortage{}}
}

// joined takes note of the group of a process, by its memberships.
func (s *groupShortages) joined(of string) {
	for group := s.member(of); group != "" && group != "/"; group = filepath.Dir(group) {
		if s.seen[group] != nil || len(s.seen) >= maxGroups {
			return // and those around it
		}
		n := s.reached(group)
		s.seen[group] = &shortage{s.limit(group), n, n}
	}
}

// reached is how often a group came up against its limit.
func (s *groupShortages) reached(group string) (n int64) {
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

// look takes note of what has become of the groups.
func (s *groupShortages) look() {
	for group, x := range s.seen {
		if limit := s.limit(group); limit < unlimited {
			x.limit = limit
		}
		x.last = max(x.last, s.reached(group))
	}
}

// list names the groups that came up against their limits since they were first seen, those that did so most first.
func (s *groupShortages) list() (list []trace.MemoryLimit) {
	s.look()
	for group, x := range s.seen {
		if n := x.last - x.first; n > 0 && x.limit < unlimited {
			list = append(list, trace.MemoryLimit{Group: group, Bytes: x.limit, Reached: n})
		}
	}
	sorting.Stably(list, func(a, b trace.MemoryLimit) int {
		return cmp.Or(cmp.Compare(b.Reached, a.Reached), cmp.Compare(a.Group, b.Group))
	})
	return list[:min(len(list), trace.MaxMemoryLimits)]
}
