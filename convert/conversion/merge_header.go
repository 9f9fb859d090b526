package conversion

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// name gives each host a name of its own.
func name(hosts []*host) {
	taken := map[string]bool{}
	for _, h := range hosts {
		want := h.part.Name
		if want == "" {
			want = h.header.Host
		}
		if want == "" {
			want = tracefile.Name(h.part.Path)
		}
		want = strings.NewReplacer("/", "_", "@", "_").Replace(want)
		h.name = want
		for n := 2; taken[h.name]; n++ {
			h.name = fmt.Sprintf("%s-%d", want, n)
		}
		taken[h.name] = true
	}
}

// header is that of the merged trace, of which no host has a command.
func header(hosts []*host, tool string) (trace.Header, error) {
	first := hosts[0].header
	m := trace.Header{Tool: tool, OS: first.OS, UID: first.UID, Scope: trace.ScopeMerge, WallStart: start(hosts)}
	var names, backends, kernels, archs []string
	for _, h := range hosts {
		if h.header.OS != m.OS {
			return m, fmt.Errorf("%s is of %s, %s of %s: traces of one system can be merged", hosts[0].part.Path,
				visible.Line(m.OS), h.part.Path, visible.Line(h.header.OS))
		}
		for i, call := range h.header.Calls {
			if i < unnamed {
				h.calls = append(h.calls, h.shared.call(call))
			}
		}
		m.CPUs += h.header.CPUs
		m.Memory += h.header.Memory
		for _, pid := range h.header.PIDs {
			m.PIDs = append(m.PIDs, h.thread(pid))
		}
		limits(&m, h)
		names = append(names, h.name)
		backends = add(backends, h.header.Backend)
		kernels = add(kernels, h.header.Kernel)
		archs = add(archs, h.header.Arch)
	}
	m.Limits = append(m.Limits, trace.Limit{Code: trace.LimitHostClocks, Text: clocks(hosts)})
	m.Calls = hosts[0].shared.names
	m.Host = strings.Join(names, ", ")
	m.Backend, m.Kernel, m.Arch = strings.Join(backends, ", "), strings.Join(kernels, ", "), strings.Join(archs, ", ")
	return m, nil
}

