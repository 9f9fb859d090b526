package content

import (
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// Moved compares what went through the calls with what the devices did.
func Moved(p *profile.Profile) string {
	var parts []string
	if calls := LayerOf(p, 0, "calls"); calls != nil {
		parts = append(parts, "the program "+directions(calls))
	}
	if f := LayerOf(p, 0, "faults"); f != nil && f.Read != nil && f.Read.Bytes > 0 {
		parts = append(parts, "page faults (files mapped into memory) read "+unit.Bytes(f.Read.Bytes))
	}
	for i := range p.Layers {
		if top := &p.Layers[i]; top.Level == 1 {
			itself := " itself"
			if len(top.Devices) > 1 {
				itself = " themselves"
			}
			parts = append(parts, LayerName(top)+itself+" ("+visible.Shorten(visible.Text(strings.Join(top.Devices, ", ")), 60)+
				") "+directions(top))
		}
	}
	for _, l := range Beneath(p) {
		parts = append(parts, "of files that lie on "+LayerName(l)+" beneath ("+
			visible.Shorten(visible.Text(strings.Join(l.Devices, ", ")), 60)+
			"), "+unit.Bytes(l.DirectRead)+" were read and "+unit.Bytes(l.DirectWrite)+" written")
	}
	if len(parts) == 0 {
		return ""
	}
	s := strings.Join(parts, "; ") + "."
	return strings.ToUpper(s[:1]) + s[1:]
}

// worthTelling is how much has to go past a layer to be told of: every program is
// read from some disk.
const worthTelling = 1 << 20

// Beneath are the layers below others on which files lie that the workload used.
func Beneath(p *profile.Profile) []*profile.Layer {
	var list []*profile.Layer
	for i := range p.Layers {
		if l := &p.Layers[i]; l.Level > 1 && l.DirectRead+l.DirectWrite >= worthTelling {
			list = append(list, l)
		}
	}
	return list
}

// LayerName names the devices of a layer in a sentence.
func LayerName(l *profile.Layer) string {
	name := map[string]string{"disk": "disk", "partition": "partition", "dm": "device mapper", "md": "RAID",
		"loop": "loop device"}[l.Name]
	switch {
	case name == "":
		return "the device"
	case len(l.Devices) > 1:
		return "the " + name + "s"
	}
	return "the " + name
}

func LayerOf(p *profile.Profile, level int, name string) *profile.Layer {
	i := slices.IndexFunc(p.Layers, func(l profile.Layer) bool {
		return l.Level == level && (name == "" || l.Name == name)
	})
	if i < 0 {
		return nil
	}
	return &p.Layers[i]
}

func directions(l *profile.Layer) string {
	var r, w int64
	if l.Read != nil {
		r = l.Read.Bytes
	}
	if l.Write != nil {
		w = l.Write.Bytes
	}
	switch {
	case r == 0 && w == 0:
		return "moved no data"
	case w == 0:
		return "read " + unit.Bytes(r)
	case r == 0:
		return "wrote " + unit.Bytes(w)
	}
	return "read " + unit.Bytes(r) + " and wrote " + unit.Bytes(w)
}
