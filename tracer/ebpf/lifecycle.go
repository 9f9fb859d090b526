//go:build linux

package ebpf

import (
	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
)

// This file decodes the life of processes, and which become members of what is recorded or cease to be.

func (d *decoder) fork(r *iotraceFork) error {
	d.early.remove(r.Tid) // the number is used again
	if r.Pid == r.Tid {
		d.lives.begin(r.Pid)
	}
	return d.sink.Process(&trace.Process{
		Time: max(int64(r.Time)-d.base, 0), Action: trace.ProcessFork, PID: r.Pid, TID: r.Tid, Parent: r.Parent,
		Command: cString(r.Comm[:]), UID: r.Uid, Cgroup: d.groups.forked(r),
	})
}

func (d *decoder) exec(r *iotraceExec, text []byte) error {
	args := text[r.Len1:][:r.Len2]
	for len(args) > 0 && args[len(args)-1] == 0 {
		args = args[:len(args)-1]
	}
	exe := cString(text[:r.Len1])
	if known := d.files.path(d.files.id(r.File)); known != "" {
		exe = known
	}
	delete(d.mappings, r.Pid)
	d.lives.begin(r.Pid)
	return d.sink.Process(&trace.Process{
		Time: max(int64(r.Time)-d.base, 0), Action: trace.ProcessExec, PID: r.Pid, TID: r.Pid, Parent: r.Parent,
		Command: cString(r.Comm[:]), Args: string(args), Exe: exe, UID: r.Uid,
		Cgroup: d.groups.of[r.Pid],
	})
}

func (d *decoder) exit(r *iotraceExit) error {
	if r.Group == 0 {
		return nil // a thread of a process that goes on
	}
	if !d.lives.end(r.Pid) {
		return nil // two last threads, each of which saw the other gone
	}
	delete(d.selected, r.Pid) // the number may be used again
	delete(d.mappings, r.Pid)
	delete(d.groups.of, r.Pid)
	delete(d.journals, r.Pid) // a file system is not mounted any more
	return d.sink.Process(&trace.Process{
		Time: max(int64(r.Time)-d.base, 0), Action: trace.ProcessExit, PID: r.Pid, TID: r.Tid,
		Status: r.Status, CPU: int64(r.Cpu), Command: cString(r.Comm[:]),
	})
}

// helper takes a thread that the probes did not know when it woke one that is recorded. A process that ran before the
// recording is known to them by its first call only: until then its threads seem to be others.
func (d *decoder) helper(r *iotraceHelper) error {
	p := &trace.Process{
		Time: max(int64(r.Time)-d.base, 0), Action: trace.ProcessHelper, PID: r.Pid, TID: r.Tid, Parent: r.Parent,
		Command: cString(r.Comm[:]),
	}
	if !p.OfKernel() && (d.all || d.selected[p.PID]) {
		d.early.put(p.TID, true)
		return nil
	}
	d.journals.helper(p)
	return d.sink.Process(p)
}

// joined takes a process that has become a member. What it runs is asked of the system: it may be gone.
func (d *decoder) joined(r *iotraceFork) error {
	p, err := readProcess(r.Pid)
	if err != nil {
		p = trace.Process{Action: trace.ProcessPresent, PID: r.Pid, TID: r.Pid}
	}
	cpu, _ := host.ProcessCPU(int(r.Pid))
	p.Time, p.CPU = max(int64(r.Time)-d.base, 0), int64(cpu)
	p.Command, p.Parent, p.UID = cString(r.Comm[:]), r.Parent, r.Uid
	d.selected[r.Pid] = true
	d.lives.begin(r.Pid)
	d.groups.set(r.Pid, p.Cgroup)
	return d.sink.Process(&p)
}

// left takes a process that is no member any more. Its events up to here are told, and what it has used.
func (d *decoder) left(r *iotraceFork) error {
	delete(d.selected, r.Pid)
	delete(d.groups.of, r.Pid)
	d.lives.end(r.Pid)
	cpu, _ := host.ProcessCPU(int(r.Pid))
	return d.sink.Process(&trace.Process{Time: max(int64(r.Time)-d.base, 0), Action: trace.ProcessRunning, PID: r.Pid,
		TID: r.Pid, CPU: int64(cpu)})
}
