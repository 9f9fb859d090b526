package usage

import (
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// refusals are the files on which threads were last refused a lock, and did nothing since but with that lock: what they
// sleep then is time in which they wait for it. A file may be the lock itself, for who makes it has the lock.
type refusals map[uint32]*fileStats

// call takes a call; file is what was done to its file.
func (r refusals) call(e *world.Call, file *fileStats) {
	switch {
	case e.Op == trace.OpLock && (e.Result == -again || e.Result == -denied):
		r[e.TID] = file
	case e.Result == -exists && makes(e.Op):
		r[e.TID] = file
	case len(r) > 0 && (e.Op != trace.OpLock || r[e.TID] != file):
		delete(r, e.TID)
	}
}

// wait takes a time off the CPU.
func (r refusals) wait(e *world.Wait) {
	if len(r) == 0 || e.Cause != trace.WaitSleep && e.Cause != trace.WaitTimeout {
		return
	}
	if s := r[e.TID]; s != nil {
		s.retries += e.Duration
		delete(r, e.TID)
	}
}

// makes reports whether a call makes a name, unless there is one.
func makes(op trace.Op) bool {
	return op == trace.OpOpen || op == trace.OpMkdir || op == trace.OpLink || op == trace.OpSymlink
}

// A lock that somebody else has is refused by one of these: EAGAIN, EACCES. A name that is there, by EEXIST.
const (
	again  = 11
	denied = 13
	exists = 17
)
