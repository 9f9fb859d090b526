//go:build linux

package ebpf

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"unique"

	"github.com/iotrace/iotrace/internal/host"
)

// groupTable has the control groups of the processes that are recorded, by number. A new process is in that of its
// parent; of other new ones, of those that begin a program and of those that are moved, the probes tell the names.
type groupTable struct {
	of map[uint32]string
	// asks: the paths of this process begin at another group than the kernel's (a namespace). The system says then what
	// the path of a group is here, for as long as the process is there.
	asks bool
}

// hostGroups is in which namespace the paths of groups are the kernel's own (PROC_CGROUP_INIT_INO in linux/proc_ns.h).
const hostGroups = "cgroup:[4026531835]"

func newGroupTable() *groupTable {
	space, err := os.Readlink("/proc/self/ns/cgroup")
	return &groupTable{of: map[uint32]string{}, asks: err == nil && space != hostGroups}
}

// told takes the names of the group of a process, the innermost first.
func (g *groupTable) told(r *iotraceGroupPath, names []byte) {
	_, known := g.of[r.Pid]
	if r.Moved != 0 && !known {
		return // of somebody else
	}
	group := ""
	if g.asks {
		group = host.Cgroup(r.Pid)
	} else {
		group = groupPath(names[:min(int(r.Len), len(names))])
	}
	g.set(r.Pid, group)
}

// groupPath joins names that have a NUL each.
func groupPath(names []byte) string {
	list := strings.Split(strings.TrimSuffix(string(names), "\x00"), "\x00")
	slices.Reverse(list)
	return "/" + strings.Join(list, "/")
}

// forked is the group of a new process, "" of a thread: it has that of its process.
func (g *groupTable) forked(r *iotraceFork) string {
	switch {
	case r.Pid != r.Tid:
		return ""
	case r.Grouped != 0:
		return g.of[r.Pid]
	}
	return g.set(r.Pid, g.of[r.Parent])
}

func (g *groupTable) set(pid uint32, group string) string {
	if group == "" {
		return g.of[pid]
	}
	g.of[pid] = unique.Make(group).Value() // few groups have many processes
	return g.of[pid]
}

// hierarchyRanks says of each hierarchy of control groups, by its number, how much its groups tell (host.CgroupIn): the
// lines "number:controllers:path" are those of any process.
func hierarchyRanks(memberships string) (ranks [iotraceBoundMAX_HIERARCHY]uint8) {
	for i := range ranks {
		ranks[i] = uint8(host.HierarchyRank("none"))
	}
	for line := range strings.Lines(memberships) {
		number, rest, _ := strings.Cut(line, ":")
		controllers, _, ok := strings.Cut(rest, ":")
		if n, err := strconv.ParseUint(number, 10, 32); ok && err == nil && n < uint64(len(ranks)) {
			ranks[n] = uint8(host.HierarchyRank(controllers))
		}
	}
	return ranks
}
