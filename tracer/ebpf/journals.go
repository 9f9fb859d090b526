//go:build linux

package ebpf

import (
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// journals are the threads of the kernel that write the journal of an ext4 and are followed: true once one of them woke
// a recorded thread. There are as many as file systems were mounted.
type journals map[uint32]bool

// helper learns of a thread that is followed from now on. Its number may have been another's before.
func (j journals) helper(p *trace.Process) {
	if p.OfKernel() && strings.HasPrefix(p.Command, "jbd2/") {
		j[p.TID] = false
	} else {
		delete(j, p.TID)
	}
}

// woke notes that a thread woke a recorded one.
func (j journals) woke(tid uint32) {
	if _, is := j[tid]; is {
		j[tid] = true
	}
}

// awaited reports whether a request is of a journal that recorded threads wait for. What a journal holds has no owner:
// from the first time on that its thread woke a recorded one, all of it counts as the workload's.
func (j journals) awaited(q *trace.Request) bool { return q.File == 0 && j[q.TID] }
