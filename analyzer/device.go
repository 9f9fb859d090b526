package analyzer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// maxCurves is how many devices have curves of their own: the busiest.
const maxCurves = 8

// device is one block device: one layer of a stack.
type device struct {
	trace.Device
	number int // in the order seen; the first 64 have a bit in file.seenAt
	used   bool
	level  int // 1: nothing that was used is built on it
	uppers []*device

	// Bytes of the workload's requests.
	readBytes, writeBytes int64
}

// layer names the kind of device.
func (d *device) layer() string {
	switch {
	case strings.HasPrefix(d.Name, "dm-"):
		return "dm"
	case strings.HasPrefix(d.Name, "md"):
		return "md"
	case strings.HasPrefix(d.Name, "loop"):
		return "loop"
	case strings.HasPrefix(d.Name, "zram"):
		return "zram"
	case len(d.Parents) == 1:
		return "partition"
	}
	return "disk"
}

// devices are the block devices of a trace.
type devices struct {
	all  []*device
	byID map[trace.DeviceID]*device
}

// maxDevices bounds the devices that are told apart; the last one stands for
// all further ones.
const maxDevices = 1024

func newDevices() *devices { return &devices{byID: map[trace.DeviceID]*device{}} }

// get returns a device; one that was never described has only its number.
func (t *devices) get(id trace.DeviceID) *device {
	d := t.byID[id]
	if d == nil && len(t.all) == maxDevices {
		return t.all[maxDevices-1]
	}
	if d == nil {
		d = &device{number: len(t.all)}
		d.ID = id
		d.Name = deviceNumber(id)
		t.all = append(t.all, d)
		t.byID[id] = d
	}
	return d
}

// describe takes the identity of a device; the first one counts.
func (t *devices) describe(e *trace.Device) {
	d := t.get(e.ID)
	if d.Name != deviceNumber(e.ID) {
		return
	}
	d.Device = *e
	d.Parents = slices.Clone(e.Parents)
	if d.Name == "" {
		d.Name = deviceNumber(e.ID)
	}
}

func deviceNumber(id trace.DeviceID) string { return fmt.Sprintf("%d:%d", id.Major(), id.Minor()) }

// rank finds the level of each device that was used. Devices that a trace says
// are built on one another in a circle stay where they are met first.
func (t *devices) rank() {
	for _, d := range t.all {
		for _, id := range d.Parents {
			if p := t.byID[id]; p != nil && p != d {
				p.uppers = append(p.uppers, d)
			}
		}
	}
	for _, d := range t.all {
		d.rank()
	}
}

const ranking = -1 // level of a device whose level is being found

func (d *device) rank() int {
	switch {
	case d.level == ranking:
		return 0
	case d.level > 0:
		return d.level
	}
	d.level = ranking
	top := 0
	for _, u := range d.uppers {
		n := u.rank()
		if !u.used {
			n-- // a layer without requests, such as a partition, is no layer
		}
		top = max(top, n)
	}
	d.level = top + 1
	return d.level
}

// top is the topmost of the devices at which a file was seen.
func (t *devices) top(seen uint64) *device {
	var top *device
	for i, d := range t.all {
		if i < 64 && seen>>i&1 == 1 && (top == nil || d.level < top.level) {
			top = d
		}
	}
	return top
}

// heaviest are the n devices that moved most of the workload's bytes.
func (t *devices) heaviest(n int) []*device {
	var list []*device
	for _, d := range t.all {
		if d.used {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b *device) int {
		return cmp.Compare(b.readBytes+b.writeBytes, a.readBytes+a.writeBytes)
	})
	return list[:min(n, len(list))]
}
