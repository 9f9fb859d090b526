package compare

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// fromRequests reads what was seen at the devices that the files lie on.
func fromRequests(t *traced, s *Side) {
	for i, limits := range map[int][]trace.LimitCode{requestSize: nil, requestDepth: inFlight, requestLatency: took} {
		reason := t.missing([]string{"request"}, append(slices.Clone(limits), trace.LimitNoRequests)...)
		if reason != "" {
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
		all = append(all, direct(&t.p.Layers[k])...)
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

// direct are the flows of a layer that are of files that lie on it: those of the
// topmost devices, and what a device below another mostly did for files of its own.
func direct(l *profile.Layer) []*profile.Flow {
	if l.Level == 0 {
		return nil
	}
	if l.Level == 1 {
		return flows(l)
	}
	var own []*profile.Flow
	if l.Read != nil && l.DirectRead*2 > l.Read.Bytes {
		own = append(own, l.Read)
	}
	if l.Write != nil && l.DirectWrite*2 > l.Write.Bytes {
		own = append(own, l.Write)
	}
	return own
}
