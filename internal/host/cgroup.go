package host

import (
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// order is that of the hierarchies: version 2 first, then the one that systemd keeps for itself, then those of
// controllers, of which the one for disks says most here.
var order = []string{"", "name=systemd", "blkio", "memory"}

// Cgroup is the path of the control group of a process, "" if it cannot be told.
func Cgroup(pid uint32) string { return CgroupIn(Memberships(pid)) }

// Memberships are the groups of a process, lines of "number:controllers:path", "" if they cannot be told.
func Memberships(pid uint32) string {
	text, err := os.ReadFile("/proc/" + strconv.FormatUint(uint64(pid), 10) + "/cgroup")
	if err != nil {
		return ""
	}
	return string(text)
}

// CgroupIn is the path of one group of those of a process, lines of "number:controllers:path": the first that is not
// the root of its hierarchy. Where version 1 is in use, a process may be in another group of each.
func CgroupIn(memberships string) (group string) {
	best := len(order) + 1
	for line := range strings.Lines(memberships) {
		_, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		controllers, p, ok := strings.Cut(rest, ":")
		if !ok || !strings.HasPrefix(p, "/") {
			continue
		}
		p = strings.TrimSuffix(p, " (deleted)")
		rank := HierarchyRank(controllers)
		if group == "" {
			group = "/"
		}
		if p != "/" && rank < best {
			best, group = rank, p
		}
	}
	return group
}

// HierarchyRank says how much the groups of a hierarchy tell by its controllers: the less, the more.
func HierarchyRank(controllers string) int {
	for i, name := range order {
		if slices.Contains(strings.Split(controllers, ","), name) {
			return i
		}
	}
	return len(order)
}

// idLength is that of the ID of a container.
const idLength = 64

// ContainerOf is the ID of the container whose control group has a path, "" if it is none: docker-ID.scope,
// libpod-ID.scope, cri-containerd-ID.scope, crio-ID.scope or libpod-ID, and ID alone below docker, kubepods and others.
func ContainerOf(group string) string {
	name := strings.TrimSuffix(path.Base(group), ".scope")
	at := strings.LastIndexByte(name, '-')
	id := name[at+1:]
	conmon := strings.HasSuffix(name[:max(at, 0)], "conmon")
	if len(id) != idLength || strings.Trim(id, "0123456789abcdef") != "" || conmon {
		return "" // conmon watches over a container from outside of it
	}
	return id
}

// ContainerAround is the ID of the container that a group is, or lies in: a container may have groups of its own.
func ContainerAround(group string) string {
	for ; group != "/" && group != "." && group != ""; group = path.Dir(group) {
		if id := ContainerOf(group); id != "" {
			return id
		}
	}
	return ""
}
