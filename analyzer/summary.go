package analyzer

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

// profile puts together what the second reading has gathered.
func (a *analysis) profile() *profile.Profile {
	p := &profile.Profile{Command: a.header.Command, ExitStatus: -1, DurableNS: profile.Unknown, Lost: a.lost.profile(a.opt.MaxSlices)}
	p.Trace = a.origin()
	p.StartNS = a.window.Start
	p.WallNS = a.window.Wall - a.window.Start
	if a.whole {
		p.ExitStatus = a.end.ExitCode
		if a.end.Durable >= 0 {
			p.DurableNS = max(a.end.Durable-a.window.Start, p.WallNS)
		}
	}
	p.Recorder = a.cost()
	for _, d := range a.devices.busiest() {
		p.Devices = append(p.Devices, d.profile(a.devices, a.span()))
		p.Recorder.DeviceBytes += d.recorder.Read + d.recorder.Write
	}
	p.Layers = a.profileLayers()
	a.listFiles(p)
	p.Processes = a.processes.profile(p.WallNS)
	p.Omitted.Processes = int64(len(a.processes.omitted))
	p.Calls = a.calls.profile()
	p.TimeStack = a.timeStack()
	a.listCopies(p)
	a.listPhases(p)
	a.fitSizes(p)
	a.listLaunches(p)
	a.listScrubs(p)
	p.Pattern = a.wholePattern(p)
	listBounds(p)
	a.warn(p)
	p.Observations = observe(p)
	a.finishCharts(p)
	settle(reflect.ValueOf(p))
	return p
}

// span is the time over which devices are watched: to the end of write-back.
func (a *analysis) span() int64 { return a.window.End - a.window.Start }

func (a *analysis) origin() profile.Trace {
	h := a.header
	t := profile.Trace{
		Backend: h.Backend, Tool: h.Tool, OS: h.OS, Kernel: h.Kernel, Arch: h.Arch, Host: h.Host, Scope: h.Scope,
		WallStart: h.WallStart, CPUs: h.CPUs, MemoryBytes: h.Memory, Dir: h.Dir, DurationNS: a.last,
		Reason: "interrupted", Damaged: a.damage, Events: map[string]uint64{}, Limits: []profile.Limit{},
	}
	for k, n := range a.counts {
		if n > 0 {
			t.Events[trace.Kind(k).String()] = n
		}
	}
	for _, l := range h.Limits {
		t.Limits = append(t.Limits, profile.Limit{Code: string(l.Code), Text: l.Text})
	}
	if a.whole {
		t.Reason, t.DurationNS = a.end.Reason, a.end.Duration
	}
	return t
}

func (a *analysis) cost() profile.Recorder {
	c := a.end.Recorder
	r := profile.Recorder{
		ProbeCPUNS: c.ProbeCPU, ProbeSampled: c.Sampled, ProbeRuns: c.ProbeRuns, ReaderCPUNS: c.ReaderCPU,
		MaxRSSBytes: c.MaxRSS, BufferBytes: c.BufferSize, BufferPeak: c.BufferPeak,
	}
	if !a.whole || c == (trace.Cost{}) {
		r.ProbeCPUNS, r.ReaderCPUNS = profile.Unknown, profile.Unknown
	} else if all := int64(a.header.CPUs) * a.end.Duration; all > 0 && c.ProbeCPU > 0 {
		r.ProbeShare = float64(c.ProbeCPU) / float64(all)
	}
	return r
}

// rank chooses the files that are listed: those with most bytes, then those
// with most events.
func (t *identities) rank(n int) {
	slices.SortStableFunc(t.all, func(a, b *file) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(b.events, a.events), strings.Compare(a.path, b.path))
	})
	for i, f := range t.all {
		f.listed = i < n && f.events > 0
	}
}

// listFiles lists the files, and counts what was left out.
func (a *analysis) listFiles(p *profile.Profile) {
	for _, f := range append(slices.Clone(a.files.all), a.files.rest) {
		switch {
		case f.stats == nil:
		case f.listed:
			f.index = len(p.Files)
			p.Files = append(p.Files, f.profile(a.span()))
		default:
			p.Omitted.Files++
			p.Omitted.FilesBytes += f.stats.moved()
		}
	}
	p.Omitted.Files += a.files.omitted
}

// labelTexts says what each label means, and which group it belongs to.
var labelTexts = [timeline.NumLabels]struct{ group, text string }{
	timeline.DeviceBoth:  {"device", "device reading and writing"},
	timeline.DeviceRead:  {"device", "device reading"},
	timeline.DeviceWrite: {"device", "device writing"},
	timeline.DeviceOther: {"device", "device flushing or discarding"},
	timeline.Queued:      {"device", "requests queued in the block layer, none of them at the device"},
	timeline.Throttled:   {"call", "held back: too much data waits to be written"},
	timeline.Sync:        {"call", "in fsync and the like, with no request of its own in flight"},
	timeline.PageCache:   {"call", "in read and write calls with no request in flight: copying through the page cache"},
	timeline.Metadata:    {"call", "in calls on names, attributes and allocation"},
	timeline.OtherCall:   {"call", "in other recorded calls"},
	timeline.CPU:         {"outside", "running outside of recorded calls"},
	timeline.Ready:       {"outside", "waiting for a processor after I/O was done"},
	timeline.IOWait:      {"call", "waiting for I/O with no request at a device: held back above it, as by a limit, or not recorded"},
	timeline.Blocked:     {"call", "blocked in a call: a lock, the file system's journal, a pipe"},
	timeline.Waiting:     {"outside", "every thread blocked outside of recorded calls"},
	timeline.Outside:     {"outside", "outside of recorded calls"},
	timeline.Draining:    {"after", "after the command returned: data being written back"},
}

func (a *analysis) timeStack() profile.TimeStack {
	t := profile.TimeStack{TotalNS: a.span(), WallNS: a.window.Wall - a.window.Start, ThreadNS: a.sum.ThreadTimes()}
	for l, ns := range a.sum.Label {
		s := profile.StackSlice{Label: timeline.Label(l).String(), Group: labelTexts[l].group, NS: ns, Text: labelTexts[l].text}
		if t.TotalNS > 0 {
			s.Share = float64(ns) / float64(t.TotalNS)
		}
		t.Slices = append(t.Slices, s)
	}
	return t
}
