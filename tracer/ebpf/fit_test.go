//go:build linux

package ebpf

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/btf"
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// hooks are the tracepoints of Linux 6.18 that the probes use, with their
// parameter counts.
var hooks = map[string]int{
	"sys_enter": 2, "sys_exit": 2, "sched_process_fork": 2, "sched_process_exec": 3, "sched_process_exit": 2,
	"sched_switch": 4, "block_bio_queue": 1, "block_bio_complete": 2, "block_split": 2, "block_rq_issue": 1,
	"block_rq_merge": 1, "block_rq_requeue": 1, "block_rq_complete": 3, "iomap_dio_rw_begin": 4,
	"mm_filemap_add_to_page_cache": 1, "mm_filemap_fault": 2, "balance_dirty_pages": 8,
	"io_uring_submit_req": 1, "io_uring_complete": 3, "sched_waking": 1, "irq_handler_exit": 3, "softirq_exit": 1,
	"softirq_raise":        1,
	"hrtimer_expire_entry": 2, "hrtimer_expire_exit": 1, "timer_expire_entry": 2,
	"jbd2_handle_stats": 8, "jbd2_commit_flushing": 2,
	"xfs_update_time": 1, "xfs_unwritten_convert": 3, "xfs_setfilesize": 3,
	"xfs_iext_insert": 4, "xfs_itruncate_extents_start": 2, "xfs_bmap_post_update": 4,
	"xfs_log_ticket_ungrant": 2, "xfs_log_ticket_regrant": 2, "xlog_iclog_write": 2, "btrfs_reserve_extent": 2,
	"btrfs_ordered_extent_add": 2, "btrfs_inode_mod_outstanding_extents": 4, "add_delayed_tree_ref": 2,
}

// kernelWith is a kernel that has certain tracepoints and no others.
func kernelWith(t *testing.T, hooks map[string]int) *kernel {
	t.Helper()
	number := &btf.Int{Name: "int", Size: 4, Encoding: btf.Signed}
	types := []btf.Type{&btf.Struct{Name: "journal_s"}, &btf.Struct{Name: "xlog"},
		&btf.Struct{Name: "btrfs_block_group"}}
	for name, n := range hooks {
		proto := &btf.FuncProto{Return: number,
			Params: []btf.FuncParam{{Name: "__data", Type: &btf.Pointer{Target: &btf.Void{}}}}}
		for range n {
			proto.Params = append(proto.Params, btf.FuncParam{Type: number})
		}
		types = append(types, &btf.Typedef{Name: "btf_trace_" + name, Type: &btf.Pointer{Target: proto}})
	}
	return &kernel{types: specOf(t, types)}
}

func without(names ...string) map[string]int {
	rest := maps.Clone(hooks)
	for _, name := range names {
		delete(rest, name)
	}
	return rest
}

