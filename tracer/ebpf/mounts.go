//go:build linux

package ebpf

import (
	"os"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
)

// used is what is told of mounts in the end. They are noted when they are first used: they may be gone then.
type used struct {
	mounts []trace.Mount
	known  map[place]bool
	dirs   []string // whose names are written at once
}

// place is a file system at a mount point.
type place struct {
	major, minor uint32
	point        string
}

// mounts knows where file systems are mounted, and which of them were used.
type mounts struct {
	list  []host.Mount
	used  used
	asked map[string]bool // directories whose attributes are known
	// stamps is told of a file system that is changed by reading, as it notes each time at which a file was read.
	stamps func(system trace.DeviceID, source string)
}

func (m *mounts) read() {
	m.list = nil
	text, err := os.ReadFile(host.OwnMounts)
	if err != nil {
		return
	}
	m.list = host.ParseMounts(string(text))
}

// find returns the mount of a file: for a path from the system's root the
// longest mount point on it, for one from the root of its file system the first
// mount that shows it.
func (m *mounts) find(dev trace.DeviceID, name string, fromFSRoot bool) host.Mount {
	for range 2 {
		var best host.Mount
		for _, c := range m.list {
			if trace.MakeDeviceID(c.Major, c.Minor) != dev {
				continue
			}
			prefix := c.Point
			if fromFSRoot {
				prefix = c.Root
			}
			if host.Within(name, prefix) && (best.Point == "" || len(prefix) > len(best.Point) && !fromFSRoot) {
				best = c
			}
		}
		if best.Point != "" {
			return best
		}
		m.read() // mounted since
	}
	return host.Mount{}
}
