//go:build linux

package ebpf

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/cilium/ebpf/btf"
)

// refusals are the hooks that are of no use on this kernel, whether it has them or not.
func (k *kernel) refusals() map[string]error {
	refused := map[string]error{}
	if _, err := k.countFromQueue(); err != nil {
		for _, h := range wakeHooks {
			refused[h] = err
		}
	}
	return refused
}

// countFromQueue is how far from the queue of the scheduler, in the memory that each CPU has to itself, the count lies
// that says what context the CPU is in (bpf/wake.h). On arm64 it is part of the running task.
func (k *kernel) countFromQueue() (int64, error) {
	if runtime.GOARCH != "amd64" {
		return 0, nil
	}
	var queue *btf.Struct
	if err := k.types.TypeByName("cfs_rq", &queue); err != nil || member(queue, "rq") < 0 {
		return 0, errors.New("the kernel was built without CONFIG_FAIR_GROUP_SCHED")
	}
	var section *btf.Datasec
	if err := k.types.TypeByName(".data..percpu", &section); err != nil {
		return 0, fmt.Errorf("the kernel's type information lacks the variables of processors: %w", err)
	}
	at := map[string]int64{}
	for _, v := range section.Vars {
		switch name := v.Type.TypeName(); name {
		case "runqueues", "__preempt_count":
			at[name] = int64(v.Offset)
		case "pcpu_hot": // has the count from v6.2 to v6.14
			hot, _ := btf.UnderlyingType(v.Type.(*btf.Var).Type).(*btf.Struct)
			if n := member(hot, "preempt_count"); n >= 0 {
				at["__preempt_count"] = int64(v.Offset) + n
			}
		}
	}
	for _, name := range []string{"runqueues", "__preempt_count"} {
		if _, ok := at[name]; !ok {
			return 0, fmt.Errorf("the kernel's type information has no variable %s", name)
		}
	}
	return at["__preempt_count"] - at["runqueues"], nil
}

// member is where a member begins in a struct, in bytes, -1 if there is none of that name.
func member(s *btf.Struct, name string) int64 {
	if s == nil {
		return -1
	}
	for _, m := range s.Members {
		if m.Name == name {
			return int64(m.Offset.Bytes())
		}
		// Structs and unions without a name are part of the one around them.
		inner := btf.UnderlyingType(m.Type)
		if u, ok := inner.(*btf.Union); ok && m.Name == "" {
			inner = &btf.Struct{Members: u.Members}
		}
		if in, ok := inner.(*btf.Struct); ok && m.Name == "" {
			if n := member(in, name); n >= 0 {
				return int64(m.Offset.Bytes()) + n
			}
		}
	}
	return -1
}
