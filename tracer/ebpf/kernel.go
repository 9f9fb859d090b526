//go:build linux

package ebpf

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/btf"
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/tracer"
)

// kernel is what the running kernel's type information says about it.
type kernel struct {
	decoded *btf.Cache // what follows is taken from, and the loader takes from: to decode it takes some 15 ms
	types   *btf.Spec
	modules []*btf.Spec // those of file systems, where they are modules and there
	legacy  bool        // lacks what the usual probes need

	count   int64 // where it says what context a CPU is in (countFromQueue)
	noCount error // why that is not known
}

func readKernel() (*kernel, error) {
	if _, err := os.Stat("/sys/kernel"); err != nil {
		return nil, fmt.Errorf("reading the kernel's type information (BTF): %w; /sys is not mounted: mount -t sysfs sysfs "+
			"/sys", err)
	}
	decoded := btf.NewCache()
	types, err := decoded.Kernel()
	if errors.Is(err, ebpf.ErrNotSupported) {
		err = errors.New("it has none")
	}
	if err != nil {
		return nil, fmt.Errorf("reading the kernel's type information (BTF): %w: %w; "+
			"run a kernel built with CONFIG_DEBUG_INFO_BTF=y, as every current distribution's is", err, tracer.ErrUnsupported)
	}
	k := &kernel{decoded: decoded, types: types, modules: modulesOf(decoded)}
	k.legacy = k.lacksNewest()
	k.count, k.noCount = countFromQueue(types)
	return k, nil
}

// modulesOf are the types of file systems and of RPCs that are modules, and there.
func modulesOf(decoded *btf.Cache) (list []*btf.Spec) {
	for _, name := range []string{"jbd2", "xfs", "btrfs", "overlay", "sunrpc", "nfs", "cifs"} {
		if spec, err := decoded.Module(name); err == nil {
			list = append(list, spec)
		}
	}
	return list
}

// typesBeside are types for another goroutine that loads programs: the same, or its own where the kernel has modules.
// Whoever decodes a type of a module decodes types of the kernel with it, and btf.Cache does not guard those then.
func (k *kernel) typesBeside() (*btf.Cache, []*btf.Spec) {
	if names, err := k.decoded.Modules(); err == nil && len(names) == 0 {
		return k.decoded, nil
	}
	decoded := btf.NewCache()
	return decoded, modulesOf(decoded)
}

// hook returns the parameter count of a tracepoint, 0 if the kernel has none of
// that name. The first parameter, the probe's private data, is not counted.
func (k *kernel) hook(name string) int { return len(k.parameters(name)) }

// firstParameter is the name of the struct that the first parameter of a tracepoint points to.
func (k *kernel) firstParameter(name string) string {
	p := k.parameters(name)
	if len(p) == 0 {
		return ""
	}
	if ptr, ok := btf.UnderlyingType(p[0].Type).(*btf.Pointer); ok {
		return btf.UnderlyingType(ptr.Target).TypeName()
	}
	return ""
}

// has tells whether there is a type of a file system, and with it the file system. A module whose types the kernel does
// not tell is there if it has a directory.
func (k *kernel) has(name string) bool {
	if strings.HasPrefix(name, "/") {
		_, err := os.Stat(name)
		return err == nil
	}
	var found *btf.Struct
	return k.find(name, &found) == nil
}

// find looks a type up in the kernel, then in its modules.
func (k *kernel) find(name string, typ any) error {
	err := k.types.TypeByName(name, typ)
	for _, spec := range k.modules {
		if err == nil {
			break
		}
		err = spec.TypeByName(name, typ)
	}
	return err
}

func (k *kernel) parameters(name string) []btf.FuncParam {
	var def *btf.Typedef
	if k.find("btf_trace_"+name, &def) != nil {
		return nil
	}
	ptr, ok := btf.UnderlyingType(def.Type).(*btf.Pointer)
	if !ok {
		return nil
	}
	proto, ok := btf.UnderlyingType(ptr.Target).(*btf.FuncProto)
	if !ok || len(proto.Params) == 0 {
		return nil
	}
	return proto.Params[1:]
}

