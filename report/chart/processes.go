package chart

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/visible"
)

// maxProcesses bounds the lanes of processes: those that ran longest.
const maxProcesses = 200

// processLanes are when each process ran, and how much of that was its start: one below the other, in the order of
// starts. None if there is only one.
func processLanes(p *profile.Profile, starting, running int, name func(string) int64) (all []lane) {
	end := p.Charts.Timeline.EndNS
	until := func(x *profile.Process) int64 {
		if x.EndNS == profile.Unknown {
			return end
		}
		return x.EndNS
	}
	var list []*profile.Process
	for i := range p.Processes {
		if x := &p.Processes[i]; x.StartNS >= 0 && until(x) > x.StartNS {
			list = append(list, x)
		}
	}
	if len(list) < 2 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b *profile.Process) int {
		return cmp.Compare(until(b)-b.StartNS, until(a)-a.StartNS)
	})
	list = list[:min(len(list), maxProcesses)]
	slices.SortStableFunc(list, func(a, b *profile.Process) int { return cmp.Compare(a.StartNS, b.StartNS) })
	for _, x := range list {
		what := visible.Command(x.Args)
		if len(x.Args) == 0 {
			what = visible.Text(x.Command)
		}
		it, named := profile.Items{}, name(visible.Shorten(what, 120))
		for _, part := range partsOf(p, x, until(x)) {
			it.Start, it.Dur = append(it.Start, part[0]), append(it.Dur, part[1]-part[0])
			it.What = append(it.What, map[bool]int{true: starting, false: running}[part[2] == 1])
		}
		n := len(it.Start)
		whats, rows, zeros, nowhere, names := make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n),
			make([]int64, n)
		for i, w := range it.What {
			whats[i], nowhere[i], names[i] = int64(w), -1, named
		}
		all = append(all, lane{Kind: "process", Rows: 1,
			Name: visible.Shorten(visible.Text(x.Command), 100) + " " + strconv.Itoa(int(x.PID)), Items: items{
				deltas(it.Start), integers(it.Dur), uint8s(whats), uint8s(rows), integers(zeros), deltas(nowhere), deltas(names)}})
	}
	return all
}

// partsOf are the stretches of a process: from, to, and 1 while a program starts.
func partsOf(p *profile.Profile, x *profile.Process, end int64) (parts [][3]int64) {
	at := x.StartNS
	for i := range p.Launches {
		l := &p.Launches[i]
		from, to := max(l.StartNS, at), min(l.StartNS+l.WallNS, end)
		if l.PID != x.PID || to <= from {
			continue
		}
		if from > at {
			parts = append(parts, [3]int64{at, from, 0})
		}
		parts, at = append(parts, [3]int64{from, to, 1}), to
	}
	if at < end {
		parts = append(parts, [3]int64{at, end, 0})
	}
	return parts
}
