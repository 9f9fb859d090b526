//go:build linux

package ebpf

import (
	"unique"

	"github.com/iotrace/iotrace/internal/host"
)

// cgroupsOf are the control groups of the processes that are recorded, by number. A new process is in that of its
// parent. Who starts a container moves it to its own before it begins its program: then the system is asked. One that
// has ended by then is taken to be where its parent is.
type cgroupsOf map[uint32]string

// forked is the group of a new process, "" of a thread: it has that of its process.
func (g cgroupsOf) forked(r *iotraceFork) string {
	if r.Pid != r.Tid {
		return ""
	}
	return g.set(r.Pid, g[r.Parent])
}

// began is the group of a process that has begun a program.
func (g cgroupsOf) began(pid, parent uint32) string {
	group := host.Cgroup(pid)
	if group == "" || group == "/" && host.Exiting(pid) {
		if group = host.Cgroup(parent); group == "" {
			return g[pid]
		}
	}
	return g.set(pid, group)
}

func (g cgroupsOf) set(pid uint32, group string) string {
	if group == "" {
		return ""
	}
	g[pid] = unique.Make(group).Value() // few groups have many processes
	return g[pid]
}
