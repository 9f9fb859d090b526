package host

// This file reads the mounts of a process as Linux lists them in /proc/PID/mountinfo.

import (
	"fmt"
	"strconv"
	"strings"
)

// OwnMounts is the list of this process.
const OwnMounts = "/proc/self/mountinfo"

// Mount is a file system, or a directory of it, at a place in the tree of directories.
type Mount struct {
	Major, Minor uint32 // of the device
	Root         string // directory of the file system that is mounted
	Point        string // where
	FSType       string
	Source       string // the device, as it was named when it was mounted
	Options      string // of the file system, separated by commas
	Here         string // of this mount of it, likewise
}

// ParseMounts reads the text of such a file. Lines that are not in its form are left out. What it returns has its own
// memory: who keeps the name of a file system does not keep the whole list.
func ParseMounts(text string) (list []Mount) {
	for line := range strings.Lines(text) {
		before, after, ok := strings.Cut(line, " - ")
		left, right := strings.Fields(before), strings.Fields(after)
		if !ok || len(left) < 5 || len(right) < 2 {
			continue
		}
		m := Mount{Root: unescape(left[3]), Point: unescape(left[4]), FSType: strings.Clone(right[0]),
			Source: unescape(right[1])}
		if len(left) > 5 {
			m.Here = strings.Clone(left[5])
		}
		if len(right) > 2 {
			m.Options = strings.Clone(right[2])
		}
		if _, err := fmt.Sscanf(left[2], "%d:%d", &m.Major, &m.Minor); err == nil {
			list = append(list, m)
		}
	}
	return list
}

// Within reports whether a path is that of a directory, or below it.
func Within(path, dir string) bool {
	return dir == "/" || path == dir || strings.HasPrefix(path, dir+"/")
}

// MountOf is the mount that an absolute path without symbolic links is on: of those with the longest point the last,
// which covers the others. Its Point is "" if there is none.
func MountOf(list []Mount, path string) (best Mount) {
	for _, m := range list {
		if Within(path, m.Point) && len(m.Point) >= len(best.Point) {
			best = m
		}
	}
	return best
}

// unescape undoes the octal escapes of space, tab, newline and backslash: \040 is a space.
func unescape(s string) string {
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
