package verdict

import (
	"cmp"
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
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
		ns += a.takeOf(waitedFor(of), a.within(of, u), u)
	}
	return ns
}

// waitedFor are the kinds of time in which such calls waited, as far as these are told apart.
func waitedFor(of func(trace.Op) bool) func(timeline.Kind) bool {
	syncs, names := of(trace.OpSync), of(trace.OpStat)
	return func(k timeline.Kind) bool {
		switch k.Within() {
		case "sync":
			return syncs
		case "names":
			return names
		}
		return !syncs && !names
	}
}

// forSync are the kinds of time in which calls waited that make data durable.
func forSync(k timeline.Kind) bool { return k.Within() == "sync" }

// within is the time on the path in calls of a kind that was spent in one way.
func (a *account) within(of func(trace.Op) bool, u use) int64 {
	return a.onPath(func(x *profile.PathPart) bool {
		return x.Place.Call != "" && of(trace.OpNamed(x.Place.Call)) && labels[x.Place.Label] == u
	})
}

// itsDevice says which device another program waited for while the workload waited for it at a pipe or a socket, if
// that was most of so much time.
func (a *account) itsDevice(f *profile.File, ns int64) string {
	waited := map[[2]string]int64{}
	var most [2]string
	for _, x := range a.along() {
		at := &x.Place
		if at.Device == "" || !at.Helper || at.File != f.Path && at.Beyond == "" {
			continue
		}
		k := [2]string{cmp.Or(at.Beyond, at.Process), at.Device}
		if waited[k] += x.NS; waited[k] > waited[most] {
			most = k
		}
	}
	if 2*waited[most] <= ns {
		return ""
	}
	a.figure("itself_waited_ns", float64(waited[most]))
	return fmt.Sprintf("; %s there waited %s for %s", most[0], unit.Nanoseconds(waited[most]), most[1])
}

// askedOften says how many waits for a stream there were on the path, and how long they took, if there were several.
func (a *account) askedOften(f *profile.File) string {
	var waits, ns int64
	for _, x := range a.along() {
		if p := &x.Place; p.File == f.Path && p.Call != "" && labels[p.Label] == inCall {
			waits, ns = waits+x.Waits, ns+x.NS
		}
	}
	if waits < several {
		return ""
	}
	a.figure("waits", float64(waits))
	a.figure("wait_ns", float64(ns/waits))
	return fmt.Sprintf(": %s, %s each on average", unit.Things(waits, "wait"), unit.Nanoseconds(ns/waits))
}
