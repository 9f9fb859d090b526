package answer

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// unindexed is for calls on many names of a file system whose directories have no index: the more names there are, the
// longer each is looked for.
func unindexed(o *observer, m *profile.Mount, at string) {
	if !m.Unindexed {
		return
	}
	var most *profile.OpFiles
	index := 0
	for i := range o.p.OpFiles {
		x := &o.p.OpFiles[i]
		if x.Op.Metadata() && x.UnderFiles >= fewestLookups && within(x.Under, m.Point) &&
			(most == nil || x.UnderNS > most.UnderNS) {
			most, index = x, i
		}
	}
	if most == nil || !o.worthTelling(most.UnderNS) {
		return
	}
	instead := fmt.Sprintf("an index of directories, unmounted (tune2fs -O dir_index %s; e2fsck -fD %s)", m.Source,
		m.Source)
	files := fmt.Sprintf("/op_files/%d", index)
	o.say("mount_unindexed", at, fmt.Sprintf("This %s has no index of directories: each of %s was looked for among all, "+
		"%s in all (%s).", m.FSType, unit.Things(most.UnderFiles, "name"), unit.Nanoseconds(most.UnderNS), instead),
		number(files+"/under_files", float64(most.UnderFiles)), number(files+"/under_ns", float64(most.UnderNS)))
	o.instead(instead)
}

// within reports whether a path is a directory or in it.
func within(name, dir string) bool {
	return name == dir || strings.HasPrefix(name, strings.TrimSuffix(dir, "/")+"/")
}

// sharingCounted is for syncs and calls on names of a btrfs that counts for its quotas who shares an extent: where many
// snapshots do, it computes for longer than its drive writes.
func sharingCounted(o *observer, m *profile.Mount, at string) {
	if !m.SharingCounted {
		return
	}
	var ns int64
	there := false
	for i := range o.p.OpFiles {
		x := &o.p.OpFiles[i]
		there = there || x.Op.Metadata() && within(x.Under, m.Point)
	}
	var evidence []profile.Evidence
	for i := range o.p.Calls {
		c := &o.p.Calls[i]
		if there && (c.Op.Metadata() || c.Op.Durability()) {
			ns += c.TimeNS
			evidence = append(evidence, number(fmt.Sprintf("/calls/%d/time_ns", i), float64(c.TimeNS)))
		}
	}
	if !o.worthTelling(ns) || 2*busyOn(o.p, m.Device) > ns {
		return
	}
	instead := "leave quotas off (btrfs quota disable " + m.Point + "), or keep fewer snapshots"
	o.say("mount_quotas", at, fmt.Sprintf("btrfs quotas are on: freed extents are looked for in all snapshots; %s in "+
		"syncs and calls on names (%s).", unit.Nanoseconds(ns), instead), evidence...)
	o.list[len(o.list)-1].Figures = map[string]float64{"ns": float64(ns)}
	o.instead(instead)
}

// busyOn is how long a device was busy.
func busyOn(p *profile.Profile, name string) int64 {
	for i := range p.Devices {
		if d := &p.Devices[i]; d.Name == name {
			return d.Depth.BusyNS
		}
	}
	return 0
}
