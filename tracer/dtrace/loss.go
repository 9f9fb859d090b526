package dtrace

import (
	"strconv"
	"strings"
)

// Loss is a message of dtrace that it dropped something.
type Loss struct {
	Count uint64
	CPU   int32  // -1 if it does not say
	What  string // PRINCIPAL, DYNAMIC, …: the tag that -x droptags puts in front
}

// parseLoss reads a line of standard error such as
//
//	dtrace: [DTRACEDROP_PRINCIPAL] 12 drops on CPU 3
//	dtrace: [DTRACEDROP_DYNAMIC] 1 dynamic variable drop with non-empty dirty list
//
// (dt_handle.c; the texts are the same on macOS and Linux, where they were seen).
func parseLoss(line string) (Loss, bool) {
	l := Loss{CPU: -1}
	tag, ok := strings.CutPrefix(strings.TrimPrefix(line, "dtrace: "), "[DTRACEDROP_")
	if !ok {
		return l, false
	}
	l.What, tag, ok = strings.Cut(tag, "]")
	if !ok {
		return l, false
	}
	words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(tag), "dtrace:"))
	if len(words) == 0 {
		return l, false
	}
	n, err := strconv.ParseUint(words[0], 10, 64)
	if err != nil {
		return l, false
	}
	l.Count = n
	for i := 0; i+1 < len(words); i++ {
		if words[i] == "CPU" {
			if cpu, err := strconv.ParseInt(strings.TrimSuffix(words[i+1], ":"), 10, 32); err == nil && cpu >= 0 {
				l.CPU = int32(cpu)
			}
		}
	}
	return l, true
}
