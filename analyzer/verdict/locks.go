package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// retried is the file for whose lock was asked in vain for longest.
func retried(a *account) (*profile.File, int) {
	return most(a.p.Files, func(f *profile.File) int64 { return f.RetriesNS + none })
}

// tried tells of calls that found a name taken again and again: a file that serves as a lock.
func tried(a *account) (string, []profile.Evidence) {
	for i := range a.p.Calls {
		if c := &a.p.Calls[i]; c.Errno[trace.ErrExists] >= several && c.Errno[trace.ErrExists]*2 > c.Count {
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
