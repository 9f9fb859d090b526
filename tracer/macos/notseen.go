package macos

import (
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// NotSeen says for doctor what a backend will not show, and what would change
// that, by the code of the limit.
func NotSeen(limits []trace.Limit, remedy map[trace.LimitCode]string) (checks []tracer.Check) {
	for _, l := range limits {
		checks = append(checks, tracer.Check{Name: "not seen: " + string(l.Code), Found: l.Text, Remedy: remedy[l.Code]})
	}
	return checks
}
