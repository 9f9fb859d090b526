package verdict

import "github.com/iotrace/iotrace/analyzer/profile"

// states are the uses behind the times of threads; waiting for I/O is divided by
// the labels.
var states = map[string]use{
	"sync_calls": inSync, "throttled": onThrottle, "data_calls": inData, "metadata_calls": inMeta,
	"other_calls": inOther,
	"running":     running, "waking": waking, "ready": ready, "blocked_in_call": inCall,
}

// slack is by how much the times of threads may exceed the wall time if one thread at a
// time is active: the end of a call and the start of a wait are not one event.
const slack = 1.02

// byThreads replaces what the labels say by the times of the one thread that is active.
func (a *account) byThreads(t *profile.TimeStack, active int64) {
	waits := []use{onReads, onWrites, onFlush, onQueue, onNothing}
	var seen int64
	for _, u := range waits {
		seen += a.spent[u]
	}
	waited := t.ThreadNS["waiting_io"]
	for _, u := range waits {
		if seen > 0 {
			a.spent[u] = int64(float64(a.spent[u]) / float64(seen) * float64(waited))
		}
	}
	if seen == 0 {
		a.spent[onNothing] = waited
	}
	for name, u := range states {
		a.spent[u] = t.ThreadNS[name]
	}
	a.spent[running] += t.ThreadNS["async_calls"]
	a.spent[idle] = max(t.WallNS-active, 0)
}

// contended moves what the workload seemed to run, but did not by the kernel's count of
// its CPU time, to the time it was ready and others ran.
func (a *account) contended() {
	uses := []use{inData, inMeta, inOther, running}
	var seemed, used int64
	for _, u := range uses {
		seemed += a.spent[u]
	}
	for i := range a.p.Processes {
		if a.p.Processes[i].CPUNS < 0 {
			return
		}
		used += a.p.Processes[i].CPUNS
	}
	if used <= 0 || float64(used) > fourFifths*float64(seemed) {
		return
	}
	for _, u := range uses {
		kept := int64(float64(a.spent[u]) / float64(seemed) * float64(used))
		a.spent[ready] += a.spent[u] - kept
		a.spent[u] = kept
	}
}

// crowded is for several threads: at most instants one of them runs, and yet each waits for
// a processor much of the time. If they did not use up the processors themselves, that part
// of the time in which they ran is the time they were ready.
func (a *account) crowded(t *profile.TimeStack) {
	uses := []use{inData, inMeta, inOther, running}
	ran := a.ran()
	waited := t.ThreadNS["ready"] - a.spent[ready]
	if ran <= 0 || waited <= 0 || float64(ran) > fourFifths*float64(t.WallNS)*float64(max(a.p.Trace.CPUs, 1)) {
		return
	}
	part := float64(waited) / float64(ran+waited)
	for _, u := range uses {
		moved := int64(part * float64(a.spent[u]))
		a.spent[u] -= moved
		a.spent[ready] += moved
	}
}

// starved reports whether threads that wanted to run waited for a processor longer than they
// had one.
func (a *account) starved() bool {
	return a.p.TimeStack.ThreadNS["ready"] > a.ran()
}

// ran is for how long threads ran, in calls or outside, added up.
func (a *account) ran() int64 {
	t := a.p.TimeStack.ThreadNS
	return t["running"] + t["data_calls"] + t["metadata_calls"] + t["other_calls"]
}
