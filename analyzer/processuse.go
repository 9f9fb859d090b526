package analyzer

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// processesCollector gathers what each process did.
type processesCollector struct {
	processes *processes
	used      table[processUse]
}

// processUse is what one process did.
type processUse struct {
	calls, callTime    int64
	read, write, async measure.Flow
	faults, faultTime  int64
	waits              profile.Waits
	devRead, devWrite  int64
}

func newProcessesCollector(t *processes) *processesCollector {
	return &processesCollector{processes: t}
}

// Call adds a call.
func (c *processesCollector) Call(e *call) {
	u := c.used.of(e.process.number)
	u.calls++
	u.callTime += e.Duration
}

// Async adds an asynchronous operation.
func (c *processesCollector) Async(e *async) {
	c.used.of(e.process.number).async.Add(e.Submit, e.Complete, e.Bytes(), e.Result < 0)
}

// Data adds data moved to or from files that hold data.
func (c *processesCollector) Data(x *access) {
	if x.reads {
		c.used.of(x.process.number).read.Add(x.start, x.end, x.bytes, x.failed)
	}
	if x.writes {
		c.used.of(x.process.number).write.Add(x.start, x.end, x.bytes, x.failed)
	}
}

// Fault adds a page fault that had to wait.
func (c *processesCollector) Fault(e *fault) {
	u := c.used.of(e.process.number)
	u.faults++
	u.faultTime += e.Duration
}

// Wait adds a time off the CPU.
func (c *processesCollector) Wait(e *wait) {
	w := &c.used.of(e.process.number).waits
	switch e.Cause {
	case trace.WaitIO:
		w.IO += e.Duration
	case trace.WaitThrottle:
		w.Throttle += e.Duration
	case trace.WaitCall:
		w.Call += e.Duration
	default:
		w.Other += e.Duration
	}
}

// Request adds a request at a topmost device to the process it was done for.
func (c *processesCollector) Request(e *request) {
	if !e.ours || e.process == nil || e.device.level != 1 {
		return
	}
	switch e.Op {
	case trace.ReqRead:
		c.used.of(e.process.number).devRead += e.Bytes
	case trace.ReqWrite:
		c.used.of(e.process.number).devWrite += e.Bytes
	}
}

// Finish lists the processes in the order in which they showed up.
func (c *processesCollector) Finish(p *profile.Profile) {
	all := c.processes.all
	if len(c.processes.omitted) > 0 {
		all = append(slices.Clone(all), c.processes.rest)
	}
	p.Omitted.Processes = int64(len(c.processes.omitted))
	p.Processes = make([]profile.Process, 0, len(all))
	for _, x := range all {
		u := c.used.of(x.number)
		p.Processes = append(p.Processes, profile.Process{
			PID: x.PID, Parent: x.Parent, Command: x.Command, Args: x.Args, Exe: x.Exe, UID: x.UID, StartNS: x.StartNS, EndNS: x.EndNS,
			Status: x.Status, CPUNS: x.CPUNS, Threads: x.threads, CallNS: u.callTime, Calls: u.calls,
			Read: u.read.Profile(p.WallNS), Write: u.write.Profile(p.WallNS), Async: u.async.Profile(p.WallNS),
			Faults: u.faults, FaultNS: u.faultTime, WaitNS: u.waits, DevRead: u.devRead, DevWrite: u.devWrite,
		})
	}
	slices.SortStableFunc(p.Processes, func(a, b profile.Process) int { return cmp.Compare(a.StartNS, b.StartNS) })
}
