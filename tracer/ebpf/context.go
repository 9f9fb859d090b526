//go:build linux

package ebpf

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/cilium/ebpf/btf"
)

// refusals are the hooks that are of no use on this kernel, whether it has them or not.
func (k *kernel) refusals() map[string]error {
	refused := map[string]error{}
	if k.noCount != nil {
		for _, h := range wakeHooks {
			refused[h] = k.noCount
		}
	}
	return refused
}

// countFromQueue is how far from the queue of the scheduler, in the memory that each CPU has to itself, the count lies
// that says what context the CPU is in (bpf/wake.h). On arm64 it is part of the running task.
func countFromQueue(types *btf.Spec) (int64, error) {
	if runtime.GOARCH != "amd64" {
		return 0, nil
	}
	var queue *btf.Struct
	if err := types.TypeByName("cfs_rq", &queue); err != nil || member(queue, "rq") < 0 {
		return 0, errors.New("the kernel was built without CONFIG_FAIR_GROUP_SCHED")
	}
	at := perCPUVariables(types)
	if len(at) < 2 { // Debian's 5.10
		at = symbols()
	}
	for _, name := range []string{queues, count} {
		if _, ok := at[name]; !ok {
			return 0, fmt.Errorf("neither the kernel's type information nor /proc/kallsyms has its variable %s", name)
		}
	}
	return at[count] - at[queues], nil
}

// The variables that tell where the count is.
const (
	queues = "runqueues"
	count  = "__preempt_count"
)

// perCPUVariables says where the two are in the memory that each CPU has to itself, by the kernel's type information.
func perCPUVariables(types *btf.Spec) map[string]int64 {
	at := map[string]int64{}
	var section *btf.Datasec
	if err := types.TypeByName(".data..percpu", &section); err != nil {
		return at
	}
	for _, v := range section.Vars {
		switch name := v.Type.TypeName(); name {
		case queues, count:
			at[name] = int64(v.Offset)
		case "pcpu_hot": // has the count from v6.2 to v6.14
			hot, _ := btf.UnderlyingType(v.Type.(*btf.Var).Type).(*btf.Struct)
			if n := member(hot, "preempt_count"); n >= 0 {
				at[count] = int64(v.Offset) + n
			}
		}
	}
	return at
}

// symbols says the same by the kernel's symbols, if it has those of data and shows their addresses.
func symbols() map[string]int64 {
	at := map[string]int64{}
	f, err := os.Open("/proc/kallsyms")
	if err != nil {
		return at
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan() && len(at) < 2; {
		line := s.Text()
		if !strings.HasSuffix(line, " "+queues) && !strings.HasSuffix(line, " "+count) {
			continue
		}
		if fields := strings.Fields(line); len(fields) == 3 {
			if n, err := strconv.ParseUint(fields[0], 16, 64); err == nil && n != 0 {
				at[fields[2]] = int64(n)
			}
		}
	}
	return at
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
