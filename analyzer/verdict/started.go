package verdict

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// startedAgain is the command line that was started most often, by its first two words, and how often, if most
// processes are of lines that were started before. A process with its parent's line was forked, and does its work.
func startedAgain(list []profile.Process) (line string, times int64) {
	lines, counts, again := map[uint32]string{}, map[string]int64{}, 0
	for i := range list {
		lines[list[i].PID] = strings.Join(list[i].Args, " ")
	}
	var most *profile.Process
	for i := range list {
		own := lines[list[i].PID]
		if own == "" || own == lines[list[i].Parent] {
			continue
		}
		if counts[own]++; counts[own] > 1 {
			again++
		}
		if n := counts[own]; n > times || n == times && len(own) < len(lines[most.PID]) {
			most, times = &list[i], n
		}
	}
	if 2*again <= len(list) {
		return "", 0
	}
	return strings.Join(most.Args[:min(2, len(most.Args))], " "), times
}

// oneCommand names the command of which several processes computed most of all that was computed.
func oneCommand(a *account, all int64) string {
	times, counts, most := map[string]int64{}, map[string]int64{}, ""
	for i := range a.p.Processes {
		x := &a.p.Processes[i]
		counts[x.Command]++
		if times[x.Command] += max(x.CPUNS, 0); x.Command != "" && times[x.Command] > times[most] {
			most = x.Command
		}
	}
	if most == "" || 2*times[most] < all {
		return ""
	}
	a.figure("command_processes", float64(counts[most]))
	a.figure("command_cpu_ns", float64(times[most]))
	return fmt.Sprintf("most of it %s of %s: %s of CPU time in all", unit.Things(counts[most], "process"), most,
		unit.Nanoseconds(times[most]))
}
