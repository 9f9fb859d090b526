package world

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// MaxCurves is how many devices have curves of their own: the busiest.
const MaxCurves = 8

// Device is one block device: one layer of a stack.
type Device struct {
	trace.Device
	Number int // in the order seen; the first 64 have a bit in File.SeenAt
	Used   bool
	Level  int // 1: nothing that was used is built on it
	uppers []*Device

	// Bytes of the workload's requests.
	ReadBytes, WriteBytes int64
}

// Backed reports whether a device was built on a file.
func (t *Devices) Backed(f *File) bool {
	return slices.ContainsFunc(t.All, func(d *Device) bool { return d.Backing != "" && f.HadName(d.Backing) })
}

// Uppers are the devices that are built on this one.
func (d *Device) Uppers() []*Device { return d.uppers }

// Layer names the kind of device.
func (d *Device) Layer() string {
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

// Devices are the block devices of a trace.
type Devices struct {
	All  []*Device
	byID map[trace.DeviceID]*Device
	last *Device // that was asked for
}

// maxDevices bounds the devices that are told apart; the last one stands for
// all further ones.
const maxDevices = 1024

func NewDevices() *Devices { return &Devices{byID: map[trace.DeviceID]*Device{}} }

// Get returns a device; one that was never described has only its number.
func (t *Devices) Get(id trace.DeviceID) *Device {
	if t.last != nil && t.last.ID == id {
		return t.last
	}
	d := t.byID[id]
	if d == nil && len(t.All) == maxDevices {
		return t.All[maxDevices-1]
	}
	if d == nil {
		d = &Device{Number: len(t.All)}
		d.ID = id
		d.Name = DeviceNumber(id)
		t.All = append(t.All, d)
		t.byID[id] = d
	}
	t.last = d
	return d
}

// Find returns a device of the trace, nil if there was nothing of it.
func (t *Devices) Find(id trace.DeviceID) *Device { return t.byID[id] }

// Serving returns the device that requests of a file system go to: of a partition, which has none, its disk. It is nil
// if there was nothing of it.
func (t *Devices) Serving(id trace.DeviceID) *Device {
	d := t.byID[id]
	if d != nil && !d.Used && d.Backing == "" && len(d.Parents) == 1 {
		return t.byID[d.Parents[0]]
	}
	return d
}

// Describe takes the identity of a device; the first one counts.
func (t *Devices) Describe(e *trace.Device) {
	d := t.Get(e.ID)
	if d.Name != DeviceNumber(e.ID) {
		return
	}
	d.Device = *e
	d.Parents = slices.Clone(e.Parents)
	if d.Name == "" {
		d.Name = DeviceNumber(e.ID)
	}
}

func DeviceNumber(id trace.DeviceID) string { return fmt.Sprintf("%d:%d", id.Major(), id.Minor()) }

// Rank finds the level of each device that was used. Devices that a trace says
// are built on one another in a circle stay where they are met first.
func (t *Devices) Rank() {
	for _, d := range t.All {
		for _, id := range d.Parents {
			if p := t.byID[id]; p != nil && p != d {
				p.uppers = append(p.uppers, d)
			}
		}
	}
	for _, d := range t.All {
		d.rank()
	}
}

const ranking = -1 // level of a device whose level is being found

func (d *Device) rank() int {
	switch {
	case d.Level == ranking:
		return 0
	case d.Level > 0:
		return d.Level
	}
	d.Level = ranking
	top := 0
	for _, u := range d.uppers {
		n := u.rank()
		if !u.Used {
			n-- // a layer without requests, such as a partition, is no layer
		}
		top = max(top, n)
	}
	d.Level = top + 1
	return d.Level
}

// Top is the topmost of the devices at which a file was seen.
func (t *Devices) Top(seen uint64) *Device {
	var top *Device
	for i, d := range t.All {
		if i < 64 && seen>>i&1 == 1 && (top == nil || d.Level < top.Level) {
			top = d
		}
	}
	return top
}

// Only is the device that was used; nil if there are several, or none.
func (t *Devices) Only() *Device {
	if used := t.Heaviest(2); len(used) == 1 {
		return used[0]
	}
	return nil
}

// Heaviest are the n devices that moved most of the workload's bytes.
func (t *Devices) Heaviest(n int) []*Device {
	var list []*Device
	for _, d := range t.All {
		if d.Used {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b *Device) int {
		return cmp.Compare(b.ReadBytes+b.WriteBytes, a.ReadBytes+a.WriteBytes)
	})
	return list[:min(n, len(list))]
}
