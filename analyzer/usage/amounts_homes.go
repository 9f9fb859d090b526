package usage

import (
	"path"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// system is a file system.
type system struct {
	device trace.DeviceID
	mount  string
}

func (f *fileAmounts) fileSystem() system {
	if f.Kind == trace.FileBlock {
		return system{}
	}
	return system{f.Device, f.Mount}
}

// homes are the devices that file systems lie on: by those of their files that were seen there, else by the mount.
func (c *Amounts) homes() map[system]*world.Device {
	all := map[system]*world.Device{}
	for _, f := range c.all {
		if key := f.fileSystem(); len(f.at) > 0 && all[key] == nil && key.device != 0 {
			all[key] = f.at[0].device
		}
	}
	for _, f := range c.all {
		if key := f.fileSystem(); all[key] == nil && key.device != 0 {
			all[key] = c.devices.Find(key.device)
		}
	}
	for i := range c.end.Mounts { // btrfs has a number of its own, and its smallest files lie in no block
		m := &c.end.Mounts[i]
		if key := (system{m.Device, m.Point}); all[key] == nil && m.Disk != 0 {
			all[key] = c.devices.Serving(m.Disk)
		}
	}
	return all
}

// overhead gives the metadata of a device to the file system on it, if that one alone was used.
func (c *Amounts) overhead(devices []summary, systems []*summary) {
	for _, d := range c.devices.All {
		var only *summary
		n := 0
		for _, s := range systems {
			if s.name != "" && s.device == d.Name {
				only = s
				n++
			}
		}
		if n != 1 || c.keeps(d) {
			continue
		}
		for direction := range 2 {
			for _, part := range devices[d.Number].side[direction].reasons {
				if part.Code == profile.Metadata {
					only.side[direction].reasons.add(part.Code, part.Bytes)
					only.side[direction].bytes += part.Bytes
				}
			}
		}
	}
}

// keeps reports whether another file system that was used keeps its files in one on a device, which changes that one
// beside the calls on it: the file system of a loop device in its image, an overlay or a FUSE daemon in a directory.
func (c *Amounts) keeps(d *world.Device) bool {
	if slices.ContainsFunc(d.Uppers(), func(u *world.Device) bool { return u.Used && u.Backing != "" }) {
		return true
	}
	for i := range c.end.Mounts {
		if dir := keptIn(&c.end.Mounts[i]); dir != "" {
			if on := c.mountOf(dir); on != nil && on.Disk != 0 && c.devices.Serving(on.Disk) == d {
				return true
			}
		}
	}
	return false
}

// keptIn is the directory of another file system in which one keeps its files, "" if that is not known.
func keptIn(m *trace.Mount) string {
	switch {
	case m.FSType == "overlay":
		return trace.OptionValue(m.Options, "upperdir")
	case strings.HasPrefix(m.FSType, "fuse") && m.Disk == 0 && path.IsAbs(m.Source): // bindfs
		return m.Source
	}
	return ""
}

// mountOf is the mount that a path leads to, nil if that was not used.
func (c *Amounts) mountOf(name string) (on *trace.Mount) {
	for i := range c.end.Mounts {
		m := &c.end.Mounts[i]
		if measure.Within(name, m.Point) && (on == nil || len(m.Point) > len(on.Point)) {
			on = m
		}
	}
	return on
}
