package verdict

import (
	"fmt"
	"path"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// lockedOut is for operations that waited for a lock of a file (flock, fcntl) while others held it. What these did
// meanwhile is of their own operations; of those that waited it was a wait for the lock.
func lockedOut(a *account) {
	file, index, ns := a.underLocks()
	if a.p.Path != nil || ns == 0 {
		return
	}
	most := &a.along()[index]
	a.figure("locked_out_ns", float64(ns))
	a.because(profile.Reason{
		Code: cause.BlockedInCall, Name: "a lock on a file", TimeNS: a.takeUpTo(ns, inCall),
		Certainty: cause.Measured, Remedy: shorter,
		Text: fmt.Sprintf("waiting for a lock on %s, which others of %s held: %s in all, most of it while the holder %s",
			file, most.Place.Process, unit.Nanoseconds(ns), holding(&most.Place)),
		Evidence: []profile.Evidence{at(fmt.Sprintf("/operations/parts/%d/ns", index), float64(most.NS))},
	})
}

const shorter = "a shorter time under the lock, or a lock for each"

// takingTurns says of the first cause of a command that most of the time went by under a lock of a file, for which
// others of the workload waited: they took turns, and what the cause is of was done by one after the other.
func takingTurns(a *account, r *profile.Reason) {
	file, index, ns := a.underLocks()
	if a.p.Path == nil || 2*ns <= a.total || r.Code == cause.BlockedInCall {
		return
	}
	r.Text = fmt.Sprintf("one at a time, as others waited for the lock on %s, %s in all: %s", file,
		unit.Nanoseconds(ns), r.Text)
	r.Remedy = shorter + "; " + r.Remedy
	r.Evidence = append(r.Evidence, at(fmt.Sprintf("/path/parts/%d/ns", index), float64(a.along()[index].NS)))
	if r.Figures == nil {
		r.Figures = map[string]float64{}
	}
	r.Figures["locked_out_ns"] = float64(ns)
}

// underLocks is the time in which somebody on the path held a lock of a file for which another of the workload waited,
// the part that was the longest, and the file, if most of it was under the lock of one.
func (a *account) underLocks() (file string, index int, ns int64) {
	files := map[string]int64{}
	parts := a.along()
	for i := range parts {
		x := &parts[i]
		if x.Place.Lock == "" {
			continue
		}
		if ns == 0 || x.NS > parts[index].NS {
			index = i
		}
		files[x.Place.Lock] += x.NS
		ns += x.NS
	}
	if file = "files"; ns > 0 && 2*files[parts[index].Place.Lock] > ns {
		file = path.Base(parts[index].Place.Lock)
	}
	return file, index, ns
}

// holding is what the holder of a lock did.
func holding(x *profile.PathPlace) string {
	switch {
	case x.Device != "":
		return "waited for " + x.Device
	case x.What == "sleeps":
		return "slept"
	case x.What == "runs":
		return "ran"
	case x.What == "ready":
		return "waited for a CPU"
	}
	return "waited for others"
}
