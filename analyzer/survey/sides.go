package survey

import (
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// sides finds out on which side of each conversation the recorded programs are: whoever connects asks, whoever accepts
// answers, and else whoever speaks first asks, as nearly every protocol has it.
//
// Calls that ended soon after one another may come in another order, so times decide.
type sides struct {
	// when a program first accepted somebody: it may speak first on what it has got then, and greet; 0:
	// never
	accepts int64
}

func (x *sides) call(e *trace.Syscall, f *world.File, t *ThreadSurvey, address string) {
	at := max(e.End(), 1)
	switch {
	case e.Op == trace.OpAccept:
		if e.Result >= 0 {
			first(&x.accepts, at)
		}
	case f == nil || f.Kind != trace.FileSocket || f.Other:
	case e.Op == trace.OpConnect:
		f.Side = world.Asks
		if address != "" {
			f.Peer = address
		}
	case e.Result <= 0 || !e.Op.MovesData():
	case e.Op == trace.OpRead || e.Op.Reads() && e.File2 == 0:
		first(&f.HeardAt, at)
	default:
		first(&f.SaidAt, at)
		if t.spoke == nil || x.of(t.spoke) == world.Asks {
			t.spoke = f
		}
	}
}

// first keeps the earlier of two times.
func first(kept *int64, at int64) {
	if *kept == 0 || at < *kept {
		*kept = at
	}
}

// of is on which side of a socket the program is, as far as that is known by now.
func (x *sides) of(f *world.File) world.Side {
	switch {
	case f.Side != world.NoSide:
		return f.Side
	case f.HeardAt > 0 && (f.SaidAt == 0 || f.HeardAt <= f.SaidAt), x.accepts > 0 && x.accepts <= f.SaidAt:
		return world.Answers
	case f.SaidAt > 0:
		return world.Asks
	}
	return world.NoSide
}
