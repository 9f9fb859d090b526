package answer

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/trace"
)

// namesWorth are the calls on names that took most time, with where these lie, if they took as much of the time as a
// cause that is told behind the first one.
func namesWorth(p *profile.Profile) string {
	ns := timeOnNames(p)
	if ns == 0 || float64(ns) < leastNext*float64(total(p)) || !p.Trace.Sees(string(trace.LimitPartial)) {
		return ""
	}
	for i := range p.Calls {
		if c := &p.Calls[i]; c.Op.Metadata() {
			return wording.CallsOn(p, c)
		}
	}
	return ""
}

// timeOnNames is the time of calls on names, the longest of each kind left out, which may have waited for something
// else.
func timeOnNames(p *profile.Profile) (ns int64) {
	for i := range p.Calls {
		if c := &p.Calls[i]; c.Op.Metadata() {
			ns += c.TimeNS - c.Latency.Max
		}
	}
	return ns
}
