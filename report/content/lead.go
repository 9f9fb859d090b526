package content

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
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

// Lead is the answer: the verdict, and what was copied. A trace in which no time passed
// has no verdict.
func Lead(p *profile.Profile) []string {
	var lines []string
	for _, s := range p.Verdict.Lines {
		lines = append(lines, visible.Text(s))
	}
	if len(lines) == 0 {
		lines = append(lines, ending(p)+" "+durability(p))
	}
	if c := copied(p); c != "" {
		lines = append(lines, c)
	}
	return lines
}

func ending(p *profile.Profile) string {
	took := unit.Nanoseconds(p.WallNS)
	switch {
	case p.Trace.Reason == "interrupted":
		return "The recording was interrupted; " + took + " of it could be read."
	case len(p.Command) == 0 || p.ExitStatus == -1:
		return "Recorded for " + took + "."
	case p.ExitStatus == 0:
		return "Finished in " + took + "."
	case p.Signal() > 0:
		return fmt.Sprintf("Ended by signal %d after %s.", p.Signal(), took)
	}
	return fmt.Sprintf("Failed with exit status %d after %s.", p.ExitStatus, took)
}

func durability(p *profile.Profile) string {
	switch {
	case Written(p) == 0 && p.Trace.Reason == "interrupted":
		return "There is no write in it."
	case Written(p) == 0:
		return "It wrote no data."
	case p.DurableNS == profile.Unknown:
		return "It was not seen when its data reached the disk."
	case verdict.InMemory(p):
		return "What it wrote is in memory only (tmpfs)."
	case p.DurableNS <= p.WallNS:
		return "All its data was on the disk by then."
	}
	return fmt.Sprintf("All its data was on the disk after %s, %s later.", unit.Nanoseconds(p.DurableNS),
		unit.Nanoseconds(p.DurableNS-p.WallNS))
}

// StackRows are the labels of the time stack that occurred, most time first.
func StackRows(p *profile.Profile) []profile.StackSlice {
	rows := slices.DeleteFunc(slices.Clone(p.TimeStack.Slices), func(s profile.StackSlice) bool { return s.NS == 0 })
	slices.SortStableFunc(rows, func(a, b profile.StackSlice) int {
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
