package verdict

import (
	"fmt"
	"path"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// retried is the file for whose lock was asked in vain for longest.
func retried(a *account) (*profile.File, int) {
	return most(a.p.Files, func(f *profile.File) int64 { return f.RetriesNS + none })
}

// refused says what a program waited for that was refused the lock on a file, or found the file that is the lock.
func refused(a *account, f *profile.File) (text, remedy string) {
	name, slept := path.Base(f.Path), unit.Nanoseconds(f.RetriesNS)
	if slices.ContainsFunc(f.Ops, func(o profile.OpCount) bool { return o.Op == trace.OpLock }) {
		return fmt.Sprintf("%s held a lock on %s; between tries to get it the program slept, %s in all", holder(a, f), name,
			slept), "a shorter time under the lock; wait for the lock instead of asking again"
	}
	name = path.Base(f.LockName())
	there := name + " was there, as a lock file is while another program works"
	if by := maker(a, f); by != "" {
		there = by + " had made " + name + ", which serves as a lock"
	}
	return fmt.Sprintf("%s; between tries to make it the program slept, %s in all", there, slept),
		"find out who made " + name + ", or whether it was left behind; a lock that can be waited for (flock)"
}

// maker says which recorded process made the file that others found: of those that used it the first.
func maker(a *account, f *profile.File) string {
	if !f.Created || len(f.Processes) < 2 {
		return ""
	}
	for i := range a.p.Processes {
		if p := &a.p.Processes[i]; p.PID == f.Processes[0] {
			return p.Called()
		}
	}
	return ""
}

// tried tells of calls that found a name taken again and again: a file that serves as a lock, if that is not told. Who
// waits for one pauses between its tries; who makes directories that may be there already does not.
func tried(a *account, asleep *timed) (string, []profile.Evidence) {
	if f, _ := retried(a); f != nil {
		return "", nil
	}
	for i := range a.p.Calls {
		c := &a.p.Calls[i]
		if a.p.Path != nil && 2*asleep.count < c.Errno[trace.ErrExists] {
			continue
		}
		if of := a.p.FilesOf(c.Op); of != nil && of.UnderFiles >= several { // a lock is one name
			continue
		}
		if c.Errno[trace.ErrExists] >= several && c.Errno[trace.ErrExists]*2 > c.Count {
			return fmt.Sprintf("; %s found the name taken, as where another program holds a lock file",
					unit.Things(c.Errno[trace.ErrExists], c.Name, c.Name+" calls")),
				[]profile.Evidence{at(fmt.Sprintf("/calls/%d/errno/%d", i, trace.ErrExists), float64(c.Errno[trace.ErrExists]))}
		}
	}
	return "", nil
}

// locked is the process whose threads waited for one another in most of so much time, if none slept for as long.
func locked(a *account, ns int64) (*profile.Process, int) {
	var asleep int64
	for i := range a.p.Processes {
		if p := &a.p.Processes[i]; !p.Beside {
			if 2*p.AskedNS > ns {
				return nil, 0
			}
			asleep += resting(p)
		}
	}
	if 2*asleep > ns {
		return nil, 0
	}
	p, index := most(a.p.Processes, func(p *profile.Process) int64 {
		if p.Beside || p.Threads < 2 {
			return none
		}
		return p.WaitNS.Futex + none
	})
	if p == nil || 2*p.WaitNS.Futex <= ns {
		return nil, 0
	}
	return p, index
}
