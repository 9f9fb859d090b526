package machine

import (
	"time"

	"github.com/iotrace/iotrace/internal/host"
)

// The groups of processes are looked up often at first, when a command joins its own, and then as rarely as can be
// borne: what they did to a process that moved into a group since is missed for so long. Limits of the groups that are
// known are read each time as soon as there are any, which takes some microseconds for each group.
const (
	groupsEvery  = 100 * time.Millisecond
	groupsRarely = 10 // looks
)

// GroupSearch looks at what the control groups of recorded processes allow them, from OpenGroups to Close: how long a
// quota of processor time kept them from running, which I/O limits they have at which devices, and how often they
// reached a limit of memory.
type GroupSearch struct {
	quotas *groupQuotas
	limits *groupLimits
	memory *groupShortages
	stop   chan struct{}
	done   chan struct{}
}

// OpenGroups begins to look. running names the recorded processes that run, and now is the time on the clock of the
// trace; both are called from a goroutine.
func OpenGroups(running func() []uint32, now func() int64) *GroupSearch {
	on := mounts()
	s := &GroupSearch{quotas: newGroupQuotas(on), limits: newGroupLimits(on, now), memory: newGroupShortages(on),
		stop: make(chan struct{}), done: make(chan struct{})}
	go s.look(running)
	return s
}

func (s *GroupSearch) look(running func() []uint32) {
	defer close(s.done)
	t := time.NewTicker(groupsEvery)
	defer t.Stop()
	for looks := 0; ; looks++ {
		all := looks < groupsRarely || looks%groupsRarely == 0
		if all {
			for _, pid := range running() {
				of := host.Memberships(pid)
				s.quotas.joined(of)
				s.limits.joined(of)
				s.memory.joined(of)
			}
			s.quotas.look()
			s.memory.look()
		}
		if all || len(s.limits.list) > 0 {
			s.limits.look()
		}
		select {
		case <-s.stop:
			return
		case <-t.C:
		}
	}
}

// Close ends the search.
func (s *GroupSearch) Close() FoundGroups {
	close(s.stop)
	<-s.done
	return FoundGroups{s.quotas.held(), s.limits.list, s.memory.list()}
}
