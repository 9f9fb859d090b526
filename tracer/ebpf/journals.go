//go:build linux

package ebpf

import (
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// journals are the threads of the kernel that write the journal of an ext4, each with what is known of it. There are as
// many as file systems were mounted.
type journals map[uint32]*journalThread

// journalThread is one of them.
type journalThread struct {
	followed, awaited bool   // as a helper; it woke a recorded thread
	own, others       uint32 // blocks of the transaction that it writes: struct commit of bpf/iotrace.h
}

func (j journals) of(tid uint32) *journalThread {
	if j[tid] == nil {
		j[tid] = &journalThread{}
	}
	return j[tid]
}

// helper learns of a thread that is followed from now on. Its number may have been another's before.
func (j journals) helper(p *trace.Process) {
	if p.OfKernel() && strings.HasPrefix(p.Command, "jbd2/") {
		j.of(p.TID).followed = true
	} else {
		delete(j, p.TID)
	}
}

// woke notes that a thread woke a recorded one.
func (j journals) woke(tid uint32) {
	if one := j[tid]; one != nil && one.followed {
		one.awaited = true
	}
}

// commit learns for whom the transaction is that a thread is about to write.
func (j journals) commit(r *iotraceCommit) {
	one := j.of(r.Tid)
	one.own, one.others = r.Own, r.Others
}

// awaited reports whether a request is of a journal that recorded threads wait for. Where its transactions are not
// known, all of it counts as the workload's from the first time on that its thread woke the program.
func (j journals) awaited(q *trace.Request) bool {
	one := j[q.TID]
	return q.File == 0 && one != nil && one.awaited
}

// known reports whether programs changed something that the transaction holds. What threads of the kernel changed, who
// write back for everybody, does not tell for whom it is.
func (j *journalThread) known() bool { return j.own > 0 || j.others > 0 }

// divide gives others their part of a request, and reports whether that is all of it.
func (j *journalThread) divide(q *trace.Request) bool {
	if j.own == 0 {
		return true
	}
	q.Others = q.Bytes * int64(j.others) / (int64(j.own) + int64(j.others))
	return false
}
