//go:build linux

package ebpf

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/machine"
)

// targetSet is the processes that a scope selects: by number or by name, with
// their descendants, and by what they are members of. What is in the kernel's map is recorded, and so are the
// children that it has from then on. Where all processes are recorded, the map
// is not used, and the set only describes those that no probe sees beginning.
type targetSet struct {
	targets *ebpf.Map // process IDs to record
	tasks   *ebpf.Map // storage of the threads that are recorded already
	names   []string
	groups  []machine.Group
	users   []tracer.Account
	all     bool
	wanted  map[uint32]bool // false: not dealt with yet
	members map[uint32]bool // likewise, of those that are not wanted for themselves
	present []trace.Process
}

// selectTargets selects what runs before the probes are attached.
func selectTargets(c *ebpf.Collection, scope tracer.Scope) (*targetSet, error) {
	s := &targetSet{targets: c.Maps["targets"], tasks: c.Maps["tasks"], names: scope.Names, groups: scope.Groups,
		users: scope.Users, all: scope.All, wanted: map[uint32]bool{}, members: map[uint32]bool{}}
	if len(scope.PIDs) == 0 && len(scope.Names) == 0 && !scope.Memberships() && !scope.All {
		return s, nil
	}
	if err := selectMembers(c, scope); err != nil {
		return nil, err
	}
	running, err := readProcesses()
	if err != nil {
		return nil, err
	}
	if s.all {
		s.describe(running)
		return s, nil
	}
	for _, pid := range scope.PIDs {
		if _, ok := running[pid]; !ok {
			return nil, fmt.Errorf("process %d: %w; it may have ended, `ps` lists what runs now", pid, os.ErrNotExist)
		}
		s.wanted[pid] = false
	}
	if _, err = s.add(running); err != nil {
		return nil, err
	}
	return s, nil
}

// complete adds, once the probes are attached, what came to be while they were
// not yet. It looks again until it finds nothing more, since a process that was
// missed may have had children that were missed.
func (s *targetSet) complete() error {
	if s.all {
		running, err := readProcesses()
		if err == nil {
			s.describe(running)
		}
		return err
	}
	for len(s.wanted) > 0 || len(s.names) > 0 || len(s.groups) > 0 || len(s.users) > 0 {
		running, err := readProcesses()
		if err != nil {
			return err
		}
		found, err := s.add(running)
		if err != nil || !found {
			return err
		}
	}
	return nil
}

// describe takes note of the processes that run and that it does not know yet.
func (s *targetSet) describe(running map[uint32]trace.Process) {
	for pid, p := range running {
		if !s.wanted[pid] && int(pid) != os.Getpid() {
			s.wanted[pid] = true
			s.there(p)
		}
	}
}

// there takes note of a process that runs already, and of the processor time that it has had.
func (s *targetSet) there(p trace.Process) {
	cpu, _ := host.ProcessCPU(int(p.PID))
	p.CPU = int64(cpu)
	s.present = append(s.present, p)
}

// add selects processes out of those that run, and says whether it found any
// that are not recorded yet.
func (s *targetSet) add(running map[uint32]trace.Process) (found bool, err error) {
	for _, name := range s.names {
		for pid, p := range running {
			if _, ok := s.wanted[pid]; !ok && p.Command == trace.Comm(name) {
				s.wanted[pid] = false
			}
		}
	}
	addDescendants(s.wanted, running)
	if err := s.addMembers(running); err != nil {
		return false, err
	}
	chosen, err := s.put(s.wanted, iotraceSelectionCHOSEN, running)
	if err != nil {
		return false, err
	}
	joined, err := s.put(s.members, iotraceSelectionMEMBER, running)
	return chosen || joined, err
}

// put selects those of a set that run and were not dealt with yet, and says whether there were any.
func (s *targetSet) put(set map[uint32]bool, why iotraceSelection, running map[uint32]trace.Process) (found bool,
	err error) {
	for pid, done := range set {
		p, ok := running[pid]
		if done || !ok || int(pid) == os.Getpid() {
			continue
		}
		set[pid] = true
		if s.recorded(pid) {
			continue
		}
		if err := s.targets.Put(pid, uint8(why)); err != nil {
			return found, fmt.Errorf("selecting process %d: %w", pid, err)
		}
		s.there(p)
		found = true
	}
	return found, nil
}

// recorded tells whether a process has been selected by the probes themselves,
// when its parent forked or when it executed a program of one of the names.
func (s *targetSet) recorded(pid uint32) bool {
	fd, err := unix.PidfdOpen(int(pid), 0)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	state, err := s.tasks.LookupBytes(uint32(fd))
	return err == nil && state != nil
}

func addDescendants(wanted map[uint32]bool, running map[uint32]trace.Process) {
	for grown := true; grown; {
		grown = false
		for pid, p := range running {
			_, known := wanted[pid]
			if _, child := wanted[p.Parent]; child && !known {
				wanted[pid] = false
				grown = true
			}
		}
	}
}

// readProcesses lists all processes from /proc. One that ends meanwhile is
// left out.
func readProcesses() (map[uint32]trace.Process, error) {
	pids, err := host.PIDs()
	if err != nil {
		return nil, err
	}
	all := map[uint32]trace.Process{}
	for _, pid := range pids {
		if p, err := readProcess(pid); err == nil {
			all[pid] = p
		}
	}
	return all, nil
}

func readProcess(pid uint32) (trace.Process, error) {
	dir := fmt.Sprintf("/proc/%d/", pid)
	p := trace.Process{Action: trace.ProcessPresent, PID: pid, TID: pid}
	status, err := os.ReadFile(dir + "status")
	if err != nil {
		return p, err
	}
	for line := range strings.Lines(string(status)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		value = strings.TrimSpace(value)
		switch key {
		case "Name":
			p.Command = value
		case "PPid":
			n, _ := strconv.ParseUint(value, 10, 32)
			p.Parent = uint32(n)
		case "Uid":
			n, _ := strconv.ParseUint(strings.Fields(value)[0], 10, 32)
			p.UID = uint32(n)
		case "State":
			if strings.HasPrefix(value, "Z") {
				return p, errors.New("is a zombie")
			}
		}
	}
	if args, err := os.ReadFile(dir + "cmdline"); err == nil {
		p.Args = string(bytes.TrimSuffix(args, []byte{0}))
	}
	p.Exe, _ = os.Readlink(dir + "exe")
	p.Cgroup = host.Cgroup(pid)
	return p, nil
}
