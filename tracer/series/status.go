package series

import (
	"fmt"

	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/tracer"
)

// Status is the status line of a recording. Until a command has ended the screen is its own, and nothing is shown
// unless somebody asks.
func Status(m *tracer.Monitor, command, asked bool) string {
	phase, since := m.Phase()
	if command && !asked && phase != tracer.Draining && phase != tracer.Finishing {
		return ""
	}
	switch phase {
	case tracer.Attaching:
		return "iotrace: attaching probes"
	case tracer.Draining:
		return fmt.Sprintf("iotrace: waiting %s for data to be written back (Ctrl-C ends the wait)",
			unit.Duration(since))
	case tracer.Waiting:
		return "iotrace: recording has ended, waiting for the command"
	case tracer.Running:
		return fmt.Sprintf("iotrace: recording for %s, %s events",
			unit.Duration(since), unit.Count(int64(m.Events())))
	}
	return "iotrace: writing the trace file"
}
