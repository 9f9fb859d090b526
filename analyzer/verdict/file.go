package verdict

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// timeIn is the time in calls of a kind on a file.
func timeIn(f *profile.File, of func(trace.Op) bool) (ns int64) {
	for _, o := range f.Ops {
		if of(o.Op) {
			ns += o.TimeNS
		}
	}
	return ns
}

// timeOn is the time that calls on a file took, and page faults of what is mapped of it.
func timeOn(f *profile.File) (ns int64) {
	if f.Faults != nil {
		ns = f.Faults.TimeNS
	}
	for _, o := range f.Ops {
		ns += o.TimeNS
	}
	return ns
}

// opened is how often a file was opened.
func opened(f *profile.File) (n int64) {
	for _, o := range f.Ops {
		if o.Op == trace.OpOpen {
			n += o.Count - o.Errors
		}
	}
	return n
}
