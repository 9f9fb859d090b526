//go:build linux

package ebpf

import (
	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
)

// This file decodes which processes become members of what is recorded, and which cease to be.

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
	d.asked[r.Pid] = true
	delete(d.exited, r.Pid)
	d.groups.set(r.Pid, p.Cgroup)
	return d.sink.Process(&p)
}

// left takes a process that is no member any more. Its events up to here are told, and what it has used.
func (d *decoder) left(r *iotraceFork) error {
	delete(d.selected, r.Pid)
	delete(d.groups.of, r.Pid)
	cpu, _ := host.ProcessCPU(int(r.Pid))
	return d.sink.Process(&trace.Process{Time: max(int64(r.Time)-d.base, 0), Action: trace.ProcessRunning, PID: r.Pid,
		TID: r.Pid, CPU: int64(cpu)})
}
