//go:build linux

package ebpf

import (
	"fmt"

	"github.com/cilium/ebpf"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// selectDisks tells the probes whose requests are recorded. Requests have the number of the whole device, whatever the
// partition.
func selectDisks(c *ebpf.Collection, only *tracer.Narrow) error {
	ids := map[trace.DeviceID]bool{}
	for _, d := range only.Devices {
		for _, id := range d.On {
			ids[id] = true
		}
	}
	if len(ids) > int(iotraceBoundMAX_DEVICES) {
		return fmt.Errorf("%d devices, with their partitions and what is built on them: at most %d can be selected at once",
			len(ids), iotraceBoundMAX_DEVICES)
	}
	for id := range ids {
		if err := c.Maps["devices"].Put(uint32(id), uint8(1)); err != nil {
			return fmt.Errorf("selecting device %d:%d: %w", id.Major(), id.Minor(), err)
		}
	}
	return nil
}
