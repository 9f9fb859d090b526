package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// polling is the cause of the time in which nothing ran, if programs were in poll, select or epoll most of it: they
// waited for whoever is at the other end of a descriptor, and paused of themselves only if others of them slept
// meanwhile, or if they waited for a time, and for nobody with whom they spoke. Where the path leads to one that waits
// for a time of its own choice, the others wait for that. nil if not.
func polling(a *account, ns int64) *profile.Reason {
	var polls, timeouts, sleeps, longest int64
	most := 0 // of the process that was in them longest
	for i := range a.p.Processes {
		if idler(a, &a.p.Processes[i]) {
			continue
		}
		w := &a.p.Processes[i].WaitNS
		polls, timeouts, sleeps = polls+w.Poll+w.Timeout, timeouts+w.Timeout, sleeps+w.Sleep
		if in := w.Poll + w.Timeout; in > longest {
			most, longest = i, in
		}
	}
	f, index := polled(a, nil)
	pauses := a.onPath(func(x *profile.PathPart) bool { return labels[x.Place.Label] == idle && x.Place.What == "sleeps" })
	if 2*polls <= ns || 2*sleeps > ns || 2*pauses > ns || 2*timeouts > ns && !spoke(a, f) {
		return nil
	}
	field, waited := "poll", a.p.Processes[most].WaitNS.Poll
	if waited == 0 {
		field, waited = "timeout", a.p.Processes[most].WaitNS.Timeout
	}
	r := &profile.Reason{
		Code: cause.OtherEnd, Name: "others", TimeNS: ns, Certainty: cause.Likely,
		Text:   "waiting in poll, select or epoll for others, which are not recorded",
		Remedy: "speed up the program at the other end",
		Evidence: []profile.Evidence{
			a.sliceAt("waiting"), at(fmt.Sprintf("/processes/%d/wait_ns/%s", most, field), float64(waited)),
		},
	}
	if tty := terminalOf(a.p, &a.p.Processes[most]); tty != nil && (f == nil || closed(a, f)) {
		r.Name = "a terminal"
		r.Text = "waiting in poll, select or epoll on the terminal " + tty.Path + ", for what is typed"
		r.Remedy = "answer it sooner, or have it ask for nothing (an option such as --yes)"
		return r
	}
	if f != nil {
		r.Name = "the other end of a " + f.Type.String()
		r.Text = "waiting in poll, select or epoll on a " + f.Type.String() + between(a, f)
		r.Experiment = withOtherEnd(a.p, f)
		if unanswered(a, f) {
			r.Text += "; what was asked there was not answered"
			r.Remedy = "find out why nobody answers, or ask another; a shorter timeout"
		}
		r.Evidence = append(r.Evidence, at(fmt.Sprintf("/files/%d/inode", index), float64(f.Inode)))
	}
	return r
}

// slept says who slept while nothing ran, in most of so much time, as far as the recording tells.
func slept(a *account, ns int64) string {
	var asleep []*profile.Process
	for i := range a.p.Processes {
		if p := &a.p.Processes[i]; resting(p) > 0 && !p.Beside {
			asleep = append(asleep, p)
		}
	}
	all := a.rested()
	if 2*all <= ns {
		for i := range a.p.Processes {
			if p := &a.p.Processes[i]; !p.Beside && 2*p.AskedNS > ns {
				return fmt.Sprintf(": %s waited to be asked for something", p.Called())
			}
		}
		return ", as in a sleep or a wait that is not recorded"
	}
	slices.SortStableFunc(asleep, func(p, q *profile.Process) int { return cmp.Compare(resting(q), resting(p)) })
	longest := resting(asleep[0])
	text := ": " + asleep[0].Called() + " slept" + lasting(longest, a.total)
	a.figure("asleep_ns", float64(longest))
	if n := int64(len(asleep) - 1); n > 0 {
		a.figure("others_asleep", float64(n))
		a.figure("others_asleep_ns", float64(all-longest))
		text += ", and " + unit.Things(n, "other") + lasting(all-longest, a.total)
	}
	return text
}

// ways are how a process waits at a pipe or a socket for the one at its other end.
var ways = map[trace.Op]string{
	trace.OpWrite: "write to a %s that it reads", trace.OpRead: "read from a %s that it writes",
}

// heldUp says who slept while another process waited in calls for it at a pipe or a socket, in most of so much time.
func heldUp(a *account, ns int64) (string, profile.Evidence) {
	for i := range a.p.Files {
		f := &a.p.Files[i]
		if !f.Stream() {
			continue
		}
		var sleeper, waiter *profile.Process
		for _, p := range users(a, f) {
			if 2*resting(p) > ns && (sleeper == nil || resting(p) > resting(sleeper)) {
				sleeper = p
			}
			if 2*p.WaitNS.Call > ns && (waiter == nil || p.WaitNS.Call > waiter.WaitNS.Call) {
				waiter = p
			}
		}
		if sleeper == nil || waiter == nil || sleeper == waiter {
			continue
		}
		for j, o := range f.Ops {
			if way := ways[o.Op]; way != "" && 2*o.TimeNS > ns {
				return fmt.Sprintf("%s slept, and %s waited to "+way, sleeper.Called(), waiter.Called(), f.Type),
					at(fmt.Sprintf("/files/%d/ops/%d/time_ns", i, j), float64(o.TimeNS))
			}
		}
	}
	return "", profile.Evidence{}
}

// lasting is for how long something went on; "" if that is longer than all there was: of several threads at once.
func lasting(ns, total int64) string {
	if ns > total {
		return ""
	}
	return " for " + unit.Nanoseconds(ns)
}

