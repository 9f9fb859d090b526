package perfetto

import (
	"maps"
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/iotrace/iotrace/trace"
)

// maxCounted bounds the devices that have counters.
const maxCounted = 128

// counters are the queue depth and the throughput of devices.
type counters map[trace.DeviceID]*[len(counterNames)]series

var counterNames = [...]struct{ name, unit string }{{"queue depth", "requests"}, {"read", "B/s"}, {"written", "B/s"}}

// add counts a request: while it is at the device it is one of the queue, and its bytes
// are moved.
func (c counters) add(r *trace.Request) {
	s := c[r.Device]
	if s == nil {
		if len(c) >= maxCounted {
			return
		}
		s = new([len(counterNames)]series)
		c[r.Device] = s
	}
	s[0].add(r.Issued, r.Completed, float64(r.Latency()))
	switch r.Op {
	case trace.ReqRead:
		s[1].add(r.Issued, r.Completed, float64(r.Bytes))
	case trace.ReqWrite:
		s[2].add(r.Issued, r.Completed, float64(r.Bytes))
	}
}

// write writes the counters, each of them below the track of its device.
func (c counters) write(t *tracks) {
	for _, device := range slices.Sorted(maps.Keys(c)) {
		parent := t.device(device, "")
		for i, about := range counterNames {
			track := uint64(0)
			c[device][i].steps(func(at int64, rate float64) {
				if track == 0 {
					track = t.describe(parent, message(nil).text(descriptorName, about.name).
						message(descriptorCounter, message(nil).text(counterUnitName, about.unit)))
				}
				if i > 0 {
					rate *= 1e9
				}
				e := message(nil).number(eventType, typeCounter).number(eventTrack, track)
				e = protowire.AppendFixed64(protowire.AppendTag(e, eventDoubleValue, protowire.Fixed64Type),
					math.Float64bits(rate))
				t.out.put(message(nil).number(packetTimestamp, uint64(at)).message(packetTrackEvent, e))
			})
		}
	}
}
