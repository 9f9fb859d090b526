package verdict

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
)

// polling is the cause of the time in which nothing ran, if programs were in poll, select or epoll most of it: they
// waited for whoever is at the other end of a descriptor, and paused of themselves only if others of them slept
// meanwhile. nil if not.
func polling(a *account, ns int64) *profile.Reason {
	var polls, sleeps int64
	most := 0
	for i := range a.p.Processes {
		w := &a.p.Processes[i].WaitNS
		polls, sleeps = polls+w.Poll, sleeps+w.Sleep
		if w.Poll > a.p.Processes[most].WaitNS.Poll {
			most = i
		}
	}
	if 2*polls <= ns || 2*sleeps > ns {
		return nil
	}
	r := &profile.Reason{
		Code: OtherEnd, Name: "others", TimeNS: ns, Certainty: Fits,
		Text:   "waiting in poll, select or epoll for others, which are not recorded",
		Remedy: "speed up the program at the other end",
		Evidence: []profile.Evidence{
			a.sliceAt("waiting"), at(fmt.Sprintf("/processes/%d/wait_ns/poll", most),
				float64(a.p.Processes[most].WaitNS.Poll)),
		},
	}
	if f, index := polled(a, nil); f != nil {
		r.Name = "the other end of a " + f.Type
		r.Text = "waiting in poll, select or epoll for the other end of a " + f.Type + between(a, f)
		r.Evidence = append(r.Evidence, at(fmt.Sprintf("/files/%d/inode", index), float64(f.Inode)))
	}
	return r
}

// slept says who slept while nothing ran, in most of so much time, as far as the recording tells.
func slept(a *account, ns int64) string {
	var asleep []*profile.Process
	var all int64
	for i := range a.p.Processes {
		if p := &a.p.Processes[i]; p.WaitNS.Sleep > 0 {
			asleep = append(asleep, p)
			all += p.WaitNS.Sleep
		}
	}
	if 2*all <= ns {
		return ", as in a sleep or a wait that is not recorded"
	}
	slices.SortStableFunc(asleep, func(p, q *profile.Process) int { return cmp.Compare(q.WaitNS.Sleep, p.WaitNS.Sleep) })
	text := fmt.Sprintf(": %s slept for %s", called(asleep[0]), wording.Duration(asleep[0].WaitNS.Sleep))
	if n := int64(len(asleep) - 1); n > 0 {
		text += fmt.Sprintf(", and %s for %s", wording.Plural(n, "other", "others"),
			wording.Duration(all-asleep[0].WaitNS.Sleep))
	}
	return text
}

// meanwhile says what a process that has an end of a pipe or a socket waited for itself, outside of the recorded calls,
// in most of so much time.
func meanwhile(a *account, f *profile.File, ns int64) string {
	for _, p := range users(a, f) {
		switch w := &p.WaitNS; {
		case 2*w.Sleep > ns:
			return fmt.Sprintf(", and %s slept", called(p))
		case 2*w.Poll > ns:
			text := fmt.Sprintf(", and %s in poll, select or epoll for ", called(p))
			if s, _ := polled(a, p); s != nil && outside(a, s, s.Type) != "" {
				return text + outside(a, s, s.Type) + " at the other end of a " + s.Type
			}
			return text + "others, which are not recorded"
		}
	}
	return ""
}

// polled is the pipe or socket that was waited for, as far as can be told: one of which the other end is not recorded,
// and among these the one that moved most; those of one process, unless that is nil.
func polled(a *account, by *profile.Process) (best *profile.File, index int) {
	rank := func(f *profile.File) (named int, bytes int64) {
		if outside(a, f, f.Type) != "" {
			named = 1
		}
		for _, flow := range []*profile.Flow{f.Read, f.Write} {
			if flow != nil {
				bytes += flow.Bytes
			}
		}
		return named, bytes
	}
	for i := range a.p.Files {
		f := &a.p.Files[i]
		if !streams(f) || by != nil && !slices.Contains(f.Processes, by.PID) {
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
