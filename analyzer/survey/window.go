package survey

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// Window is the stretch of time that the workload took.
func Window(s *Survey) timeline.Window {
	w := timeline.Window{Start: 0, Wall: s.Last, End: s.Last, Waits: s.SeesWaits(), Last: s.Until}
	switch {
	case s.Header.Scope == "import":
		w.Start = s.first
	case (len(s.Header.Command) > 0 || s.Header.Scope == trace.ScopeMerge && s.End.CommandEnd >= 0) && s.exec >= 0:
		w.Start = s.exec
	}
	if s.Whole {
		w.Wall, w.End = s.End.Duration, s.End.Duration
		if s.End.CommandEnd >= 0 {
			w.Wall = returned(s)
		}
		switch {
		case s.End.CommandEnd >= 0 && (!wrote(s) || s.End.Durable >= 0 && s.End.Durable <= s.End.CommandEnd):
			w.End = w.Wall // the recorder waited, but for nothing: until it took notice of the end
		case s.End.Durable >= 0:
			w.End = s.Durable()
		}
	}
	w.Wall = max(w.Wall, w.Start)
	w.End = max(w.End, w.Wall)
	return w
}

// Around is what was recorded around the workload.
func Around(s *Survey) world.Around {
	switch {
	case s.Header.Scope == trace.ScopeMerge && s.End.CommandEnd >= 0 && s.exec >= 0:
		return world.Hosts
	case s.Header.Scope == trace.ScopeMerge, s.Header.Scope == "all":
		return world.Everything
	}
	return world.Nothing
}

// wrote reports whether the workload wrote anything, through whatever layer.
func wrote(s *Survey) bool {
	return s.CallWrite > 0 || slices.ContainsFunc(s.Devices.All, func(d *world.Device) bool { return d.WriteBytes > 0 })
}

// OneCommand reports whether one command was recorded, on one of several hosts perhaps: then the first of the PIDs is
// its process. A process that was recorded without a command has a number there too.
func (s *Survey) OneCommand() bool {
	switch s.Header.Scope {
	case "command":
		return len(s.Header.Command) > 0 && len(s.Header.PIDs) > 0
	case trace.ScopeMerge:
		return s.End.CommandEnd >= 0 && len(s.Header.PIDs) == 1
	}
	return false
}

// returned is when the command ended: its own exit if that was seen, as its
// parent may take notice only later.
func returned(s *Survey) int64 {
	if s.exit >= 0 && (len(s.Header.Command) > 0 || s.OneCommand()) {
		return min(s.exit, s.End.CommandEnd)
	}
	return s.End.CommandEnd
}