// newest is what the usual probes use that came last: helpers, and how the page cache is made up.
var newest = []string{"BPF_FUNC_loop", "BPF_FUNC_task_pt_regs", "BPF_FUNC_task_storage_get",
	"BPF_FUNC_get_current_task_btf"}

func (k *kernel) lacksNewest() bool {
	for _, helper := range newest {
		if _, ok := k.flag("bpf_func_id", helper); !ok {
			return true
		}
	}
	var folio *btf.Struct
	return k.types.TypeByName("folio", &folio) != nil
}

// probes are those made for kernels like this one (bpf/flavour.h).
func (k *kernel) probes() (*ebpf.CollectionSpec, error) {
	if k.legacy {
		return loadLegacy()
	}
	return loadIotrace()
}

// lockMemory lets this process lock memory without a limit until the function that it returns is called: until
// Linux 5.11 the maps of probes count as such. Where it is refused, and matters, the kernel will say so.
func lockMemory() (restore func()) {
	var before unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_MEMLOCK, &before) != nil {
		return func() {}
	}
	if unix.Setrlimit(unix.RLIMIT_MEMLOCK, &unix.Rlimit{Cur: unix.RLIM_INFINITY, Max: unix.RLIM_INFINITY}) != nil {
		return func() {}
	}
	return func() { unix.Setrlimit(unix.RLIMIT_MEMLOCK, &before) }
}

// enumerator looks a value up in the kernel's unnamed enums. CO-RE can only
// relocate enumerators of named ones.
func (k *kernel) enumerator(name string) (uint32, bool) {
	for typ, err := range k.types.All() {
		if err != nil {
			return 0, false
		}
		enum, ok := typ.(*btf.Enum)
		if !ok || enum.Name != "" {
			continue
		}
		for _, v := range enum.Values {
			if v.Name == name && v.Value <= math.MaxUint32 {
				return uint32(v.Value), true
			}
		}
	}
	return 0, false
}

// flag looks a value up in a named enum.
func (k *kernel) flag(enum, name string) (uint32, bool) {
	var typ *btf.Enum
	if k.types.TypeByName(enum, &typ) != nil {
		return 0, false
	}
	for _, v := range typ.Values {
		if v.Name == name {
			return uint32(v.Value), true
		}
	}
	return 0, false
}

// preemptibleHooks tells whether programs at the hooks of system calls may be
// preempted: where they may, the kernel lets them sleep too.
func (k *kernel) preemptibleHooks() bool {
	const sleepable = 1 << 4 // BPF_F_SLEEPABLE
	spec := &ebpf.CollectionSpec{Programs: map[string]*ebpf.ProgramSpec{"sleepable": {
		Name: "sleepable", Type: ebpf.Tracing, AttachType: ebpf.AttachTraceRawTp, AttachTo: "sys_enter", License: "GPL",
		Flags: sleepable, Instructions: asm.Instructions{asm.Mov.Imm(asm.R0, 0), asm.Return()},
	}}}
	c, err := ebpf.NewCollectionWithOptions(spec, ebpf.CollectionOptions{Cache: k.decoded})
	if err != nil {
		return false
	}
	c.Close()
	return true
}

// bits are the numbers that this kernel gave to flags which the programs look at.
func (k *kernel) bits() (map[string]any, error) {
	pinned, ok := k.enumerator("BIO_PAGE_PINNED")
	if !ok {
		pinned = 32
	}
	cloned, ok := k.enumerator("BIO_CLONED")
	if !ok {
		return nil, fmt.Errorf("this kernel's type information has no BIO_CLONED: %w", tracer.ErrUnsupported)
	}
	head, ok := k.flag("pageflags", "PG_head")
	if !ok {
		return nil, fmt.Errorf("this kernel's type information has no PG_head: %w", tracer.ErrUnsupported)
	}
	swapbacked, ok := k.flag("pageflags", "PG_swapbacked")
	if !ok {
		swapbacked = 63 // of no page: what comes back from swap is not known then
	}
	return map[string]any{
		"bio_pinned_bit": pinned, "bio_cloned_bit": cloned, "page_head_bit": head, "page_swapbacked_bit": swapbacked,
	}, nil
}
