package machine

import "github.com/iotrace/iotrace/trace"

// FoundGroups is what a search came upon.
type FoundGroups struct {
	Held   []trace.Held        // by a quota, longest first
	Limits []trace.IOLimit     // in the order of time
	Memory []trace.MemoryLimit // that were reached, most often first
}

// Group is a control group that processes are recorded by.
type Group struct {
	Path string // in its hierarchy, as /proc/PID/cgroup names it
	Dir  string // where it is in the tree of files
	Name string // of the container that it is, as it was asked for; "" if it is none
	// Hierarchy and Inode are what the kernel tells it by: each hierarchy numbers its inodes for itself.
	Hierarchy uint32 // 0: version 2
	Inode     uint64
}

// Describe names it in messages.
func (g Group) Describe() string {
	if g.Name != "" {
		return "container " + g.Name
	}
	return "control group " + g.Path
}
