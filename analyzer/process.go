package analyzer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

// maxProcesses bounds the processes that are told apart.
const maxProcesses = 20_000

// process is one process of the workload.
type process struct {
	profile.Process
	index       int
	threads     int
	first       int64 // first sign of it
	calls       int64
	callTime    int64
	read, write measure.Flow
	async       measure.Flow
	faults      int64
	faultTime   int64
	waits       profile.Waits
	devRead     int64
	devWrite    int64
	present     bool
	launch      *launch // that is under way
}

// processes are the processes of a trace. A number that was used again after
// its process had ended is another process.
type processes struct {
	all     []*process
	byPID   map[uint32]*process
	rest    *process
	omitted map[uint32]bool
	last    *process
}

func newProcesses() *processes {
	rest := &process{Process: profile.Process{Command: "(other processes)", EndNS: profile.Unknown, CPUNS: profile.Unknown}, index: -1}
	return &processes{byPID: map[uint32]*process{}, rest: rest, omitted: map[uint32]bool{}}
}

// get returns the process with a number; first is when it showed up.
func (t *processes) get(pid uint32, first int64) *process {
	if t.last != nil && t.last.PID == pid {
		return t.last
	}
	p := t.byPID[pid]
	if p == nil {
		if len(t.all) >= maxProcesses {
			t.omitted[pid] = true
			return t.rest
		}
		p = &process{Process: profile.Process{PID: pid, StartNS: first, EndNS: profile.Unknown, CPUNS: profile.Unknown}, index: len(t.all), first: first, threads: 1}
		t.all = append(t.all, p)
		t.byPID[pid] = p
	}
	t.last = p
	return p
}

// event follows forks, execs and exits.
func (t *processes) event(e *trace.Process) {
	switch e.Action {
	case trace.ProcessFork:
		if e.TID != e.PID {
			t.get(e.PID, e.Time).threads++
			return
		}
		if p := t.byPID[e.PID]; p != nil && p.EndNS != profile.Unknown {
			t.forget(e.PID)
		}
		p := t.get(e.PID, e.Time)
		p.name(e)
		if from := t.byPID[e.Parent]; from != nil && p.Exe == "" {
			p.Exe, p.Args = from.Exe, from.Args
		}
	case trace.ProcessExec:
		p := t.get(e.PID, e.Time)
		p.Args, p.Exe = arguments(e.Args), e.Exe
		p.name(e)
	case trace.ProcessPresent:
		p := t.get(e.PID, e.Time)
		p.present = true
		p.Args, p.Exe = arguments(e.Args), e.Exe
		p.name(e)
	case trace.ProcessExit:
		p := t.get(e.PID, e.Time)
		p.EndNS = e.Time
		p.CPUNS = e.CPU
		status := exitStatus(e.Status)
		p.Status = &status
	}
}

func (t *processes) forget(pid uint32) {
	delete(t.byPID, pid)
	t.last = nil
}

func (p *process) name(e *trace.Process) {
	if e.Command != "" {
		p.Command = e.Command
	}
	if e.Parent != 0 {
		p.Parent = e.Parent
	}
	p.UID = e.UID
}

// arguments splits what the kernel keeps joined by NUL.
func arguments(s string) []string {
	if s = strings.TrimSuffix(s, "\x00"); s == "" {
		return nil
	}
	return strings.Split(s, "\x00")
}

// exitStatus is a wait status as a shell reports it: 128+n for a signal.
func exitStatus(wait int32) int {
	if signal := int(wait & 0x7f); signal != 0 {
		return 128 + signal
	}
	return int(wait >> 8 & 0xff)
}

func (p *process) call(e *trace.Syscall) {
	p.calls++
	p.callTime += e.Duration
}

func (p *process) wait(e *trace.Wait) {
	switch e.Cause {
	case trace.WaitIO:
		p.waits.IO += e.Duration
	case trace.WaitThrottle:
		p.waits.Throttle += e.Duration
	case trace.WaitCall:
		p.waits.Call += e.Duration
	default:
		p.waits.Other += e.Duration
	}
}

func cause(c trace.WaitCause) timeline.Cause {
	switch c {
	case trace.WaitIO:
		return timeline.WaitIO
	case trace.WaitThrottle:
		return timeline.WaitThrottle
	case trace.WaitCall:
		return timeline.WaitCall
	}
	return timeline.WaitOther
}

// profile lists the processes in the order in which they showed up.
func (t *processes) profile(wall int64) []profile.Process {
	list := make([]profile.Process, 0, len(t.all)+1)
	all := t.all
	if len(t.omitted) > 0 {
		all = append(slices.Clone(all), t.rest)
	}
	for _, p := range all {
		q := p.Process
		q.Threads, q.Calls, q.CallNS = p.threads, p.calls, p.callTime
		q.Read, q.Write, q.Async = p.read.Profile(wall), p.write.Profile(wall), p.async.Profile(wall)
		q.Faults, q.FaultNS, q.WaitNS, q.DevRead, q.DevWrite = p.faults, p.faultTime, p.waits, p.devRead, p.devWrite
		list = append(list, q)
	}
	slices.SortStableFunc(list, func(a, b profile.Process) int { return cmp.Compare(a.StartNS, b.StartNS) })
	return list
}
