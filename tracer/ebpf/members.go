//go:build linux

package ebpf

import (
	"fmt"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// This file selects processes by what they are members of: control groups and users.

// moveHook tells who is moved to another control group.
const moveHook = "cgroup_attach_task"

// configureMembers adds the calls that change the user to those that the probes look at.
func configureMembers(spec *ebpf.CollectionSpec, scope tracer.Scope, shapes *[iotraceBoundMAX_CALLS]uint8) error {
	if n := max(len(scope.Groups), len(scope.Users)); n > int(iotraceBoundMAX_MEMBERSHIPS) {
		return fmt.Errorf("%d control groups or users: at most %d can be selected at once", n, iotraceBoundMAX_MEMBERSHIPS)
	}
	if len(scope.Users) > 0 {
		for _, nr := range []int{unix.SYS_SETUID, unix.SYS_SETREUID, unix.SYS_SETRESUID} {
			shapes[nr] = uint8(iotraceShapeSHAPE_USER)
		}
	}
	if _, loaded := spec.Programs[moveHook]; !loaded && len(scope.Groups) > 0 {
		return fmt.Errorf("following who enters a control group: this kernel has no tracepoint %s that iotrace can use: %w",
			moveHook, tracer.ErrUnsupported)
	}
	return nil
}

// selectMembers tells the probes whose members are recorded.
func selectMembers(c *ebpf.Collection, scope tracer.Scope) error {
	for _, g := range scope.Groups {
		if err := c.Maps["groups"].Put(iotraceGroup{Inode: g.Inode, Hierarchy: g.Hierarchy}, uint8(1)); err != nil {
			return fmt.Errorf("selecting control group %s: %w", g.Path, err)
		}
	}
	for _, u := range scope.Users {
		if err := c.Maps["users"].Put(u.UID, uint8(1)); err != nil {
			return fmt.Errorf("selecting user %s: %w", u.Name, err)
		}
	}
	return nil
}

// addMembers takes note of the members that run. Threads of the kernel work for everybody.
func (s *targetSet) addMembers(running map[uint32]trace.Process) error {
	add := func(pid uint32) {
		_, chosen := s.wanted[pid]
		_, known := s.members[pid]
		if p, ok := running[pid]; ok && !chosen && !known && !p.OfKernel() {
			s.members[pid] = false
		}
	}
	for _, g := range s.groups {
		pids, err := g.Processes()
		if err != nil {
			return err
		}
		for _, pid := range pids {
			add(pid)
		}
	}
	for _, u := range s.users {
		for pid, p := range running {
			if p.UID == u.UID {
				add(pid)
			}
		}
	}
	return nil
}
