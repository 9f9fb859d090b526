package verdict

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// mostOf names the process that computed most, where there are several and one stands out, or the command of which many
// did; else it says what computing is. It says what would help, too. If it is not known of some, such as those that
// have not ended, what the threads of all ran is what it is held against.
func mostOf(a *account) (text, remedy string) {
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
	switch all = max(all, ran); {
	case len(a.p.Processes) < 2 || all == 0:
	case 2*most.CPUNS >= all && most.Command != "":
		turns, remedy := inTurn(a, most)
		return fmt.Sprintf("most of it %s: %s of CPU time", most.Called(), unit.Nanoseconds(most.CPUNS)) + turns, remedy
	default:
		if text := manyProcesses(a); text != "" {
			if line, times := startedAgain(a.p.Processes); times > 0 {
				a.figure("started", float64(times))
				return fmt.Sprintf("%s, such as %s (%s)", text, line, unit.Things(times, "time")),
					"run what is started again and again once, and keep what it says (in make := in place of =)"
			}
			return text, "fewer of these processes: one for many files (find -exec … +, xargs without -n), or less work in each"
		}
		if text := oneCommand(a, all); text != "" {
			return text, compute
		}
	}
	if most == nil {
		return onCPU, compute
	}
	if turns, remedy := inTurn(a, most); turns != "" {
		return strings.TrimPrefix(turns, ", "), remedy
	}
	return onCPU, compute
}

// inTurn says that threads of a process ran one at a time, each until it handed over to the next, as under a lock of
// the program, and what helps then. Where one of them ran most of the time, the rest only help it now and then.
func inTurn(a *account, p *profile.Process) (text, remedy string) {
	if a.p.Path == nil || a.p.Path.Turns < several || p.Threads < 2 || p.CPUNS > a.total {
		return "", compute
	}
	ran := a.onPath(func(x *profile.PathPart) bool { return x.Place.What == "runs" && x.Place.Process == p.Command })
	if float64(a.p.Path.LeadNS) >= twoThirds*float64(ran) {
		return "", compute
	}
	a.figure("turns", float64(a.p.Path.Turns))
	a.figure("threads", float64(p.Threads))
	return fmt.Sprintf(", its %s one at a time: %s", unit.Things(int64(p.Threads), "thread"),
			unit.Things(a.p.Path.Turns, "hand-over")),
		"an option that has its threads work side by side, or processes if a lock lets one thread run at a time (as in " +
			"Python); a faster CPU"
}

// itsCall names the call in which the time on a CPU went by that is none of calls that move data of files, and none of
// forks. The kernel may make what is read there, or a file system work without a drive. It is "" if most went by
// outside of calls.
func itsCall(a *account) (text, remedy string) {
	type key struct{ call, file string }
	times, all, most := map[key]int64{}, int64(0), key{}
	for _, x := range a.along() {
		p := &x.Place
		if u := labels[p.Label]; p.What != "runs" || u != running && u != inOther || p.Call == trace.OpFork.String() {
			continue
		}
		all += x.NS
		k := key{p.Call, p.File}
		if times[k] += x.NS; p.Call != "" && times[k] > times[most] {
			most = k
		}
	}
	if most.call == "" || 2*times[most] <= all {
		return "", ""
	}
	remedy, on := "fewer of these calls; a faster drive changes nothing", ""
	if most.file != "" {
		on = " of " + most.file
	} else if f := servedMost(a, trace.OpNamed(most.call)); f != nil && onFile(f, most.call).TimeNS*2 > times[most] {
		on = fmt.Sprintf(", mostly of %s (%s)", path.Base(f.Path), inCalls(onFile(f, most.call)))
	}
	if strings.HasPrefix(most.file, "/dev/") && most.call == "read" {
		remedy = "another source: what the kernel makes there takes CPU time; a faster drive changes nothing"
	}
	a.figure("call_ns", float64(times[most]))
	return fmt.Sprintf("in %s%s: %s of CPU time, with no wait", most.call, on, unit.Nanoseconds(times[most])), remedy
}

