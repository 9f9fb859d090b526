//go:build linux

package ebpf

import (
	"bufio"
	"os"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// mounts knows where file systems are mounted.
type mounts struct{ list []mount }

type mount struct {
	device trace.DeviceID
	root   string // directory of the file system that is mounted
	point  string
}

func (m *mounts) read() {
	m.list = nil
	f, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 5 {
			continue
		}
		major, minor, _ := strings.Cut(fields[2], ":")
		a, _ := strconv.ParseUint(major, 10, 32)
		b, _ := strconv.ParseUint(minor, 10, 32)
		m.list = append(m.list, mount{trace.MakeDeviceID(uint32(a), uint32(b)), unescape(fields[3]), unescape(fields[4])})
	}
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
			if within(name, prefix) && (best.point == "" || len(prefix) > len(best.point) && !fromFSRoot) {
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

func within(name, dir string) bool {
	return dir == "/" || name == dir || strings.HasPrefix(name, dir+"/")
}

// unescape undoes the octal escapes of mountinfo (space, tab, newline, backslash).
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
