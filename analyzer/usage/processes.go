package usage

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// Processes gathers what each process did.
type Processes struct {
	processes *world.Processes
	used      world.Table[processUse]
}

// processUse is what one process did.
type processUse struct {
	calls, callTime    int64
	asked              int64 // of callTime, in reads of what to do next
	read, write, async measure.Flow
	faults, faultTime  int64
	waits              profile.Waits
	devRead, devWrite  int64
	behind             *behindSyncs // nil if it made no sync
}

func NewProcesses(t *world.Processes) *Processes {
	return &Processes{processes: t}
}

// Call adds a call.
func (c *Processes) Call(e *world.Call) {
	u := c.used.Of(e.Process.Number)
	u.calls++
	u.callTime += e.Duration
	if e.Awaits {
		u.asked += e.Duration
	}
	if e.Op.Durability() && u.behind == nil {
		u.behind = new(behindSyncs)
	}
	if u.behind != nil {
		u.behind.call(e)
	}
}

// Async adds an asynchronous operation.
func (c *Processes) Async(e *world.Async) {
	if e.Op.Awaits() {
		return
	}
	c.used.Of(e.Process.Number).async.Add(e.Submit, e.Complete, e.Bytes(), e.Result < 0)
}

// Data adds data moved to or from files that hold data.
func (c *Processes) Data(x *world.Access) {
	if x.Reads {
		c.used.Of(x.Process.Number).read.Add(x.Start, x.End, x.Bytes, x.Failed)
	}
	if x.Writes {
		c.used.Of(x.Process.Number).write.Add(x.Start, x.End, x.Bytes, x.Failed)
	}
}

// Fault adds a page fault that had to wait.
func (c *Processes) Fault(e *world.Fault) {
	u := c.used.Of(e.Process.Number)
	u.faults++
	u.faultTime += e.Duration
}

// Wait adds a time off the CPU.
func (c *Processes) Wait(e *world.Wait) {
	u := c.used.Of(e.Process.Number)
	w := &u.waits
	if u.behind != nil {
		u.behind.wait(e)
	}
	switch e.Cause {
	case trace.WaitIO:
		w.IO += e.Duration
	case trace.WaitThrottle:
		w.Throttle += e.Duration
	case trace.WaitCall:
		w.Call += e.Duration
	case trace.WaitReady:
		w.Ready += e.Duration
	default:
		w.Other += e.Duration
		elsewhere(w, e)
	}
}

// elsewhere parts what a thread waited outside of the recorded calls.
func elsewhere(w *profile.Waits, e *world.Wait) {
	switch e.Cause {
	case trace.WaitPoll:
		w.Poll += e.Duration
	case trace.WaitTimeout:
		w.Timeout += e.Duration
	case trace.WaitSleep:
		w.Sleep += e.Duration
	case trace.WaitFutex:
		w.Futex += e.Duration
	case trace.WaitChild:
		w.Child += e.Duration
	}
}

// Request adds a request that the workload asked for to the process it was done for.
func (c *Processes) Request(e *world.Request) {
	if e.Process == nil || !e.Direct {
		return
	}
	switch e.Op {
	case trace.ReqRead:
		c.used.Of(e.Process.Number).devRead += e.Bytes
	case trace.ReqWrite:
		c.used.Of(e.Process.Number).devWrite += e.Bytes
	}
}

// Finish lists the processes in the order in which they showed up.
func (c *Processes) Finish(p *profile.Profile) {
	all := c.processes.All
	if len(c.processes.Omitted) > 0 {
		all = append(slices.Clone(all), c.processes.Rest)
	}
	p.Omitted.Processes = int64(len(c.processes.Omitted))
	p.Processes = make([]profile.Process, 0, len(all))
	for _, x := range all {
		u := c.used.Of(x.Number)
		behind := int64(0)
		if u.behind != nil {
			behind = u.behind.ns
		}
		p.Processes = append(p.Processes, profile.Process{
			PID: x.PID, Parent: x.Parent, Command: x.Command, Args: x.Args, Exe: x.Exe, UID: x.UID, StartNS: x.StartNS,
			Title: x.Title, Cgroup: x.Cgroup, Container: host.ContainerAround(x.Cgroup),
			EndNS: x.EndNS, Status: x.Status, Signal: x.Signal, Dumped: x.Dumped,
			CPUNS: x.CPUNS, Threads: x.Threads, CallNS: u.callTime, Calls: u.calls,
			AskedNS: u.asked, BehindNS: behind, Beside: x.Beside,
			Read: u.read.Profile(p.WallNS), Write: u.write.Profile(p.WallNS), Async: u.async.Profile(p.WallNS),
			Faults: u.faults, FaultNS: u.faultTime, WaitNS: u.waits, DevRead: u.devRead, DevWrite: u.devWrite,
		})
	}
	sorting.Stably(p.Processes, func(a, b profile.Process) int { return cmp.Compare(a.StartNS, b.StartNS) })
}
