package analyzer

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

// window is the stretch of time that the workload took.
func (s *survey) window() timeline.Window {
	w := timeline.Window{Start: 0, Wall: s.last, End: s.last, Waits: s.seesWaits(), Last: s.lastHeard}
	switch {
	case s.header.Scope == "import":
		w.Start = s.first
	case len(s.header.Command) > 0 && s.exec >= 0:
		w.Start = s.exec
	}
	if s.whole {
		w.Wall, w.End = s.end.Duration, s.end.Duration
		if s.end.CommandEnd >= 0 {
			w.Wall = s.returned()
		}
		switch {
		case s.end.CommandEnd >= 0 && !s.wrote():
			w.End = w.Wall // the recorder waited, but for nothing
		case s.end.Durable >= 0:
			w.End = s.end.Durable
		}
	}
	w.Wall = max(w.Wall, w.Start)
	w.End = max(w.End, w.Wall)
	return w
}

// wrote reports whether the workload wrote anything, through whatever layer.
func (s *survey) wrote() bool {
	return s.callWrite > 0 || slices.ContainsFunc(s.devices.all, func(d *device) bool { return d.writeBytes > 0 })
}

// returned is when the command ended: its own exit if that was seen, as its
// parent may take notice only later.
func (s *survey) returned() int64 {
	if s.exit >= 0 && len(s.header.Command) > 0 {
		return min(s.exit, s.end.CommandEnd)
	}
	return s.end.CommandEnd
}

func (s *survey) lastHeard(tid uint32) int64 {
	if t := s.threads[tid]; t != nil {
		return t.last
	}
	return -1
}

func (s *survey) limit(code trace.LimitCode) bool {
	for _, l := range s.header.Limits {
		if l.Code == code {
			return true
		}
	}
	return false
}

// seesWaits reports whether the recording tells blocked threads from running ones.
func (s *survey) seesWaits() bool {
	return s.counts[trace.KindWait] > 0 || !s.limit(trace.LimitNoWaits)
}

// seesRequests reports whether block requests were recorded.
func (s *survey) seesRequests() bool {
	return s.counts[trace.KindRequest] > 0 || !s.limit(trace.LimitNoRequests)
}
