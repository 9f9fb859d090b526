package top

import (
	"cmp"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// Numbers of what is shown among the processes and is none. Linux gives numbers up to 2^22.
const (
	others    = 1<<32 - 1 - iota // all beyond those that are told apart
	writeBack                    // the kernel's own writing, where nobody knows who wrote it first
	kernel                       // whatever else it does of its own accord
)

// The names of these.
const (
	nameOthers    = "(other processes)"
	nameWriteBack = "kernel/write-back"
	nameKernel    = "kernel"
)

// process is who a number stands for.
type process struct {
	pid, parent, uid uint32
	command, cgroup  string
	asked            bool  // the system was
	seen             int64 // interval in which something of it was last asked for
	ended            int64 // interval, counted from 1; 0 while it runs
}

// processes are those that run, and those that ended not long ago: what they wrote may be written back by then.
type processes struct {
	now   int64 // interval, counted from 1
	known map[uint32]*process
	ask   func(uint32) (trace.Process, bool)
}

func newProcesses(ask func(uint32) (trace.Process, bool)) *processes {
	return &processes{now: 1, known: map[uint32]*process{}, ask: ask}
}

// event follows forks, execs and exits.
func (t *processes) event(e *trace.Process) {
	switch e.Action {
	case trace.ProcessFork, trace.ProcessExec, trace.ProcessPresent:
		if e.Action == trace.ProcessFork && e.TID != e.PID {
			return // a thread
		}
		p := t.known[e.PID]
		if p == nil || p.ended > 0 {
			p = &process{pid: e.PID, seen: t.now}
			t.known[e.PID] = p
		}
		if e.Command != "" {
			p.command = e.Command
		}
		if e.Parent != 0 {
			p.parent = e.Parent
		}
		p.uid = e.UID
		if p.cgroup = cmp.Or(e.Cgroup, p.cgroup); p.cgroup == "" && e.Action == trace.ProcessFork {
			if from := t.known[e.Parent]; from != nil {
				p.cgroup = from.cgroup
			}
		}
	case trace.ProcessExit:
		if p := t.known[e.PID]; p != nil {
			p.ended = t.now
		}
	}
}

// kthreadd is the parent of the threads of Linux itself.
const kthreadd = 2

func (p *process) ofKernel() bool { return p.parent == kthreadd || p.pid == kthreadd || p.pid == 0 }

// worker reports whether it is a thread of the kernel that works for whoever comes.
func (p *process) worker() bool {
	return p.ofKernel() && (p.pid == 0 || p.pid == kthreadd || p.command == "kthreadd" ||
		strings.HasPrefix(p.command, "kworker"))
}

// get is the process with a number.
func (t *processes) get(pid uint32) *process {
	p := t.known[pid]
	if p == nil {
		p = &process{pid: pid}
		t.known[pid] = p
	}
	p.seen = t.now
	if t.ask != nil && !p.asked && pid != 0 && p.ended == 0 && (p.command == "" || p.ofKernel()) {
		p.asked = true
		if e, ok := t.ask(pid); ok {
			p.command, p.parent, p.uid, p.cgroup = e.Command, e.Parent, e.UID, cmp.Or(p.cgroup, e.Cgroup)
		}
	}
	return p
}

// requester is the number under which a request counts that was done for a process.
func (t *processes) requester(pid uint32, op trace.ReqOp) uint32 {
	switch worker := t.get(pid).worker(); {
	case !worker:
		return pid
	case op == trace.ReqWrite || op == trace.ReqFlush:
		return writeBack
	}
	return kernel
}

// Processes that have ended are remembered for keptFor intervals, and at most maxEnded of them. Of those that run, who
// does nothing for as long is asked for again.
const (
	keptFor  = 300
	maxEnded = 10_000
)

// next begins an interval, and drops those that ended or were heard of long ago.
func (t *processes) next() {
	t.now++
	ended := 0
	for pid, p := range t.known {
		long := t.now-p.ended > keptFor
		if p.ended == 0 {
			long = t.ask != nil && t.now-p.seen > keptFor
		} else if ended++; ended > maxEnded {
			long = true
		}
		if long {
			delete(t.known, pid)
		}
	}
}

// processUse is what a process did in an interval.
type processUse struct {
	calls, device         moved
	readCalls, writeCalls int64
	requests, syncs       int64
	waited                cover // in at least one of its threads
}

// pairUse is what a process did with a file.
type pairUse struct {
	calls, device moved
	count         int64 // calls that moved data
	requests      int64
}
