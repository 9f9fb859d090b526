package compare

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// fromRequests reads what was seen at the topmost devices.
func fromRequests(t *traced, s *Side) {
	for _, i := range []int{requestSize, requestDepth, requestLatency} {
		if reason := t.missing([]string{"request"}, trace.LimitNoRequests); reason != "" {
			s.values[i] = unknown(reason)
			continue
		}
		s.values[i] = t.seen(deviceRequests(t, i))
	}
}

const noRequests = "no requests reached a device"

func deviceRequests(t *traced, i int) Value {
	var all []*profile.Flow
	for k := range t.p.Layers {
		if t.p.Layers[k].Level == 1 {
			all = append(all, flows(&t.p.Layers[k])...)
		}
	}
	switch i {
	case requestDepth:
		return depths(&t.p.Pattern.DeviceDepth, noRequests)
	case requestLatency:
		return latency(noRequests, all...)
	}
	sizes := spread{}
	for _, f := range all {
		sizes.sizes(&f.Size)
	}
	return sizes.value(none(noRequests))
}
