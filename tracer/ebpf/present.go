//go:build linux

package ebpf

import (
	"fmt"
	"io"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
)

// presentThreads is the program that takes note of the threads that run before the probes do (bpf/present.bpf.h).
const presentThreads = "present"

// iterates tells of programs that the kernel runs for each of its objects, as they are asked for.
func iterates(p *ebpf.ProgramSpec) bool { return p.AttachType == ebpf.AttachTraceIter }

// followPresent has the threads followed that belong to the scope and are there already. Others are seen beginning.
func followPresent(c *ebpf.Collection) error {
	p := c.Programs[presentThreads]
	if p == nil { // a command that is yet to start, or a kernel that refuses it
		return nil
	}
	if err := runIterator(p); err != nil {
		return fmt.Errorf("looking for the threads that run already: %w", err)
	}
	return nil
}

// runIterator runs a program once for each object.
func runIterator(p *ebpf.Program) error {
	l, err := link.AttachIter(link.IterOptions{Program: p})
	if err != nil {
		return err
	}
	defer l.Close()
	all, err := l.Open()
	if err != nil {
		return err
	}
	defer all.Close()
	_, err = io.Copy(io.Discard, all)
	return err
}
