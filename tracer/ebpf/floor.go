//go:build linux

package ebpf

import (
	"fmt"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"
)

// Floor attaches two empty programs to the entry and the exit of every system
// call and returns a function that detaches them: the least that any recorder
// on these hooks can cost. It is for benchmarks.
func Floor() (detach func(), err error) {
	var links []link.Link
	detach = func() {
		for _, l := range links {
			l.Close()
		}
	}
	for _, hook := range []string{"sys_enter", "sys_exit"} {
		p, err := ebpf.NewProgram(&ebpf.ProgramSpec{
			Name: "floor_" + hook, Type: ebpf.Tracing, AttachType: ebpf.AttachTraceRawTp, AttachTo: hook, License: "GPL",
			Instructions: asm.Instructions{asm.Mov.Imm(asm.R0, 0), asm.Return()},
		})
		if err != nil {
			detach()
			return nil, explain(fmt.Errorf("empty program: %w", err))
		}
		l, err := link.AttachTracing(link.TracingOptions{Program: p})
		p.Close()
		if err != nil {
			detach()
			return nil, explain(fmt.Errorf("attaching an empty program to %s: %w", hook, err))
		}
		links = append(links, l)
	}
	return detach, nil
}
