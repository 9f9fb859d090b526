package usage

import (
	"cmp"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// Orders says in which order each device read files.
type Orders struct {
	of map[string]*order
}

// order is how a device was read.
type order struct {
	device   *world.Device
	reads    int64
	from, to int64 // what was read, in bytes of the device
	head     int64 // where the read before ended; -1 if there was none
	done     int64 // when it did
	jumped   int64
	file     *world.File // of the read before
	starts   int64       // at which that was
	files    int64       // reads of another file than the one before
	rising   int64       // of these, of one with a larger inode number
	inOrder  int64       // whose inode number is on the same side as their place
	ns       int64       // that reads took, each from when the one before was done
}

// NewOrders returns a collector.
func NewOrders() *Orders { return &Orders{of: map[string]*order{}} }

// Request adds a read of files that the workload asked for.
func (c *Orders) Request(e *world.Request) {
	if !e.Ours || !e.Direct || e.Op != trace.ReqRead || e.Device == nil || len(e.Pieces) == 0 || e.Error != 0 {
		return
	}
	o := c.of[e.Device.Name]
	at := int64(e.Sector) * 512
	if o == nil {
		o = &order{device: e.Device, from: at, head: -1}
		c.of[e.Device.Name] = o
	}
	o.reads++
	o.from, o.to = min(o.from, at), max(o.to, at+e.Bytes)
	if o.head >= 0 {
		o.jumped += max(at-o.head, o.head-at)
	}
	o.ns += max(e.Completed-max(e.Issued, o.done), 0)
	o.switched(e.Pieces[0].File, at)
	o.head, o.done = at+e.Bytes, e.Completed
}

// switched counts a read of another file than the one before.
func (o *order) switched(f *world.File, at int64) {
	if o.file != nil && f != o.file && !f.Other && !o.file.Other {
		o.files++
		if f.Inode > o.file.Inode {
			o.rising++
		}
		if (f.Inode > o.file.Inode) == (at > o.starts) {
			o.inOrder++
		}
	}
	if f != o.file {
		o.file, o.starts = f, at
	}
}

// Finish lists the devices, most reads first.
func (c *Orders) Finish(p *profile.Profile) {
	for _, o := range c.of {
		r := profile.Order{Device: o.device.Name, Reads: o.reads, Files: o.files, Rising: o.rising,
			ByInode: o.inOrder, Jumped: o.jumped,
			Span: o.to - o.from, EachNS: o.ns / o.reads}
		if r.Span > 0 {
			r.Sweeps = r.Jumped / r.Span
		}
		p.Orders = append(p.Orders, r)
	}
	sorting.Stably(p.Orders, func(a, b profile.Order) int {
		return cmp.Or(cmp.Compare(b.Reads, a.Reads), cmp.Compare(a.Device, b.Device))
	})
}
