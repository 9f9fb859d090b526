package calls

import "github.com/iotrace/iotrace/internal/bounded"

// maxUnder bounds the calls under way.
const maxUnder = 1 << 16

// underWay are the calls that have begun, of each thread at most one.
type underWay struct {
	calls map[uint32]*entered // by thread
	free  []*entered          // that are used again
	held  bounded.Held        // their texts
}

// keep notes what a thread has begun, if there is room for its texts. Of too many all before are forgotten.
func (u *underWay) keep(tid uint32, begun *entered) bool {
	if len(u.calls) >= maxUnder {
		u.clear()
	}
	e := u.calls[tid]
	if e != nil {
		u.held.Drop(e.text())
	}
	if !u.held.Add(begun.text()) {
		delete(u.calls, tid)
		return false
	}
	if e == nil {
		if last := len(u.free) - 1; last >= 0 {
			e, u.free = u.free[last], u.free[:last]
		} else {
			e = new(entered)
		}
		u.calls[tid] = e
	}
	*e = *begun
	return true
}

// forget drops what a thread has begun; what it was can be read until keep is called again.
func (u *underWay) forget(tid uint32) {
	if e := u.calls[tid]; e != nil {
		u.held.Drop(e.text())
		delete(u.calls, tid)
		if last := len(u.free) - 1; last >= 0 {
			*u.free[last] = entered{} // its texts are not needed any more
		}
		u.free = append(u.free, e)
	}
}

// clear forgets all.
func (u *underWay) clear() {
	clear(u.calls)
	u.held.Clear()
}