// onFile is what was done by calls of one operation on a file.
func onFile(f *profile.File, call string) (all profile.OpCount) {
	for _, o := range f.Ops {
		if o.Op.String() == call {
			all.Count, all.TimeNS, all.Bytes = all.Count+o.Count, all.TimeNS+o.TimeNS, all.Bytes+o.Bytes
		}
	}
	return all
}

// inCalls words how much that was.
func inCalls(o profile.OpCount) string {
	if o.Bytes == 0 {
		return unit.Things(o.Count, "call")
	}
	return unit.Bytes(o.Bytes) + " in " + unit.Things(o.Count, "call")
}

// manyProcesses names the commands of which there were several processes each, most time first, if these computed most
// of what is on the path. Each process costs its start and its end, whatever it does.
func manyProcesses(a *account) string {
	times, all := map[string]int64{}, int64(0)
	for _, x := range a.along() {
		if labels[x.Place.Label] == running {
			all += x.NS
			times[x.Place.Process] += x.NS
		}
	}
	counts := map[string]int64{}
	for i := range a.p.Processes {
		counts[a.p.Processes[i].Command]++
	}
	var commands []string
	var count, ns int64
	for name, n := range counts {
		if name != "" && n >= several && times[name] > 0 {
			commands = append(commands, name)
			count, ns = count+n, ns+times[name]
		}
	}
	if count == 0 || 2*ns < all {
		return ""
	}
	slices.SortFunc(commands, func(x, y string) int { return cmp.Or(cmp.Compare(times[y], times[x]), cmp.Compare(x, y)) })
	if len(commands) > 4 {
		commands = append(commands[:3], "others")
	}
	a.figure("processes", float64(count))
	a.figure("each_ns", float64(ns/count))
	return fmt.Sprintf("most of it in %s, %s: %s each, with start and end",
		unit.List(commands), unit.Things(count, "process"), unit.Nanoseconds(ns/count))
}

// atOtherEnd names those at the other end of a pipe or a socket.
func atOtherEnd(p *profile.Profile, f *profile.File) string {
	return wording.Holders(p, f, f.Type.String())
}

// withOtherEnd is how to record whoever has the other end of a pipe or a socket as well: one program of this machine
// that was not. "" if there is none, or if there are several. It goes by name, as servers start a process for each
// client, unless a recorded program has that name, too.
func withOtherEnd(p *profile.Profile, f *profile.File) string {
	list := slices.DeleteFunc(wording.HoldersOf(p, f, f.Type.String()), func(h *profile.Holder) bool {
		return h.PID == 0 || wording.Recorded(p, h)
	})
	if p.Trace.Scope != "command" || len(list) == 0 {
		return ""
	}
	other := list[0]
	if slices.ContainsFunc(list, func(h *profile.Holder) bool { return h.PID != other.PID }) {
		return ""
	}
	alike := func(x profile.Process) bool { return x.Command == other.Command }
	if !plain.MatchString(other.Command) || slices.ContainsFunc(p.Processes, alike) {
		return fmt.Sprintf("sudo iotrace record -p %d -- COMMAND", other.PID)
	}
	return fmt.Sprintf("sudo iotrace record --name %s -- COMMAND", other.Command)
}

// plain is what a shell takes as it is.
var plain = regexp.MustCompile(`^[\w.@:+-]+$`)

// between names the processes that have a pipe or a socket. Both ends of a pipe are one file, those of a socket two.
func between(a *account, f *profile.File) string {
	list, other := users(a, f), atOtherEnd(a.p, f)
	switch {
	case len(list) == 0:
		return ""
	case len(list) == 1 && other != "" && f.Peer != "" && f.Peer != other:
		return fmt.Sprintf(" between %s and %s at %s", list[0].Called(), other, f.Peer)
	case len(list) == 1 && other != "":
		return fmt.Sprintf(" between %s and %s", list[0].Called(), other)
	case len(list) == 1 && f.Type == trace.FileSocket:
		return fmt.Sprintf(" of %s", list[0].Called())
	case len(list) == 1:
		return fmt.Sprintf(" of %s, which no recorded process has", list[0].Called())
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
	if h := wording.Holders(a.p, f, trace.HeldLock); h != "" {
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
	list = a.p.Users(f)
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
		words = append(words, p.Called())
	}
	return unit.List(words)
}
