package wording

// This file names who had what a workload waited for: a lock on a file, or the other end of a pipe or a socket.

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// HoldersOf are those that had a lock on a file, or the other end of a pipe; of a socket whoever had its other end,
// beside those that used the file itself.
func HoldersOf(p *profile.Profile, f *profile.File, what string) (list []*profile.Holder) {
	for i := range p.Trace.Holders {
		h := &p.Trace.Holders[i]
		if h.What == what && h.Inode == f.Inode && (h.Device == "" || h.Device == f.Device) &&
			!slices.Contains(f.Processes, h.PID) {
			list = append(list, h)
		}
	}
	return list
}

// Recorded reports whether a holder is a recorded process.
func Recorded(p *profile.Profile, h *profile.Holder) bool {
	return slices.ContainsFunc(p.Processes, func(x profile.Process) bool { return x.PID == h.PID })
}

// Holders names them, and says which were not recorded. "" if none was found.
func Holders(p *profile.Profile, f *profile.File, what string) string {
	var words []string
	for _, h := range HoldersOf(p, f, what) {
		if h.Address != "" {
			words = append(words, h.Address)
			continue
		}
		known := ""
		if !Recorded(p, h) {
			known = ", not recorded"
		}
		words = append(words, fmt.Sprintf("%s (%d%s)", cmp.Or(h.Command, "process"), h.PID, known))
	}
	if n := len(words); n > 3 {
		words = append(words[:2], fmt.Sprintf("%d others", n-2))
	}
	return unit.List(words)
}
