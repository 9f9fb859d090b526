package flight

import (
	"time"

	"github.com/iotrace/iotrace/trace"
)

// What a process has written reaches the disk up to half a minute after it was written, and others may then sync it. So
// one that has ended is known for a while after all of its time has left the window, and the last of them in any case.
const (
	afterlife = time.Minute
	mostEnded = 4096
)

// endings are the processes that have ended and are known, in their order.
type endings struct {
	order []ending
	at    map[uint32]int64 // the last of each number that is nobody else's by now
}

type ending struct {
	pid uint32
	at  int64
}

func (e *endings) add(p *trace.Process) {
	if e.at == nil {
		e.at = map[uint32]int64{}
	}
	e.order, e.at[p.PID] = append(e.order, ending{p.PID, p.Time}), p.Time
}

// again is told that a number is that of another process.
func (e *endings) again(pid uint32) { delete(e.at, pid) }

// outlive forgets processes that had ended before a time, except the last ones.
func (i *identities) outlive(before int64) {
	e := &i.ended
	for len(e.order) > mostEnded && e.order[0].at < before {
		first := e.order[0]
		e.order = e.order[1:]
		if at, ok := e.at[first.pid]; ok && at == first.at {
			delete(e.at, first.pid)
			i.processes.remove(first.pid)
		}
	}
	i.processes.compact()
}
