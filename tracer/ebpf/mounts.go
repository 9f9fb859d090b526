//go:build linux

package ebpf

import (
	"os"
	"path"
	"strings"

	"golang.org/x/sys/unix"

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
	text  string // that the list was read from
	list  []host.Mount
	used  used
	asked map[string]bool // directories whose attributes are known
	// stamps is told of a file system that is changed by reading, as it notes each time at which a file was read.
	stamps func(system trace.DeviceID, source string)
}

// ownMounts is the number of the mount namespace of this process, 0 if that is not known.
func ownMounts() uint32 {
	var st unix.Stat_t
	if unix.Stat("/proc/self/ns/mnt", &st) != nil {
		return 0
	}
	return uint32(st.Ino)
}

// read reads the list. As long as nothing is mounted its strings stay the same, which files that are known share.
func (m *mounts) read() {
	text, err := os.ReadFile(host.OwnMounts)
	if err != nil {
		m.text, m.list = "", nil
	} else if string(text) != m.text {
		m.text = string(text)
		m.list = host.ParseMounts(m.text)
	}
}

// find returns the mount of a file by its path from the system's root: the longest mount point on it.
func (m *mounts) find(dev trace.DeviceID, name string) (best host.Mount) {
	for range 2 {
		for _, c := range m.list {
			if trace.MakeDeviceID(c.Major, c.Minor) == dev && host.Within(name, c.Point) &&
				len(c.Point) > len(best.Point) {
				best = c
			}
		}
		if best.Point != "" {
			return best
		}
		m.read() // mounted since
	}
	return best
}

// shows returns the first mount that shows a file, by its path from the root of its file system, and the path there.
func (m *mounts) shows(dev trace.DeviceID, name string) (host.Mount, string) {
	for range 2 {
		for _, c := range m.list {
			if trace.MakeDeviceID(c.Major, c.Minor) != dev || !host.Within(name, c.Root) {
				continue
			}
			there := path.Join(c.Point, strings.TrimPrefix(name, c.Root))
			if over := host.MountOf(m.list, there); over == c { // no other mount covers the place
				return c, there
			}
		}
		m.read() // mounted since
	}
	return host.Mount{}, ""
}
