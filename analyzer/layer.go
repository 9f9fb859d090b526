package analyzer

import (
	"cmp"
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"slices"
)

// layer is all devices of one kind at one level of the stack. A byte that goes
// through several layers is counted once in each.
type layer struct {
	level       int
	name        string
	devices     []string
	read, write measure.Flow
}

// arrange puts every device that was used into its layer; the topmost layers
// come first.
func (t *devices) arrange() []*layer {
	type key struct {
		level int
		name  string
	}
	layers := map[key]*layer{}
	var list []*layer
	for _, d := range t.all {
		if !d.used {
			continue
		}
		k := key{d.level, d.layer()}
		if layers[k] == nil {
			layers[k] = &layer{level: k.level, name: k.name}
			list = append(list, layers[k])
		}
		d.in = layers[k]
		d.in.devices = append(d.in.devices, d.Name)
	}
	slices.SortFunc(list, func(a, b *layer) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.name, b.name))
	})
	return list
}

// profileLayers lists the layers from the calls down to the disks.
func (a *analysis) profileLayers() []profile.Layer {
	wall := a.window.Wall - a.window.Start
	list := []profile.Layer{{Name: "calls", Devices: []string{}, Read: a.reads.Profile(wall), Write: a.writes.Profile(wall)}}
	if a.faults.Count > 0 {
		list = append(list, profile.Layer{Name: "faults", Devices: []string{}, Read: a.faults.Profile(wall)})
	}
	for _, l := range a.layers {
		list = append(list, profile.Layer{
			Name: l.name, Level: l.level, Devices: l.devices, Read: l.read.Profile(a.span()), Write: l.write.Profile(a.span()),
		})
	}
	return list
}
