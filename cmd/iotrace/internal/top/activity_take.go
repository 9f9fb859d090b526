package top

import (
	"cmp"
	"strings"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
)

// Take ends the first interval that is open, at the latest at the time given, and returns what happened in it.
func (a *activity) Take(until int64) *Interval {
	w := a.at(a.begin(0))
	a.open = a.open[1:]
	a.closed++
	ns := max(min(w.to, until)-w.from, 1)
	i := &Interval{Number: a.closed, StartNS: w.from - a.options.From, DurationNS: ns,
		Omitted: Omitted{len(w.omittedProcesses), len(w.omittedFiles)},
		Own:     Own{Events: w.events, Lost: a.lost, Device: Amount(w.own.amount())}}
	i.Devices = a.takeDevices(w, ns)
	i.Processes = a.takeProcesses(w, ns)
	i.Files = takeFiles(w)
	i.Pairs = takePairs(w)
	i.Requests = a.takeSlow(w)
	a.lost = 0
	a.processes.next()
	return i
}

func (m *moved) amount() Amount { return Amount{m.read, m.write} }

func (a *activity) takeDevices(w *window, ns int64) []Device {
	calls := a.calls()
	list := make([]Device, 0, len(a.devices.order))
	for _, d := range a.devices.order {
		u := w.device(d.ID)
		all := u.read.latency.Counts.Clone()
		all.Merge(&u.write.latency.Counts)
		x := Device{Name: d.Name, ID: world.DeviceNumber(d.ID), Model: d.Model, Read: u.read.take(), Write: u.write.take(),
			Latency: latency(&measure.Histogram{Counts: all}), Flushes: u.flushes, Discards: u.discards, Errors: u.errors,
			Depth: float64(u.inFlight) / float64(ns), Busy: min(float64(u.busy.total())/float64(ns), 1), InFlight: -1}
		if a.options.InFlight != nil {
			x.InFlight = a.options.InFlight(d.ID)
		}
		if bytes := calls[d]; bytes > 0 {
			f := float64(d.device.read+d.device.write) / float64(bytes)
			x.Amplification = &f
		}
		list = append(list, x)
	}
	return list
}

// calls is what calls moved in the file systems of each device. One that several devices have together has no device of
// its own.
func (a *activity) calls() map[*device]int64 {
	bytes := map[*device]int64{}
	for fileSystem, m := range a.systems {
		var on []*device
		for _, d := range a.devices.order {
			if d.systems[fileSystem] {
				on = append(on, d)
			}
		}
		if len(on) == 1 {
			bytes[on[0]] += m.read + m.write
		}
	}
	return bytes
}

func (f *flow) take() Flow {
	return Flow{Requests: f.latency.Count, Bytes: f.bytes, Latency: latency(&f.latency)}
}

func latency(h *measure.Histogram) *Latency {
	if h.Count == 0 {
		return nil
	}
	return &Latency{P50: h.Quantile(.5), P99: h.Quantile(.99), Max: h.Max}
}

func (a *activity) takeProcesses(w *window, ns int64) []Process {
	list := make([]Process, 0, len(w.processes))
	for pid, u := range w.processes {
		x := Process{Key: pid, Calls: u.calls.amount(), Device: u.device.amount(), Requests: u.requests,
			DataCalls: u.readCalls + u.writeCalls, Syncs: u.syncs, Wait: min(float64(u.waited.total())/float64(ns), 1)}
		x.Block = mean(x.Calls, x.DataCalls)
		switch pid {
		case others:
			x.Command = nameOthers
		case writeBack:
			x.Command, x.Kernel = nameWriteBack, true
		case kernel:
			x.Command, x.Kernel = nameKernel, true
		default:
			p := a.processes.get(pid)
			x.PID, x.Command, x.UID, x.Kernel, x.Cgroup = pid, p.command, p.uid, p.ofKernel(), p.cgroup
		}
		if x.Calls.Total()+x.Device.Total()+x.Requests+x.DataCalls+x.Syncs > 0 || x.Wait > 0 {
			list = append(list, x)
		}
	}
	sorting.Stably(list, func(a, b Process) int {
		return cmp.Or(cmp.Compare(b.Device.Total(), a.Device.Total()), cmp.Compare(b.Calls.Total(), a.Calls.Total()),
			cmp.Compare(b.Wait, a.Wait), cmp.Compare(a.Key, b.Key))
	})
	return list
}

func mean(moved Amount, calls int64) int64 {
	if calls == 0 {
		return 0
	}
	return moved.Total() / calls
}

func takeFiles(w *window) []File {
	list := make([]File, 0, len(w.files))
	for f, u := range w.files {
		list = append(list, File{Path: f.path, Calls: u.calls.amount(), Device: u.device.amount(), DataCalls: u.count,
			Block: mean(u.calls.amount(), u.count), Syncs: u.syncs, PID: u.pid, Deleted: f.deleted})
	}
	sorting.Stably(list, func(a, b File) int {
		return cmp.Or(cmp.Compare(b.Device.Total(), a.Device.Total()), cmp.Compare(b.Calls.Total(), a.Calls.Total()),
			cmp.Compare(b.DataCalls, a.DataCalls), strings.Compare(a.Path, b.Path))
	})
	return list
}

func takePairs(w *window) []Pair {
	list := make([]Pair, 0, len(w.pairs))
	for key, u := range w.pairs {
		list = append(list, Pair{Process: key.pid, Path: key.file.path, Calls: u.calls.amount(), Device: u.device.amount(),
			DataCalls: u.count, Requests: u.requests, Block: mean(u.calls.amount(), u.count)})
	}
	sorting.Stably(list, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(b.Device.Total(), a.Device.Total()), cmp.Compare(b.Calls.Total(), a.Calls.Total()),
			cmp.Compare(b.DataCalls, a.DataCalls), strings.Compare(a.Path, b.Path))
	})
	return list
}
