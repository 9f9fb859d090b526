package analyzer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/unit"
)

// userSpace precedes the type of a file system of macOS that is a program.
const userSpace = "fskit."

// warnOfVolumes says of which volumes it is not seen whose their requests are.
func warnOfVolumes(s *survey.Survey, w *warnings) {
	told := map[string]bool{}
	for i := range w.p.Files {
		f := &w.p.Files[i]
		kind, served := strings.CutPrefix(f.FSType, userSpace)
		if !served || told[f.Mount] {
			continue
		}
		told[f.Mount] = true
		var inferred survey.Inferred
		device := "its disk"
		for id, n := range s.Inferred {
			if world.DeviceNumber(id) == f.Device {
				inferred, device = *n, s.Devices.Get(id).Name
			}
		}
		text := fmt.Sprintf("%s is a volume of FSKit: its file system (%s) is a program%s. What the kernel logs of the "+
			"requests of such volumes is not known. ", f.Mount, kind, server(s, w.p, kind, inferred.By))
		if inferred.Bytes > 0 {
			text += fmt.Sprintf("For whom and for which file %s sent to %s were is inferred, from their device, time and size.",
				unit.Bytes(inferred.Bytes), device)
		} else {
			text += "None had to be inferred here; that some are missing cannot be excluded."
		}
		w.add("user_space_volume", text, []string{"/devices", "/copies", "/durable_ns"}, uint64(inferred.Bytes))
	}
}

// server names the programs that serve a volume: those that issued its requests, and that which Apple has for its type.
func server(s *survey.Survey, p *profile.Profile, kind string, by map[uint32]bool) string {
	var names []string
	add := func(pid uint32, name string) { names = append(names, fmt.Sprintf("%s (pid %d)", name, pid)) }
	for i := range p.Processes { // recorded as well
		if q := &p.Processes[i]; by[q.PID] {
			add(q.PID, q.Command)
		}
	}
	for _, h := range s.Helpers {
		if by[h.PID] || strings.HasPrefix("com.apple.fskit."+kind, h.Command) && len(h.Command) >= len("com.apple.fskit") {
			add(h.PID, h.Command)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return ", " + strings.Join(slices.Compact(names), " and ")
}
