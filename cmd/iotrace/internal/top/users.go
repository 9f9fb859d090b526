package top

import (
	"cmp"
	"fmt"
	"os/user"
	"slices"
	"strconv"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/tracer/machine"
)

// grouping is what the rows of the second table are.
type grouping int

const (
	byProcess grouping = iota
	byCgroup
	byContainer
	byUser
	groupings
)

// columns are those of the second table; groups have no number of a process.
func (g grouping) columns() []Column[Process] {
	if g == byProcess {
		return Processes
	}
	columns := slices.Clone(Processes[1:])
	columns[0].Title = [...]string{byCgroup: " CONTROL GROUP", byContainer: " CONTAINER", byUser: " USER"}[g]
	return columns
}

// Numbers that no process and no user has (setuid refuses the last one).
const (
	kernelKey = 1<<32 - 1 - iota // what the kernel does
	nobodyKey                    // who is in no container, or not known to be in a group
)

// label is the group that a process counts for: a number, which stands for the name, and the name.
func (v *view) label(p *Process) (key uint32, name string) {
	switch {
	case p.Kernel:
		return kernelKey, "kernel"
	case v.by == byUser:
		return p.UID, v.names.of(p.UID)
	case v.by == byCgroup && p.Cgroup != "":
		return v.numbers.of(p.Cgroup), p.Cgroup
	case v.by == byContainer:
		if id := host.ContainerAround(p.Cgroup); id != "" {
			return v.numbers.of(id), v.containers.of(id)
		}
		return nobodyKey, "(none)"
	}
	return nobodyKey, "(not known)"
}

// numbers are those of groups that have been seen, by name.
type numbers map[string]uint32

func (n numbers) of(name string) uint32 {
	if _, known := n[name]; !known {
		n[name] = uint32(len(n))
	}
	return n[name]
}

// grouped adds up the processes of each group, in the order in which the first of them comes. A group waits for as long
// as the process that waits longest.
func (v *view) grouped(list []Process) (groups []Process) {
	index := map[uint32]int{}
	for _, p := range list {
		key, name := v.label(&p)
		at, ok := index[key]
		if !ok {
			at = len(groups)
			index[key] = at
			groups = append(groups, Process{Key: key, UID: p.UID, Kernel: p.Kernel, Command: name})
		}
		g := &groups[at]
		g.Calls, g.Device = add(g.Calls, p.Calls), add(g.Device, p.Device)
		g.Requests, g.DataCalls, g.Syncs = g.Requests+p.Requests, g.DataCalls+p.DataCalls, g.Syncs+p.Syncs
		g.Wait = max(g.Wait, p.Wait)
	}
	for i := range groups {
		if g := &groups[i]; g.DataCalls > 0 {
			g.Block = g.Calls.Total() / g.DataCalls
		}
	}
	return groups
}

func add(a, b Amount) Amount { return Amount{Read: a.Read + b.Read, Write: a.Write + b.Write} }

// names are those of users, as the system has them.
type names map[uint32]string

func (n names) of(uid uint32) string {
	if _, known := n[uid]; !known {
		n[uid] = fmt.Sprintf("user %d", uid)
		if u, err := user.LookupId(strconv.FormatUint(uint64(uid), 10)); err == nil {
			n[uid] = u.Username
		}
	}
	return n[uid]
}

// containerNames are those of containers by ID, as their runtimes have them. Of one that is not known yet, the state of
// the runtimes is read once more.
type containerNames map[string]string

// shortID is how many digits of an ID runtimes print.
const shortID = 12

func (n containerNames) of(id string) string {
	if _, known := n[id]; !known {
		for all, names := range machine.ContainerNames() {
			n[all] = names[0]
		}
		n[id] = cmp.Or(n[id], id[:shortID])
	}
	return n[id]
}
