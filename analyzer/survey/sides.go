package survey

import (
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// sides finds out on which side of each conversation the recorded programs are: whoever connects asks, whoever accepts
// answers, and else whoever speaks first asks, as nearly every protocol has it.
type sides struct {
	accepts bool // a program accepted somebody; it may speak first on what it has got then, and greet
}

func (x *sides) call(e *trace.Syscall, f *world.File, t *ThreadSurvey) {
	switch {
	case e.Op == trace.OpAccept:
		x.accepts = x.accepts || e.Result >= 0
	case f == nil || f.Kind != trace.FileSocket || f.Other:
	case e.Op == trace.OpConnect:
		f.Side = world.Asks
	case e.Result <= 0 || !e.Op.MovesData():
	case e.Op.Reads() && e.File2 == 0:
		f.Heard = true
		if f.Side == world.NoSide {
			f.Side = world.Answers
		}
	default:
		if f.Side == world.NoSide {
			f.Side = world.Asks
			if x.accepts {
				f.Side = world.Answers
			}
		}
		if t.spoke == nil || t.spoke.Side == world.Asks {
			t.spoke = f
		}
	}
}

// Spoke is a socket on which a thread said something, one at which its program is asked if there was one; nil if none.
func (s *Survey) Spoke(tid uint32) *world.File {
	if t := s.Threads[tid]; t != nil {
		return t.spoke
	}
	return nil
}