func add(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// limits adds what a host did not see to what others did not.
func limits(m *trace.Header, h *host) {
	for _, l := range h.header.Limits {
		if !slices.ContainsFunc(m.Limits, func(k trace.Limit) bool { return k.Code == l.Code }) {
			m.Limits = append(m.Limits, trace.Limit{Code: l.Code, Text: "On " + h.name + ": " + l.Text})
		}
	}
}

// end is that of the merged trace: it goes on until the last recording has ended. Where hosts ran commands, with others
// recorded as a whole beside them, the commands are the workload: it has returned when the last of them has, and is
// durable when their data is.
func end(hosts []*host) trace.End {
	m := trace.End{CommandEnd: -1, ExitCode: -1, Durable: 0, Reason: trace.ScopeMerge, Reclaimed: new(int64)}
	ran := slices.ContainsFunc(hosts, (*host).ran)
	for _, h := range hosts {
		e, whole := h.file.End()
		if !whole {
			e.Durable, e.Duration = -1, h.last-h.shift
			m.Warnings = append(m.Warnings, fmt.Sprintf("The recording on %s was interrupted.", h.name))
		}
		m.Duration = max(m.Duration, h.shift+e.Duration)
		if h.ran() {
			m.CommandEnd = max(m.CommandEnd, h.shift+e.CommandEnd)
		}
		switch {
		case ran && !h.ran():
		case e.Durable < 0 || m.Durable < 0:
			m.Durable = -1
		default:
			m.Durable = max(m.Durable, h.shift+e.Durable)
		}
		if h.ran() {
			charge(&m, e.Charged)
		}
		cost(&m.Recorder, e.Recorder)
		m.Reclaimed = added(m.Reclaimed, e.Reclaimed)
		for _, w := range e.Warnings {
			m.Warnings = append(m.Warnings, h.name+": "+w)
		}
		h.rest(&m, &e)
	}
	return m
}

// added is not known where one of both is not.
func added(a, b *int64) *int64 {
	if a == nil || b == nil {
		return nil
	}
	n := *a + *b
	return &n
}

// charge adds up what the kernel charged to the commands.
func charge(m *trace.End, c *trace.Charge) {
	if c == nil {
		return
	}
	if m.Charged == nil {
		m.Charged = &trace.Charge{}
	}
	m.Charged.ReadBytes += c.ReadBytes
	m.Charged.WrittenBytes += c.WrittenBytes
	m.Charged.User += c.User
	m.Charged.System += c.System
}

// ran reports whether the recording of a host was of a command that returned.
func (h *host) ran() bool {
	e, whole := h.file.End()
	return whole && e.CommandEnd >= 0
}

// rest adds what an end says of files, processors and processes that were not recorded.
func (h *host) rest(m, e *trace.End) {
	for _, c := range e.Contents {
		c.File, c.Changed = h.id(c.File), c.Changed+h.shift
		m.Contents = append(m.Contents, c)
	}
	m.Uncompared += e.Uncompared
	for _, x := range e.Touched {
		x.File, x.Modified, x.Changed = h.id(x.File), x.Modified+h.shift, x.Changed+h.shift
		m.Touched = append(m.Touched, x)
	}
	m.Touched = m.Touched[:min(len(m.Touched), trace.MaxTouched)]
	h.processors(m, e.Processors)
	for _, holder := range e.Holders {
		holder.PID, holder.Command = h.thread(holder.PID), h.at(holder.Command)
		for _, holder.Device = range h.held[holder.Inode] { // what no file has nobody waited for
			m.Holders = append(m.Holders, holder)
		}
	}
	for _, s := range e.Accepted {
		for _, s.Device = range h.held[s.Inode] {
			m.Accepted = append(m.Accepted, s)
		}
	}
	m.Accepted = m.Accepted[:min(len(m.Accepted), trace.MaxAccepted)]
	for _, s := range e.Samples {
		s.Process = h.at(s.Process)
		m.Samples = append(m.Samples, s)
	}
	sorting.Stably(m.Samples, func(a, b trace.Sample) int { return cmp.Compare(b.Count, a.Count) })
	m.Samples = m.Samples[:min(len(m.Samples), trace.MaxSamples)]
	for _, u := range e.Users {
		u.PID, u.Command = h.thread(u.PID), h.at(u.Command)
		m.Users = append(m.Users, u)
	}
	sorting.Stably(m.Users, func(a, b trace.User) int { return cmp.Compare(b.Bytes, a.Bytes) })
	m.Users = m.Users[:min(len(m.Users), trace.MaxUsers)]
	for _, d := range e.Drives {
		d.Name = h.at(d.Name)
		m.Drives = append(m.Drives, d)
	}
	for _, l := range e.IOLimits {
		l.Group, l.Device, l.From = h.path(l.Group), h.device(l.Device), l.From+h.shift
		m.IOLimits = append(m.IOLimits, l)
	}
	m.IOLimits = m.IOLimits[:min(len(m.IOLimits), trace.MaxIOLimits)]
	for _, l := range e.Memory {
		l.Group = h.path(l.Group)
		m.Memory = append(m.Memory, l)
	}
	m.Memory = m.Memory[:min(len(m.Memory), trace.MaxMemoryLimits)]
	m.CacheDrops += e.CacheDrops
	for _, x := range e.Mounts {
		x.Point, x.Device, x.Disk = h.path(x.Point), h.device(x.Device), h.device(x.Disk)
		m.Mounts = append(m.Mounts, x)
	}
	m.Mounts = m.Mounts[:min(len(m.Mounts), trace.MaxMounts)]
	for _, dir := range e.SyncedDirs {
		m.SyncedDirs = append(m.SyncedDirs, h.path(dir))
	}
	m.SyncedDirs = m.SyncedDirs[:min(len(m.SyncedDirs), trace.MaxSyncedDirs)]
	m.Drives = m.Drives[:min(len(m.Drives), trace.MaxDrives)]
	m.Holders = m.Holders[:min(len(m.Holders), trace.MaxHolders)]
}

// processors adds what the processors of a host did, and keeps as many groups and others as a trace may have.
func (h *host) processors(m *trace.End, p *trace.Processors) {
	if p == nil {
		return
	}
	if m.Processors == nil {
		m.Processors = &trace.Processors{}
	}
	all := m.Processors
	all.Busy, all.Idle, all.Stolen = all.Busy+p.Busy, all.Idle+p.Idle, all.Stolen+p.Stolen
	for _, held := range p.Held {
		all.Held = append(all.Held, trace.Held{Group: h.path(held.Group), Time: held.Time})
	}
	all.Held = all.Held[:min(len(all.Held), trace.MaxHeld)]
	for _, o := range p.Others {
		o.PID, o.Command = h.thread(o.PID), h.at(o.Command)
		all.Others = append(all.Others, o)
	}
	sorting.Stably(all.Others, func(a, b trace.Runner) int { return cmp.Compare(b.Time, a.Time) })
	all.Others = all.Others[:min(len(all.Others), trace.MaxRunners)]
}

func cost(m *trace.Cost, c trace.Cost) {
	m.ProbeCPU += c.ProbeCPU
	m.ProbeRuns += c.ProbeRuns
	m.Sampled = m.Sampled || c.Sampled
	m.ReaderCPU += c.ReaderCPU
	m.MaxRSS = max(m.MaxRSS, c.MaxRSS)
	m.BufferSize += c.BufferSize
	m.BufferPeak += c.BufferPeak
}
