//go:build linux

package ebpf

import (
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
)

// What a program and the functions that it calls have on the stack together has to fit into 512 bytes
// (check_max_stack_depth, kernel/bpf/verifier.c). Kernels that give programs their own stack (v6.13) let more pass,
// so loading them here tells nothing about those in use.
func TestStackFits(t *testing.T) {
	const most = 512
	for name, load := range map[string]func() (*ebpf.CollectionSpec, error){"usual": loadIotrace, "legacy": loadLegacy} {
		spec, err := load()
		if err != nil {
			t.Fatal(err)
		}
		deepest := 0
		for _, p := range spec.Programs {
			if n := functionsOf(p).depth(t, p.Name); n > most {
				t.Errorf("%s probes: %s and what it calls take %d bytes of stack", name, p.Name, n)
			} else {
				deepest = max(deepest, n)
			}
		}
		if deepest == 0 {
			t.Errorf("%s probes: no program uses its stack: the test proves nothing", name)
		}
		t.Logf("%s probes: %d bytes of stack at most", name, deepest)
	}
}

// function is one of a program: how much stack it uses itself, and which functions it calls or has called.
type function struct {
	stack int
	calls []string
}

type functions map[string]*function

// functionsOf takes a program apart into its functions, which follow each other.
func functionsOf(p *ebpf.ProgramSpec) functions {
	all := functions{}
	var f *function
	for _, ins := range p.Instructions {
		if s := ins.Symbol(); s != "" {
			f = &function{}
			all[s] = f
		}
		f.stack = max(f.stack, stackOf(&ins))
		if ins.IsFunctionCall() || ins.IsFunctionReference() {
			f.calls = append(f.calls, ins.Reference())
		}
	}
	return all
}

// stackOf is how far below the frame pointer an instruction reaches: it stores, loads, or computes an address.
func stackOf(ins *asm.Instruction) int {
	switch class := ins.OpCode.Class(); {
	case class == asm.StXClass && ins.Dst == asm.RFP, class == asm.StClass && ins.Dst == asm.RFP,
		class == asm.LdXClass && ins.Src == asm.RFP:
		return -int(ins.Offset)
	case class == asm.ALU64Class && ins.OpCode.ALUOp() == asm.Add && ins.OpCode.Source() == asm.ImmSource &&
		ins.Constant < 0 && ins.Constant >= -512:
		return -int(ins.Constant) // of a copy of the frame pointer, if of anything so small
	}
	return 0
}

// depth is what a function takes with those below it, each rounded up as the kernel does.
func (all functions) depth(t *testing.T, name string) int {
	f := all[name]
	if f == nil {
		t.Fatalf("%s is called, and is not there", name)
	}
	below := 0
	for _, c := range f.calls {
		below = max(below, all.depth(t, c))
	}
	return (max(f.stack, 1)+31)/32*32 + below
}
