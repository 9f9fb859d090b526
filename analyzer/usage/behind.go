package usage

import (
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// maxSyncs is how many syncs of a process that may still go on are kept.
const maxSyncs = 8

// behindSyncs finds threads that wait while another one of their process syncs, as for a lock that it holds meanwhile,
// or for the end of a sync that is for all of them.
type behindSyncs struct {
	syncs [maxSyncs]struct {
		start, end int64
		tid        uint32
	}
	next int
	ns   int64 // added up over threads
}

// call keeps a sync.
func (b *behindSyncs) call(e *world.Call) {
	if !e.Op.Durability() || e.Duration == 0 {
		return
	}
	s := &b.syncs[b.next]
	s.start, s.end, s.tid = e.Start, e.End(), e.TID
	b.next = (b.next + 1) % maxSyncs
}

// wait adds a wait for another thread that began in a sync of another one, if most of it was during that. One that
// began before was for something else: a thread of a pool waits to be given work.
func (b *behindSyncs) wait(e *world.Wait) {
	if e.Cause != trace.WaitFutex || e.By != trace.WokenByThread {
		return
	}
	var during int64
	for i := range b.syncs {
		if s := &b.syncs[i]; s.tid != e.TID && s.start <= e.Start {
			during = max(during, min(s.end, e.End())-e.Start)
		}
	}
	if 2*during > e.Duration {
		b.ns += during
	}
}
