package calls

import (
	"bytes"
	"regexp"
)

// stamped is the time of an event: "dd 600 [000] 36752.001060: ".
var stamped = regexp.MustCompile(`^ *\S.*? +(\d+\.\d{6,9}): +\S`)

// fewestDeltas is how often a time has to be before that of the line above for the times to be no times.
const fewestDeltas = 2

// deltas says that the times of a text are those between its events, as perf script --deltatime prints them: they begin
// with 0 and go down again and again, which those of perf never do otherwise.
func deltas(head []byte) string {
	var last []byte
	down := 0
	for line := range bytes.Lines(head) {
		at := stamped.FindSubmatch(line)
		if at == nil {
			continue
		}
		switch now := at[1]; {
		case last == nil && len(bytes.Trim(now, "0.")) > 0:
			return ""
		case last != nil && (len(now) < len(last) || len(now) == len(last) && string(now) < string(last)):
			down++
			last = now
		default:
			last = now
		}
	}
	if down < fewestDeltas {
		return ""
	}
	return "its times are those between events (perf script --deltatime), of which threads and CPUs cannot be told " +
		"apart: import what perf script prints without that option"
}
