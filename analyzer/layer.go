package analyzer

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// layersCollector gathers what each layer moved: the calls and faults, then the
// devices from top to bottom.
type layersCollector struct {
	reads, writes, faults measure.Flow // of data, by calls and asynchronous operations; by faults
	layers                []*layer
	in                    table[layer] // of a device
	span                  int64
}

// layer is all devices of one kind at one level of the stack. A byte that goes
// through several layers is counted once in each.
type layer struct {
	level       int
	name        string
	devices     []string
	read, write measure.Flow
}

// newLayersCollector puts every device that was used into its layer; the topmost
// layers come first.
func newLayersCollector(t *devices, span int64) *layersCollector {
	c := &layersCollector{span: span}
	type key struct {
		level int
		name  string
	}
	layers := map[key]*layer{}
	for _, d := range t.all {
		if !d.used {
			continue
		}
		k := key{d.level, d.layer()}
		if layers[k] == nil {
			layers[k] = &layer{level: k.level, name: k.name}
			c.layers = append(c.layers, layers[k])
		}
		layers[k].devices = append(layers[k].devices, d.Name)
		c.in.set(d.number, layers[k])
	}
	slices.SortFunc(c.layers, func(a, b *layer) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.name, b.name))
	})
	return c
}

// Data adds data moved to or from files that hold data: not pipes, sockets
// and terminals.
func (c *layersCollector) Data(x *access) {
	if x.reads {
		c.reads.Add(x.start, x.end, x.bytes, x.failed)
	}
	if x.writes {
		c.writes.Add(x.start, x.end, x.bytes, x.failed)
	}
}

// Fault adds a page fault that had to wait.
func (c *layersCollector) Fault(e *fault) {
	c.faults.Add(e.Start, e.Start+max(e.Duration, 0), e.Filled, false)
}

// Request adds a request of the workload.
func (c *layersCollector) Request(e *request) {
	if !e.ours {
		return
	}
	switch e.Op {
	case trace.ReqRead:
		c.in.of(e.device.number).read.Add(e.Issued, max(e.Issued, e.Completed), e.Bytes, e.Error != 0)
	case trace.ReqWrite:
		c.in.of(e.device.number).write.Add(e.Issued, max(e.Issued, e.Completed), e.Bytes, e.Error != 0)
	}
}

// Finish lists the layers from the calls down to the disks.
func (c *layersCollector) Finish(p *profile.Profile) {
	p.Layers = []profile.Layer{{Name: "calls", Devices: []string{}, Read: c.reads.Profile(p.WallNS), Write: c.writes.Profile(p.WallNS)}}
	if c.faults.Count > 0 {
		p.Layers = append(p.Layers, profile.Layer{Name: "faults", Devices: []string{}, Read: c.faults.Profile(p.WallNS)})
	}
	for _, l := range c.layers {
		p.Layers = append(p.Layers, profile.Layer{
			Name: l.name, Level: l.level, Devices: l.devices, Read: l.read.Profile(c.span), Write: l.write.Profile(c.span),
		})
	}
	if n := c.reads.Bytes + c.writes.Bytes; n > 0 {
		p.Pattern.ReadMix = float64(c.reads.Bytes) / float64(n)
	}
}
