package course

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
)

const (
	// setNear is how far from a step the limit was seen first that made it: a step is where a chunk of bytes ends, and
	// recorders look every 0.1 s.
	setNear = 500_000_000 // ns
	// atFirst is how late one may be seen that held from the beginning.
	atFirst = 200_000_000 // ns
)

// lowered says which limit of a control group was set or lowered about when the rate fell, "" if none is known. One
// that the group had from the beginning was not.
func lowered(p *profile.Profile, s *profile.Step) (text string) {
	if s.Ratio >= 1 {
		return ""
	}
	type place struct{ group, device string }
	latest := map[place]profile.IOLimit{}
	for _, l := range p.Trace.IOLimits {
		at := place{l.Group, l.Device}
		before, known := latest[at]
		latest[at] = l
		if s.Device != "" && s.Device != l.Device || l.FromNS < s.AtNS-setNear || l.FromNS > s.AtNS+setNear ||
			!known && l.FromNS <= p.StartNS+atFirst {
			continue
		}
		if limit := tighter(&before, &l); limit != "" {
			text = fmt.Sprintf("Its cgroup %s let it %s at %s from about then on", l.Group, limit, l.Device)
		}
	}
	return text
}

// tighter says which number of a limit is lower than before, "" if none is.
func tighter(before, now *profile.IOLimit) string {
	for _, limit := range wording.IOLimits() {
		if was, is := limit.Of(before), limit.Of(now); is > 0 && (was == 0 || is < was) {
			return limit.Verb + " " + limit.Text(is)
		}
	}
	return ""
}
