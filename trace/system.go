package trace

import (
	"slices"
	"strings"
)

// systemDirs hold programs, libraries, settings and what the kernel shows as files.
var systemDirs = []string{"/usr/", "/lib/", "/lib32/", "/lib64/", "/libx32/", "/bin/", "/sbin/", "/etc/", "/proc/",
	"/sys/", "/dev/", "/run/", "/nix/", "/opt/", "/System/", "/Library/", "/private/etc/"}

// dataDirs lie within system directories, and hold the data of users: drives that a desktop has mounted, what else
// belongs to a session, and files in shared memory.
var dataDirs = []string{"/run/media/", "/run/user/", "/dev/shm/"}

// OfSystem reports whether a file is a part of the system by its path: workloads read such files without meaning to.
func (f *File) OfSystem() bool {
	within := func(dirs []string) bool {
		return slices.ContainsFunc(dirs, func(d string) bool { return strings.HasPrefix(f.Path, d) })
	}
	return within(systemDirs) && !within(dataDirs)
}
