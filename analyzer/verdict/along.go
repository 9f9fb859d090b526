package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// onPath is the time on the critical path of the parts that a rule asks for; 0 where there is no path.
func (a *account) onPath(of func(*profile.PathPart) bool) (ns int64) {
	parts := a.along()
	for i := range parts {
		if x := &parts[i]; of(x) {
			ns += x.NS
		}
	}
	return ns
}

// along are the parts of the critical path, or of all operations.
func (a *account) along() []profile.PathPart {
	switch {
	case a.p.Path != nil:
		return a.p.Path.Parts
	case a.p.Operations != nil:
		return a.p.Operations.Parts
	}
	return nil
}

// takeWithin moves the time on the path in calls of a kind from uses to a cause.
func (a *account) takeWithin(of func(trace.Op) bool, uses ...use) (ns int64) {
	for _, u := range uses {
		ns += a.takeUpTo(a.within(of, u), u)
	}
	return ns
}

// within is the time on the path in calls of a kind that was spent in one way.
func (a *account) within(of func(trace.Op) bool, u use) int64 {
	return a.onPath(func(x *profile.PathPart) bool {
		return x.Place.Call != "" && of(trace.OpNamed(x.Place.Call)) && labels[x.Place.Label] == u
	})
}

// itsDevice says which device another program waited for while the workload waited for it, if that was most of so much
// time.
func (a *account) itsDevice(ns int64) string {
	waited := map[[2]string]int64{}
	var most [2]string
	for _, x := range a.along() {
		if x.Place.Beyond == "" || x.Place.Device == "" {
			continue
		}
		k := [2]string{x.Place.Beyond, x.Place.Device}
		if waited[k] += x.NS; waited[k] > waited[most] {
			most = k
		}
	}
	if 2*waited[most] <= ns {
		return ""
	}
	a.figure("itself_waited_ns", float64(waited[most]))
	return fmt.Sprintf("; that is %s, which itself waited %s for %s", most[0], unit.Nanoseconds(waited[most]), most[1])
}
