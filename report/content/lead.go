package content

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/trace"
)

// Title names what was recorded.
func Title(p *profile.Profile) string {
	if len(p.Command) > 0 {
		return visible.Command(p.Command)
	}
	switch n := len(p.Processes); {
	case p.Trace.Scope == "all":
		return "all processes"
	case p.Trace.Scope == trace.ScopeMerge:
		return visible.Text(p.Trace.Host) + " together"
	case n == 1 && p.Processes[0].Command == "":
		return fmt.Sprintf("process %d", p.Processes[0].PID)
	case n == 1:
		return fmt.Sprintf("%s (pid %d)", visible.Text(p.Processes[0].Command), p.Processes[0].PID)
	case n > 1:
		return fmt.Sprintf("%s (pid %d) and %s", visible.Text(p.Processes[0].Command), p.Processes[0].PID,
			unit.Things(int64(n-1), "further process"))
	}
	if len(p.Layers) > 0 {
		return "requests of unknown processes"
	}
	return "nothing was recorded"
}

// StackRows are the labels of the time stack that occurred, most time first.
func StackRows(p *profile.Profile) []profile.StackSlice {
	rows := slices.DeleteFunc(slices.Clone(p.TimeStack.Slices), func(s profile.StackSlice) bool { return s.NS == 0 })
	sorting.Stably(rows, func(a, b profile.StackSlice) int {
		switch {
		case a.NS > b.NS:
			return -1
		case a.NS < b.NS:
			return 1
		}
		return 0
	})
	return rows
}

// Longest is the length of a sentence from which on its middle is left out: one
// that names a file with a path of 4 KiB.
const Longest = 1000
