package usage

import (
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// refusals are the files on which threads were last refused a lock, and did nothing since but sleep: once they ask
// again, that was time in which they waited for it. A file may be the lock itself, for who makes it has the lock.
type refusals map[uint32]refusal

type refusal struct {
	file  *fileStats
	slept int64
}

// call takes a call; file is what was done to its file. What a thread gives back before it sleeps is no try.
func (r refusals) call(e *world.Call, file *fileStats) {
	last, refused := r[e.TID]
	again := refused && last.file == file && (e.Op == trace.OpLock || makes(e.Op))
	if again {
		file.retries += last.slept
		if last.slept > 0 {
			file.tries++
		}
	}
	switch {
	case e.Op == trace.OpLock && (e.Result == -tryAgain || e.Result == -denied), makes(e.Op) && e.Result == -exists:
		r[e.TID] = refusal{file: file}
	case refused && !(again && last.slept == 0):
		delete(r, e.TID)
	}
}

// wait takes a time off the CPU.
func (r refusals) wait(e *world.Wait) {
	if len(r) == 0 || e.Cause != trace.WaitSleep && e.Cause != trace.WaitTimeout {
		return
	}
	if last, ok := r[e.TID]; ok {
		last.slept += e.Duration
		r[e.TID] = last
	}
}

// made is the file that a call is about: of a link the new name, which may be there already.
func made(e *world.Call) *world.File {
	if e.Op == trace.OpLink && e.File2 != nil {
		return e.File2
	}
	return e.File
}

// makes reports whether a call makes a name, unless there is one.
func makes(op trace.Op) bool {
	return op == trace.OpOpen || op == trace.OpMkdir || op == trace.OpLink || op == trace.OpSymlink
}

// A lock that somebody else has is refused by one of these: EAGAIN, EACCES. A name that is there, by EEXIST.
const (
	tryAgain = int64(trace.ErrAgain)
	denied   = int64(trace.ErrAccess)
	exists   = int64(trace.ErrExists)
)
