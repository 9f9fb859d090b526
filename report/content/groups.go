package content

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
)

// Grouping is what processes are put together by.
type Grouping string

// The groupings.
const (
	ByCgroup    Grouping = "cgroup"
	ByContainer Grouping = "container"
	ByUser      Grouping = "user"
)

// Groupings are all of them.
var Groupings = []Grouping{ByCgroup, ByContainer, ByUser}

// title is that of the table.
func (g Grouping) title() string {
	return map[Grouping]string{ByCgroup: "Control groups", ByContainer: "Containers", ByUser: "Users"}[g]
}

// of is the group that a process belongs to.
func (g Grouping) of(q *profile.Process) string {
	switch g {
	case ByCgroup:
		return cmp.Or(q.Cgroup, "(not known)")
	case ByContainer:
		return cmp.Or(q.Container, "(none)")
	}
	return "user " + strconv.FormatUint(uint64(q.UID), 10)
}

// processGroup is processes together.
type processGroup struct {
	name                        string
	processes, calls, cpu, wait int64
	read, write                 float64
	devRead, devWrite           int64
}

// ProcessGroups are the processes by what they have in common, those first for which devices moved most.
func ProcessGroups(p *profile.Profile, by Grouping) *table.Table {
	t := &table.Table{ID: "process-groups", Title: by.title(),
		Note: "What their processes did, added up. A process counts where it began its program."}
	rows := grouped(p.Processes, by)
	calls := table.Alike(table.Amounts, rows,
		table.Of("read", "by system calls", 0, func(g processGroup) float64 { return g.read }),
		table.Of("write", "by system calls", 0, func(g processGroup) float64 { return g.write }),
		table.Of("dev read", "by requests that were done for them", 0,
			func(g processGroup) float64 { return float64(g.devRead) }),
		table.Of("dev write", "by requests that were done for them", 0,
			func(g processGroup) float64 { return float64(g.devWrite) }))
	t.Fill(
		table.Numbers("processes", "", 1, table.Plain, rows, func(g processGroup) float64 { return float64(g.processes) }),
		table.Numbers("CPU", "", 2, table.Times, rows, func(g processGroup) float64 { return float64(g.cpu) }),
		table.Numbers("I/O wait", "off the CPU for I/O, added over threads", 2, table.Times, rows,
			func(g processGroup) float64 { return float64(g.wait) }),
		table.Numbers("calls", "", 3, table.Plain, rows, func(g processGroup) float64 { return float64(g.calls) }),
	)
	t.Fill(calls...)
	return t.Fill(table.Labels(string(by), rows, func(g processGroup) string { return visible.Text(g.name) }))
}

func grouped(list []profile.Process, by Grouping) (rows []processGroup) {
	at := map[string]int{}
	for i := range list {
		q := &list[i]
		name := by.of(q)
		n, known := at[name]
		if !known {
			n = len(rows)
			at[name] = n
			rows = append(rows, processGroup{name: name})
		}
		g := &rows[n]
		g.processes, g.calls, g.cpu, g.wait = g.processes+1, g.calls+q.Calls, g.cpu+max(q.CPUNS, 0), g.wait+q.WaitNS.IO
		g.devRead, g.devWrite = g.devRead+q.DevRead, g.devWrite+q.DevWrite
		g.read, g.write = g.read+max(flowBytes(q.Read), 0), g.write+max(flowBytes(q.Write), 0)
	}
	sorting.Stably(rows, func(a, b processGroup) int {
		return cmp.Or(cmp.Compare(b.devRead+b.devWrite, a.devRead+a.devWrite), cmp.Compare(b.read+b.write, a.read+a.write))
	})
	return rows
}

// ParseGrouping is what a user asked for.
func ParseGrouping(text string) (Grouping, error) {
	if g := Grouping(text); slices.Contains(Groupings, g) {
		return g, nil
	}
	return "", fmt.Errorf("%q is nothing to group processes by: want cgroup, container or user", text)
}

// cgroupsDiffer reports whether processes are in more than one control group.
func cgroupsDiffer(list []profile.Process) bool {
	return slices.ContainsFunc(list, func(q profile.Process) bool { return q.Cgroup != list[0].Cgroup })
}
