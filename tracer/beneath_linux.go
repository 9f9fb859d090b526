package tracer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
)

// beneath knows on which devices files lie. Most file systems have the number of theirs. Those of several devices
// (btrfs) and those made of others (overlay) have a number of their own, which leads there by way of their mount. A
// mount that this process does not see leads nowhere.
type beneath struct {
	mounts []host.Mount
	read   time.Time
	asked  map[trace.DeviceID]bool // since then the list was read once more for these file systems
}

// outdated is how long a list of mounts is believed: a number may be given again to another file system.
const outdated = time.Second

// of lists the devices that a file may lie on, or that it is.
func (b *beneath) of(e *trace.File) []trace.DeviceID {
	if e.Type == trace.FileBlock {
		if id, ok := blockDevice(e.Path); ok {
			return []trace.DeviceID{id}
		}
	}
	if e.Device.Major() != 0 {
		return []trace.DeviceID{e.Device}
	}
	if !filepath.IsAbs(e.Path) { // a pipe, a socket
		return nil
	}
	if time.Since(b.read) > outdated {
		b.reread()
		b.asked = map[trace.DeviceID]bool{}
	}
	on, ok := b.mountOf(e, false)
	if !ok { // it was mounted since, or the path is that of a container
		if !b.asked[e.Device] {
			b.reread()
			b.asked[e.Device] = true
		}
		on, _ = b.mountOf(e, true)
	}
	return b.under(&on, trace.MaxLoops)
}

func (b *beneath) reread() {
	if text, err := os.ReadFile(host.OwnMounts); err == nil {
		b.mounts, b.read = host.ParseMounts(string(text)), time.Now()
	}
}

// mountOf is the mount that a file is on: of a path that led to none the one that covers it, of a container's file the
// one that shows it here. In a container the path begins elsewhere: then any mount of its file system will do.
func (b *beneath) mountOf(e *trace.File, anywhere bool) (host.Mount, bool) {
	if e.Host != "" {
		on := host.MountOf(b.mounts, e.Host)
		return on, on.Point != ""
	}
	if e.Device == 0 {
		on := host.MountOf(b.mounts, e.Path)
		return on, on.Point != ""
	}
	i := slices.IndexFunc(b.mounts, func(m host.Mount) bool {
		return trace.MakeDeviceID(m.Major, m.Minor) == e.Device && (anywhere || host.Within(e.Path, m.Point))
	})
	if i < 0 {
		return host.Mount{}, false
	}
	return b.mounts[i], true
}

// under lists the devices of a mount, through some file systems at most that are made of others.
func (b *beneath) under(on *host.Mount, steps int) []trace.DeviceID {
	id := trace.MakeDeviceID(on.Major, on.Minor)
	if id.Major() != 0 {
		return []trace.DeviceID{id}
	}
	if on.FSType == "overlay" && steps > 0 {
		return b.layers(on, steps-1)
	}
	id, ok := blockDevice(on.Source)
	if !ok {
		return nil
	}
	return members(id)
}

// layers are the devices of the directories that an overlay is made of.
func (b *beneath) layers(on *host.Mount, steps int) (list []trace.DeviceID) {
	dirs := append(strings.Split(trace.OptionValue(on.Options, "lowerdir"), ":"),
		trace.OptionValue(on.Options, "upperdir"))
	for _, dir := range dirs {
		if filepath.IsAbs(dir) {
			layer := host.MountOf(b.mounts, dir)
			list = append(list, b.under(&layer, steps)...)
		}
	}
	return list
}

// members are the devices of a file system that has this one: btrfs lists them.
func members(id trace.DeviceID) []trace.DeviceID {
	systems, _ := filepath.Glob("/sys/fs/btrfs/*/devices")
	for _, dir := range systems {
		entries, _ := os.ReadDir(dir)
		var list []trace.DeviceID
		for _, e := range entries {
			if member, err := numberIn(filepath.Join(blocks, e.Name())); err == nil {
				list = append(list, member)
			}
		}
		if slices.Contains(list, id) {
			return list
		}
	}
	return []trace.DeviceID{id}
}

// blockDevice is the number of the device behind a path.
func blockDevice(path string) (trace.DeviceID, bool) {
	var st unix.Stat_t
	if !filepath.IsAbs(path) || unix.Stat(path, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFBLK {
		return 0, false
	}
	return trace.MakeDeviceID(unix.Major(st.Rdev), unix.Minor(st.Rdev)), true
}
