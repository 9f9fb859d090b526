package machine

import (
	"fmt"
	"time"

	"github.com/iotrace/iotrace/trace"
)

// Disks are the block devices of a recording: those that were there when it began, and every other one from when a
// request first names it, such as a disk that is attached meanwhile. One goroutine uses it.
type Disks struct {
	sys    System // nil for a stored stream
	emit   func(*trace.Device) error
	blocks map[trace.DeviceID]int64 // size of a block, 0 if it is not known
}

// NewDisks returns a register of what the trace tells of already. emit tells of what comes later.
func NewDisks(sys System, told []trace.Device, emit func(*trace.Device) error) *Disks {
	d := &Disks{sys: sys, emit: emit, blocks: map[trace.DeviceID]int64{}}
	for i := range told {
		d.blocks[told[i].ID] = told[i].LogicalBlock
	}
	return d
}

const (
	// maxDisks bounds what is told apart in damaged records; no Mac or PC has that many.
	maxDisks = 1 << 12
	// patience is how long a recording waits to be told of a new disk. Records that come meanwhile stay in the
	// kernel's buffer.
	patience = 3 * time.Second
)

// Seen tells of a device before its first request. Of one that the system does not know any more, or that only a
// stored stream names, it tells the number.
func (d *Disks) Seen(id trace.DeviceID, now int64) error {
	if _, told := d.blocks[id]; told || len(d.blocks) >= maxDisks {
		return nil
	}
	for _, e := range append(d.list(), trace.Device{ID: id, Name: fmt.Sprintf("%d:%d", id.Major(), id.Minor())}) {
		if _, told := d.blocks[e.ID]; told {
			continue
		}
		d.blocks[e.ID] = e.LogicalBlock
		e.Time = max(now, 0)
		if err := d.emit(&e); err != nil {
			return err
		}
	}
	return nil
}

// list asks the system which disks it has now.
func (d *Disks) list() []trace.Device {
	if d.sys == nil {
		return nil
	}
	answer := make(chan []trace.Device, 1)
	go func() { answer <- d.sys.Devices() }()
	select {
	case list := <-answer:
		return list
	case <-time.After(patience):
		return nil
	}
}

// Block is the unit of a device's block numbers as far as it is known, in bytes.
func (d *Disks) Block(id trace.DeviceID) int64 { return d.blocks[id] }