// resting is how long threads of a process waited for a time, in sleeps and in polls where nothing came.
func resting(p *profile.Process) int64 { return p.WaitNS.Sleep + p.WaitNS.Timeout }

// rested is how long those of all processes did so.
func (a *account) rested() (ns int64) {
	for i := range a.p.Processes {
		if p := &a.p.Processes[i]; !p.Beside {
			ns += resting(p)
		}
	}
	return ns
}

// meanwhile says what a process that has an end of a pipe or a socket waited for itself, outside of the recorded calls,
// in most of so much time.
func meanwhile(a *account, f *profile.File, ns int64) string {
	for _, p := range users(a, f) {
		switch w := &p.WaitNS; {
		case 2*w.Sleep > ns:
			return fmt.Sprintf(", and %s slept", p.Called())
		case 2*(w.Poll+w.Timeout) > ns:
			text := fmt.Sprintf(", and %s in poll, select or epoll for ", p.Called())
			if s, _ := polled(a, p); s != nil && atOtherEnd(a.p, s) != "" {
				return text + atOtherEnd(a.p, s) + " at the other end of a " + s.Type.String()
			}
			return text + "others, which are not recorded"
		}
	}
	return ""
}

// terminalOf is the terminal that a process used, nil if it used none.
func terminalOf(p *profile.Profile, x *profile.Process) *profile.File {
	for i := range p.Files {
		f := &p.Files[i]
		if f.Type == trace.FileChar && slices.Contains(f.Processes, x.PID) &&
			(strings.HasPrefix(f.Path, "/dev/pts/") || strings.HasPrefix(f.Path, "/dev/tty")) {
			return f
		}
	}
	return nil
}

// closed reports whether both ends of a pipe were recorded, so that a wait there is one for those who are at them.
func closed(a *account, f *profile.File) bool {
	return f.Type == trace.FilePipe && len(f.Processes) > 1 && atOtherEnd(a.p, f) == ""
}

// polled is the pipe or socket that was waited for, as far as can be told: one of which the other end is not recorded,
// and among these the one that moved most; those of one process, or, if that is nil, of all that were in poll.
func polled(a *account, by *profile.Process) (best *profile.File, index int) {
	rank := func(f *profile.File) (named int, bytes int64) {
		if atOtherEnd(a.p, f) != "" || unanswered(a, f) {
			named = 1
		}
		return named, moved(f)
	}
	for i := range a.p.Files {
		f := &a.p.Files[i]
		if !f.Stream() || unmet(a.p, f) || by != nil && !slices.Contains(f.Processes, by.PID) || by == nil && !inPoll(a, f) {
			continue
		}
		if best == nil {
			best, index = f, i
			continue
		}
		named, bytes := rank(f)
		before, most := rank(best)
		if cmp.Or(cmp.Compare(named, before), cmp.Compare(bytes, most)) > 0 {
			best, index = f, i
		}
	}
	return best, index
}

// unmet reports whether a socket never had another end: whoever it was to be connected with was not there, as the C
// library looks for a name server's cache (nscd). Where that was waited for, it is told by the address.
func unmet(p *profile.Profile, f *profile.File) bool {
	return moved(f) == 0 && slices.ContainsFunc(p.Connections, func(c profile.Connection) bool {
		return c.Address == f.Peer && c.Unmet >= c.Connects
	})
}

// inPoll reports whether a process that used a file was in poll, select or epoll.
func inPoll(a *account, f *profile.File) bool {
	return slices.ContainsFunc(a.p.Processes, func(p profile.Process) bool {
		return p.WaitNS.Poll+p.WaitNS.Timeout > 0 && slices.Contains(f.Processes, p.PID) && !idler(a, &p)
	})
}

// idler reports whether a process only waited to be asked for something, as servers do, while another one worked: the
// work was not held back by that. What a recorded command has started is part of the work; where commands were recorded
// beside whole hosts, nothing of these is: who of the commands waits for them is in poll itself.
func idler(a *account, p *profile.Process) bool {
	if p.Beside {
		return true
	}
	if a.p.Trace.Scope == "command" || p.EndNS != profile.Unknown ||
		float64(p.WaitNS.Poll+p.WaitNS.Timeout+p.AskedNS) <= nearlyAll*float64(a.p.Trace.DurationNS) {
		return false
	}
	return slices.ContainsFunc(a.p.Processes, func(q profile.Process) bool {
		return float64(worked(p)) < tenth*float64(worked(&q))
	})
}

// worked is how long a process was in calls, but for those in which it waited to be asked for something.
func worked(p *profile.Process) int64 { return p.CallNS - p.AskedNS }

// spoke reports whether something came through a pipe or a socket from another process, or was asked and not answered.
// Where a program only writes, as to its output, it awaits nothing: a full one would end its wait, and no timer.
func spoke(a *account, f *profile.File) bool {
	if f == nil {
		return false
	}
	heard := f.Read != nil && f.Read.Bytes > 0
	return heard && (len(f.Processes) > 1 || atOtherEnd(a.p, f) != "") || unanswered(a, f)
}

// unanswered reports whether a process asked something by a socket, and nothing came by any of its sockets: none of
// these is the other end.
func unanswered(a *account, f *profile.File) bool {
	return f.Type == trace.FileSocket && f.Write != nil && f.Write.Bytes > 0 &&
		!slices.ContainsFunc(a.p.Files, func(g profile.File) bool {
			return g.Type == trace.FileSocket && g.Read != nil && g.Read.Bytes > 0 &&
				slices.ContainsFunc(g.Processes, func(pid uint32) bool { return slices.Contains(f.Processes, pid) })
		})
}
