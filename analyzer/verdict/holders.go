package verdict

// This file names who had what a workload waited for: a lock on a file, or the other end of a pipe or a socket.

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// atOtherEnd names those at the other end of a pipe or a socket.
func atOtherEnd(p *profile.Profile, f *profile.File) string { return holdersOf(p, f, f.Type.String()) }

// holdersOf names the processes that were not recorded and had a lock on a file, or the other end of a pipe; of a
// socket whoever had its other end, beside those that used the file itself. "" if none was found.
func holdersOf(p *profile.Profile, f *profile.File, what string) string {
	var words []string
	for _, h := range p.Trace.Holders {
		if h.What != what || h.Inode != f.Inode || h.Device != "" && h.Device != f.Device ||
			slices.Contains(f.Processes, h.PID) {
			continue
		}
		if h.Address != "" {
			words = append(words, h.Address)
			continue
		}
		known := ""
		if !slices.ContainsFunc(p.Processes, func(x profile.Process) bool { return x.PID == h.PID }) {
			known = ", not recorded"
		}
		words = append(words, fmt.Sprintf("%s (%d%s)", cmp.Or(h.Command, "process"), h.PID, known))
	}
	if n := len(words); n > 3 {
		words = append(words[:2], fmt.Sprintf("%d others", n-2))
	}
	return unit.List(words)
}
