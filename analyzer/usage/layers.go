package usage

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// Layers gathers what each layer moved: the calls and faults, then the
// devices from top to bottom.
type Layers struct {
	reads, writes, faults measure.Flow // of data, by calls and asynchronous operations; by faults
	layers                []*layer
	in                    world.Table[layer] // of a device
	span                  int64
}

// layer is all devices of one kind at one level of the stack. A byte that goes
// through several layers is counted once in each.
type layer struct {
	level   int
	name    string
	devices []*world.Device

	// Of several devices; what one did is in the profile.
	read, write             measure.Flow
	directRead, directWrite int64 // below another layer: not asked for by that one
}

// NewLayers puts every device that was used into its layer; the topmost
// layers come first.
func NewLayers(t *world.Devices, span int64) *Layers {
	c := &Layers{span: span}
	type key struct {
		level int
		name  string
	}
	layers := map[key]*layer{}
	for _, d := range t.All {
		if !d.Used {
			continue
		}
		k := key{d.Level, d.Layer()}
		if layers[k] == nil {
			layers[k] = &layer{level: k.level, name: k.name}
			c.layers = append(c.layers, layers[k])
		}
		layers[k].devices = append(layers[k].devices, d)
		c.in.Set(d.Number, layers[k])
	}
	slices.SortFunc(c.layers, func(a, b *layer) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.name, b.name))
	})
	return c
}

// Data adds data moved to or from files that hold data: not pipes, sockets
// and terminals.
func (c *Layers) Data(x *world.Access) {
	if x.Reads {
		c.reads.Add(x.Start, x.End, x.Bytes, x.Failed)
	}
	if x.Writes {
		c.writes.Add(x.Start, x.End, x.Bytes, x.Failed)
	}
}

// Fault adds a page fault that had to wait.
func (c *Layers) Fault(e *world.Fault) {
	c.faults.Add(e.Start, e.Start+max(e.Duration, 0), e.Filled, false)
}

// Request adds a request of the workload.
func (c *Layers) Request(e *world.Request) {
	if !e.Ours {
		return
	}
	l, done := c.in.Of(e.Device.Number), max(e.Issued, e.Completed)
	if len(l.devices) == 1 {
		return
	}
	below := int64(0)
	if e.Direct && l.level > 1 {
		below = e.Bytes
	}
	switch e.Op {
	case trace.ReqRead:
		l.read.Add(e.Issued, done, e.Bytes, e.Error != 0)
		l.directRead += below
	case trace.ReqWrite:
		l.write.Add(e.Issued, done, e.Own(), e.Error != 0)
		l.directWrite += below
	}
}

// Finish lists the layers from the calls down to the disks.
func (c *Layers) Finish(p *profile.Profile) {
	p.Layers = []profile.Layer{{Name: "calls", Devices: []string{}, Read: c.reads.Profile(p.WallNS),
		Write: c.writes.Profile(p.WallNS)}}
	if c.faults.Count > 0 {
		p.Layers = append(p.Layers, profile.Layer{Name: "faults", Devices: []string{}, Read: c.faults.Profile(p.WallNS)})
	}
	for _, l := range c.layers {
		p.Layers = append(p.Layers, l.profile(p.Devices, c.span))
	}
	if n := c.reads.Bytes + c.writes.Bytes; n > 0 {
		p.Pattern.ReadMix = float64(c.reads.Bytes) / float64(n)
	}
}

// profile is the layer as the profile shows it, which has its devices.
func (l *layer) profile(devices []profile.Device, span int64) profile.Layer {
	r := profile.Layer{
		Name: l.name, Level: l.level, Read: l.read.Profile(span), Write: l.write.Profile(span),
		DirectRead: l.directRead, DirectWrite: l.directWrite,
	}
	for _, d := range l.devices {
		r.Devices = append(r.Devices, d.Name)
	}
	if len(l.devices) == 1 {
		d := deviceOf(devices, l.devices[0])
		r.Read, r.Write, r.DirectRead, r.DirectWrite = sums(d.Read), sums(d.Write), d.DirectRead, d.DirectWrite
	}
	return r
}

// deviceOf is a device that was used as the profile shows it.
func deviceOf(devices []profile.Device, d *world.Device) *profile.Device {
	id := world.DeviceNumber(d.ID)
	return &devices[slices.IndexFunc(devices, func(x profile.Device) bool { return x.ID == id })]
}

// sums is what a layer tells of the flow of a device: not whether its latencies gather around several values.
func sums(f *profile.Flow) *profile.Flow {
	if f == nil {
		return nil
	}
	r := *f
	r.Latency.Modes = nil
	return &r
}
