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

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// selectTargets puts the processes that the scope selects now, with their
// descendants, into the targets map, and describes them.
func selectTargets(targets *ebpf.Map, scope tracer.Scope) ([]trace.Process, error) {
	if len(scope.PIDs) == 0 && len(scope.Names) == 0 {
		return nil, nil
	}
	running, err := readProcesses()
	if err != nil {
		return nil, err
	}
	wanted := map[uint32]bool{}
	for _, pid := range scope.PIDs {
		if _, ok := running[pid]; !ok {
			return nil, fmt.Errorf("process %d: %w; it may have ended, `ps` lists what runs now", pid, os.ErrNotExist)
		}
		wanted[pid] = true
	}
	for _, name := range scope.Names {
		for pid, p := range running {
			if p.Command == truncateComm(name) {
				wanted[pid] = true
			}
		}
	}
	addDescendants(wanted, running)
	var present []trace.Process
	for pid := range wanted {
		if int(pid) == os.Getpid() {
			continue
		}
		if err := targets.Put(pid, uint8(1)); err != nil {
			return nil, fmt.Errorf("selecting process %d: %w", pid, err)
		}
		present = append(present, running[pid])
	}
	return present, nil
}

func truncateComm(name string) string {
	if len(name) > commLen-1 {
		return name[:commLen-1]
	}
	return name
}

func addDescendants(wanted map[uint32]bool, running map[uint32]trace.Process) {
	for grown := true; grown; {
		grown = false
		for pid, p := range running {
			if !wanted[pid] && wanted[p.Parent] {
				wanted[pid] = true
				grown = true
			}
		}
	}
}

// readProcesses lists all processes from /proc. One that ends meanwhile is
// left out.
func readProcesses() (map[uint32]trace.Process, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fmt.Errorf("listing processes: %w", err)
	}
	all := map[uint32]trace.Process{}
	for _, e := range entries {
		pid, err := strconv.ParseUint(e.Name(), 10, 32)
		if err != nil {
			continue
		}
		p, err := readProcess(uint32(pid))
		if err == nil {
			all[uint32(pid)] = p
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
	return p, nil
}
