// Package cgroups reports what the control groups of recorded processes allow them. That is how long a quota of
// processor time kept them from running, and which I/O limits they have at which devices. It also reports how often
// they reached a limit of memory. It also finds the groups that processes are to be recorded by, those of containers
// among them.
package cgroups

import (
	"time"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
)

// The groups of processes are looked up often at first, when a command joins its own, and then as rarely as can be
// borne: what they did to a process that moved into a group since is missed for so long. Limits of the groups that are
// known are read each time as soon as there are any, which takes some microseconds for each group.
const (
	every  = 100 * time.Millisecond
	rarely = 10 // looks
)

// Search goes on from Open to Close.
type Search struct {
	quotas *quotas
	limits *limits
	memory *shortages
	stop   chan struct{}
	done   chan struct{}
}

// Open begins to look. running names the recorded processes that run, and now is the time on the clock of the trace;
// both are called from a goroutine.
func Open(running func() []uint32, now func() int64) *Search {
	on := mounts()
	s := &Search{quotas: newQuotas(on), limits: newLimits(on, now), memory: newShortages(on),
		stop: make(chan struct{}), done: make(chan struct{})}
	go s.look(running)
	return s
}

func (s *Search) look(running func() []uint32) {
	defer close(s.done)
	t := time.NewTicker(every)
	defer t.Stop()
	for looks := 0; ; looks++ {
		all := looks < rarely || looks%rarely == 0
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

// Found is what a search came upon.
type Found struct {
	Held   []trace.Held        // by a quota, longest first
	Limits []trace.IOLimit     // in the order of time
	Memory []trace.MemoryLimit // that were reached, most often first
}

// Close ends the search.
func (s *Search) Close() Found {
	close(s.stop)
	<-s.done
	return Found{s.quotas.held(), s.limits.list, s.memory.list()}
}