func probes(t *testing.T) *ebpf.CollectionSpec {
	t.Helper()
	spec, err := loadIotrace()
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func TestFitToACompleteKernel(t *testing.T) {
	spec := probes(t)
	limits, err := fit(spec, kernelWith(t, hooks), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(limits) != 0 {
		t.Errorf("limits on a kernel that has everything: %v", limits)
	}
	for hook := range hooks {
		if !slices.ContainsFunc(slices.Collect(maps.Values(spec.Programs)),
			func(p *ebpf.ProgramSpec) bool { return p.AttachTo == hook }) {
			t.Errorf("no program is left for %s", hook)
		}
	}
}

// Each hook that is not required can be missing: its programs go, and the
// recording says what it lacks.
func TestFitToAKernelWithoutAHook(t *testing.T) {
	for hook := range hooks {
		if slices.Contains(required, hook) {
			continue
		}
		t.Run(hook, func(t *testing.T) {
			spec := probes(t)
			limits, err := fit(spec, kernelWith(t, without(hook)), nil)
			if err != nil {
				t.Fatal(err)
			}
			for name, p := range spec.Programs {
				if p.AttachTo == hook {
					t.Errorf("program %s is left", name)
				}
			}
			if len(limits) != 1 || !strings.Contains(limits[0].Text, hook) {
				t.Errorf("limits %v: want one that names %s", limits, hook)
			}
		})
	}
}

func TestFitNeedsTheRequiredHooks(t *testing.T) {
	for _, hook := range required {
		_, err := fit(probes(t), kernelWith(t, without(hook)), nil)
		if !errors.Is(err, tracer.ErrUnsupported) || !strings.Contains(err.Error(), hook) {
			t.Errorf("without %s: error %v; want ErrUnsupported, naming it", hook, err)
		}
	}
}

// Of several programs for one purpose, the one that fits the kernel is kept.
func TestFitChoosesAmongAlternatives(t *testing.T) {
	for _, test := range []struct {
		name       string
		kernel     map[string]int
		kept, gone string
	}{
		{"6.18", hooks, "io_uring_complete", "io_uring_complete_res"},
		{"before 6.12", with("io_uring_complete", 7), "io_uring_complete_res", "io_uring_complete"},
		{"6.18", hooks, "balance_dirty_pages", "balance_dirty_pages_parts"},
		{"before 6.16", with("balance_dirty_pages", 12), "balance_dirty_pages_parts", "balance_dirty_pages"},
		{"6.18", hooks, "io_uring_submit_req", "io_uring_submit_sqe"},
		{"5.19", renamed("io_uring_submit_req", "io_uring_submit_sqe", 7), "io_uring_submit_sqe_parts",
			"io_uring_submit_sqe"},
	} {
		t.Run(test.name+" "+test.kept, func(t *testing.T) {
			spec := probes(t)
			if _, err := fit(spec, kernelWith(t, test.kernel), nil); err != nil {
				t.Fatal(err)
			}
			if spec.Programs[test.kept] == nil || spec.Programs[test.gone] != nil {
				t.Errorf("want %s and not %s", test.kept, test.gone)
			}
		})
	}
}

func with(hook string, parameters int) map[string]int {
	all := maps.Clone(hooks)
	all[hook] = parameters
	return all
}

func renamed(hook, former string, parameters int) map[string]int {
	all := without(hook)
	all[former] = parameters
	return all
}

// Up to Linux 5.17 the completion of an io_uring operation does not say which it
// is: neither end is recorded, and that is a limit. So is a probe that the kernel refuses.
func TestFitLeavesOutWhatIsOfNoUse(t *testing.T) {
	for name, fitted := range map[string]struct {
		kernel  map[string]int
		refused map[string]error
	}{
		"no request in it": {with("io_uring_complete", 4), nil},
		"refused":          {hooks, map[string]error{"io_uring_submit_req": errors.New("too complex")}},
	} {
		spec := probes(t)
		limits, err := fit(spec, kernelWith(t, fitted.kernel), fitted.refused)
		if err != nil || len(limits) != 1 || limits[0].Code != trace.LimitNoUring {
			t.Errorf("%s: limits %v, error %v; want that io_uring is missing", name, limits, err)
		}
		if name == "refused" && len(limits) > 0 && !strings.Contains(limits[0].Text, "too complex") {
			t.Errorf("the limit does not say why: %s", limits[0].Text)
		}
		for p := range spec.Programs {
			if strings.HasPrefix(p, "io_uring") {
				t.Errorf("%s: %s is kept", name, p)
			}
		}
	}
}

// A kernel before 6.4 has io_uring_submit_sqe: nothing is missing there.
func TestFitToAnOlderIOUring(t *testing.T) {
	older := without("io_uring_submit_req")
	older["io_uring_submit_sqe"] = 2
	spec := probes(t)
	limits, err := fit(spec, kernelWith(t, older), nil)
	if err != nil || len(limits) != 0 {
		t.Errorf("limits %v, error %v; want none", limits, err)
	}
	if spec.Programs["io_uring_submit_sqe"] == nil || spec.Programs["io_uring_submit_req"] != nil {
		t.Error("want io_uring_submit_sqe and not io_uring_submit_req")
	}
}

// What is left after a hook's programs were removed still loads.
func TestProbesLoadWithoutAHook(t *testing.T) {
	needBPF(t)
	k, err := readKernel()
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range consequences {
		t.Run(string(group.code), func(t *testing.T) {
			spec := probes(t)
			if _, err := fit(spec, k, nil); err != nil {
				t.Fatal(err)
			}
			maps.DeleteFunc(spec.Programs, func(_ string, p *ebpf.ProgramSpec) bool {
				return slices.Contains(group.hooks, p.AttachTo)
			})
			if err := configure(spec, k, newCallTable(), tracer.Scope{All: true}, 1<<20); err != nil {
				t.Fatal(err)
			}
			c, err := ebpf.NewCollection(spec)
			if err != nil {
				t.Fatal(explain(err))
			}
			c.Close()
		})
	}
}

// Whatever the library makes of a refusal, who lacks the capabilities is told so: it creates maps in random order, and
// calls the refusal of some a feature that the kernel lacks.
func TestMissingCapabilitiesAreTheCause(t *testing.T) {
	needBPF(t)
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with this goroutine, and what it lacks with it
		header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		var none [2]unix.CapUserData
		if err := unix.Capset(&header, &none[0]); err != nil {
			t.Error(err)
		}
		done <- explain(fmt.Errorf("map tasks: map create: prealloc maps: %w", ebpf.ErrNotSupported))
	}()
	if err := <-done; !errors.Is(err, tracer.ErrPermission) || !strings.Contains(err.Error(), "CAP_BPF") {
		t.Errorf("without any capability: %v", err)
	}
	if err := explain(ebpf.ErrNotSupported); errors.Is(err, tracer.ErrPermission) {
		t.Errorf("with all of them: %v", err)
	}
	if err := explain(errPermission); !errors.Is(err, tracer.ErrPermission) || strings.Contains(err.Error(), "sudo") {
		t.Errorf("with all of them, refused: %v", err)
	}
}
