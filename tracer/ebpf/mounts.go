//go:build linux

package ebpf

import (
	"os"

	"github.com/iotrace/iotrace/internal/mountinfo"
	"github.com/iotrace/iotrace/trace"
)

// mounts knows where file systems are mounted.
type mounts struct{ list []mount }

type mount struct {
	device trace.DeviceID
	root   string // directory of the file system that is mounted
	point  string
	fsType string
}

func (m *mounts) read() {
	m.list = nil
	text, err := os.ReadFile(mountinfo.Own)
	if err != nil {
		return
	}
	for _, x := range mountinfo.Parse(string(text)) {
		m.list = append(m.list, mount{trace.MakeDeviceID(x.Major, x.Minor), x.Root, x.Point, x.FSType})
	}
}

// over is the mount that an absolute path leads to, for a file of which no more than the path is known. One that was
// mounted since the list was read is not found.
func (m *mounts) over(name string) (best mount) {
	for _, c := range m.list { // of several on one point the last is on top
		if mountinfo.Within(name, c.point) && len(c.point) >= len(best.point) {
			best = c
		}
	}
	return best
}

// find returns the mount of a file: for a path from the system's root the
// longest mount point on it, for one from the root of its file system the first
// mount that shows it.
func (m *mounts) find(dev trace.DeviceID, name string, fromFSRoot bool) mount {
	for range 2 {
		var best mount
		for _, c := range m.list {
			if c.device != dev {
				continue
			}
			prefix := c.point
			if fromFSRoot {
				prefix = c.root
			}
			if mountinfo.Within(name, prefix) && (best.point == "" || len(prefix) > len(best.point) && !fromFSRoot) {
				best = c
			}
		}
		if best.point != "" {
			return best
		}
		m.read() // mounted since
	}
	return mount{}
}
