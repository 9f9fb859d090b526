//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"
)

// What each step of bpf/steps.bpf.c adds, in the order of its enum.
var steps = []string{
	"two empty programs (the floor)",
	"is the call one that is recorded: a table by number",
	"is the task one that is recorded: its stack and its slot",
	"the clock at entry",
	"the clock at exit",
	"the arguments",
	"the open file, its flags and position",
	"the number of the file",
	"a record of 16 bytes, reserved and submitted",
	"a record of 32 bytes instead",
	"a record of 72 bytes instead, as iotrace makes it",
	"the same in the CPU's own buffer instead of the ring buffer",
}

// buffered is the step that writes to the buffers of the CPUs, each of so many calls.
const (
	stormBuffered = 11
	callSlots     = 1 << 14
)

// scope is the last step that a process which is not recorded takes part in.
const scope = 2

// source and headers are relative to the top of the tree.
const (
	source  = "internal/bench/bpf/steps.bpf.c"
	headers = "tracer/ebpf/bpf"
)

// compile makes the object of the steps as `make generate` makes the probes.
func compile(dir string) (*ebpf.CollectionSpec, error) {
	arch := map[string]string{"amd64": "x86", "arm64": "arm64"}[runtime.GOARCH]
	triplet := map[string]string{"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu"}[runtime.GOARCH]
	object := filepath.Join(dir, "steps.o")
	text, err := exec.Command("clang-19", "-target", "bpf", "-D__TARGET_ARCH_"+arch, "-O2", "-g", "-mcpu=v3", "-Wall",
		"-Wno-unused-function", "-I"+headers, "-I/usr/include/"+triplet, "-c", source, "-o", object).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("compiling %s: %w: %s", source, err, text)
	}
	return ebpf.LoadCollectionSpec(object)
}

// underStep measures the calls with the programs that go as far as a step.
func (s *stormSession) underStep(step int, recorded bool) (c cost, err error) {
	spec, slots := s.object.Copy(), uint32(0)
	if step == stormBuffered {
		slots = callSlots
		spec.Maps["call_cursors"].MaxEntries = uint32(s.cpus)
		spec.Maps["call_buffers"].MaxEntries = uint32(s.cpus * callSlots)
	}
	if err := errors.Join(spec.Variables["last"].Set(uint32(step)), spec.Variables["shapes"].Set(s.shapes),
		spec.Variables["call_slots"].Set(slots)); err != nil {
		return cost{}, err
	}
	programs, err := ebpf.NewCollection(spec)
	if err != nil {
		return cost{}, fmt.Errorf("loading the programs of step %d: %w", step, err)
	}
	defer programs.Close()
	w, err := newWorkload(s.pairs)
	if err != nil {
		return cost{}, err
	}
	defer w.end()
	if err := w.load(); err != nil {
		return cost{}, err
	}
	if recorded {
		if err := s.choose(programs, w.pid()); err != nil {
			return cost{}, err
		}
	}
	for _, name := range []string{"sys_exit", "sys_enter"} {
		l, err := link.AttachTracing(link.TracingOptions{Program: programs.Programs[name]})
		if err != nil {
			return cost{}, fmt.Errorf("attaching to %s: %w", name, err)
		}
		defer l.Close()
	}
	stop, err := empty(programs)
	if err != nil {
		return cost{}, err
	}
	defer stop()
	return w.perCall()
}

// choose makes a process one that is recorded.
func (s *stormSession) choose(programs *ebpf.Collection, pid int) error {
	failed, err := programs.Programs["choose"].Run(&ebpf.RunOptions{Context: uint32(pid)})
	if err == nil && failed != 0 {
		err = fmt.Errorf("process %d cannot be recorded", pid)
	}
	return err
}

// empty gives the space in the buffers back without looking at what is there,
// until it is stopped: so a step costs what it costs, and not its reader.
func empty(programs *ebpf.Collection) (stop func(), err error) {
	page, size := os.Getpagesize(), int(programs.Maps["events"].MaxEntries())
	cursors, own := programs.Maps["call_cursors"], mapping{}
	defer func() {
		if err != nil {
			own.unmap()
		}
	}()
	consumer := own.add(&err, programs.Maps["events"], 0, page, unix.PROT_READ|unix.PROT_WRITE)
	producer := own.add(&err, programs.Maps["events"], page, page+2*size, unix.PROT_READ)
	calls := own.add(&err, cursors, 0, int(cursors.MaxEntries()*cursors.ValueSize()), unix.PROT_READ|unix.PROT_WRITE)
	if err != nil {
		return nil, err
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
				position(consumer).Store(position(producer).Load())
				for c := calls; len(c) > 0; c = c[cursors.ValueSize():] {
					position(c[cursors.ValueSize()/2:]).Store(position(c).Load())
				}
			}
		}
	}()
	return func() {
		close(done)
		<-ended
		own.unmap()
	}, nil
}

// mapping is memory of maps that this process sees.
type mapping [][]byte

// add maps a part of a map, unless something has failed before.
func (m *mapping) add(err *error, of *ebpf.Map, from, size, protection int) []byte {
	if *err != nil {
		return nil
	}
	memory, mapErr := unix.Mmap(of.FD(), int64(from), size, protection, unix.MAP_SHARED)
	if mapErr != nil {
		*err = fmt.Errorf("mapping %s: %w", of, mapErr)
		return nil
	}
	*m = append(*m, memory)
	return memory
}

func (m mapping) unmap() {
	for _, memory := range m {
		unix.Munmap(memory)
	}
}
