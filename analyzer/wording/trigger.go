package wording

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// TriggerName is what a trace of a flight recorder is about.
func TriggerName(t *profile.Trigger) string {
	if t.Condition == "" {
		return "asked for"
	}
	return t.Condition
}

// Trigger says why a flight recorder has written a trace, and what met the condition. Names are as they were recorded.
func Trigger(t *profile.Trigger) string {
	if t.Condition == "" {
		return "asked for after " + unit.Nanoseconds(t.AtNS)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, met after %s", t.Condition, unit.Nanoseconds(t.AtNS))
	if what := met(t); what != "" {
		b.WriteString(": " + what)
	}
	if t.Repeats > 0 {
		fmt.Fprintf(&b, "; met %s more until the end", unit.Things(int64(t.Repeats), "time"))
	}
	return b.String()
}

// met is the event that met the condition.
func met(t *profile.Trigger) string {
	var b strings.Builder
	switch t.Kind {
	case "":
		return ""
	case "lost":
		return unit.Things(t.Bytes, "event") + " of kind " + t.Op + " were lost"
	case "request":
		b.WriteString("a " + t.Op)
	case "fault":
		b.WriteString("a page fault")
	default:
		b.WriteString(t.Op)
	}
	if t.Bytes > 0 {
		b.WriteString(" of " + unit.BlockSize(t.Bytes))
	}
	if t.Device != "" {
		b.WriteString(" at " + t.Device)
	}
	if t.Command != "" {
		fmt.Fprintf(&b, " by %s (%d)", t.Command, t.PID)
	}
	b.WriteString(" took " + unit.Nanoseconds(t.LatencyNS))
	if t.File != "" {
		b.WriteString(", of " + t.File)
	}
	return b.String()
}
