package verdict

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"

	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/trace"
)

// mostOf names the process that computed most, where there are several and one stands out; else it says what computing
// is. If it is not known of some,
// such as those that have not ended, what the threads of all ran is what it is held against.
func mostOf(a *account) string {
	var most *profile.Process
	var all, ran int64
	for i := range a.p.Processes {
		p := &a.p.Processes[i]
		if all += max(p.CPUNS, 0); p.CPUNS < 0 && ran == 0 {
			ran = a.ran()
		}
		if most == nil || p.CPUNS > most.CPUNS {
			most = p
		}
	}
	if all = max(all, ran); len(a.p.Processes) < 2 || all == 0 || 2*most.CPUNS < all || most.Command == "" {
		return "on a CPU, outside of calls that move data"
	}
	return fmt.Sprintf("most of it %s: %s of CPU time", called(most), wording.Duration(most.CPUNS))
}

// between names the processes that have a pipe or a socket. Both ends of a pipe are one file, those of a socket two.
func between(a *account, f *profile.File) string {
	list, other := users(a, f), atOtherEnd(a.p, f)
	switch {
	case len(list) == 0:
		return ""
	case len(list) == 1 && other != "":
		return fmt.Sprintf(" between %s and %s", called(list[0]), other)
	case len(list) == 1 && f.Type == trace.FileSocket:
		return fmt.Sprintf(" of %s", called(list[0]))
	case len(list) == 1:
		return fmt.Sprintf(" of %s, which no recorded process has", called(list[0]))
	}
	words := " of " + names(list)
	if len(list) > 3 {
		words = fmt.Sprintf(" of %s and %d others", names(list[:2]), len(list)-2)
	}
	if f.Type == trace.FileSocket && other != "" {
		words += ", with " + other + " at the other end"
	}
	return words
}

// holder names who may have held a lock on a file: those of the recorded processes that used it, but for the one that
// waited longest.
func holder(a *account, f *profile.File) string {
	if f == nil {
		return "another process"
	}
	if h := holdersOf(a.p, f, trace.HeldLock); h != "" {
		return h
	}
	switch list := users(a, f); {
	case len(list) < 2:
		return "a process that was not recorded"
	case len(list) < 4:
		return "another process, " + names(list[1:]) + ","
	}
	return "another process"
}

// users are the recorded processes that used a file, those that were blocked in calls longest first. A shell that made
// a pipe for others of them is none.
func users(a *account, f *profile.File) (list []*profile.Process) {
	for i := range a.p.Processes {
		if p := &a.p.Processes[i]; slices.Contains(f.Processes, p.PID) {
			list = append(list, p)
		}
	}
	if len(list) > 2 {
		parents := map[uint32]bool{}
		for _, p := range list {
			parents[p.Parent] = true
		}
		list = slices.DeleteFunc(list, func(p *profile.Process) bool { return parents[p.PID] })
	}
	slices.SortStableFunc(list, func(p, q *profile.Process) int { return cmp.Compare(q.WaitNS.Call, p.WaitNS.Call) })
	return list
}

func names(list []*profile.Process) string {
	var words []string
	for _, p := range list {
		words = append(words, called(p))
	}
	return wording.List(words)
}

// called is a process as its user knows it.
func called(p *profile.Process) string { return fmt.Sprintf("%s (%d)", p.Command, p.PID) }
