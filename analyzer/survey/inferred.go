package survey

import "github.com/iotrace/iotrace/trace"

// Inferred is what is known of the requests of a device by inference alone.
type Inferred struct {
	Bytes int64
	By    map[uint32]bool // processes that issued them for others
}

// maxInferred bounds the devices, and the processes of one, that are told apart.
const maxInferred = 1 << 10

// inferences are what is known of devices by inference.
type inferences map[trace.DeviceID]*Inferred

func (x inferences) add(e *trace.Request) {
	i := x[e.Device]
	if i == nil {
		if len(x) >= maxInferred {
			return
		}
		i = &Inferred{By: map[uint32]bool{}}
		x[e.Device] = i
	}
	i.Bytes += e.Bytes
	if e.PID != e.Owner && len(i.By) < maxInferred {
		i.By[e.PID] = true
	}
}
