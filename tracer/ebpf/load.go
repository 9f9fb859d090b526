//go:build linux

package ebpf

import (
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"os"
	"slices"
	"strings"

	"github.com/cilium/ebpf"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// required are the hooks without which nothing useful can be recorded.
var required = []string{"sys_enter", "sys_exit", "sched_process_fork", "sched_process_exec", "sched_process_exit"}

// consequences says what a recording lacks without a group of hooks.
var consequences = []struct {
	code     trace.LimitCode
	hooks    []string
	text     string
	together bool   // none is of use without the others
	of       string // what the kernel has if it has what they tell of: a type, or a module by its path; "": always
}{
	{trace.LimitNoRequests, []string{"block_rq_issue", "block_rq_complete"},
		"block requests: sizes, depth and latency at the device are not known", true, ""},
	{trace.LimitNoRequestFiles, []string{"block_bio_queue"},
		"the files that block requests belong to, and when they were queued", false, ""},
	{trace.LimitNoMerges, []string{"block_rq_merge", "block_split", "block_rq_requeue"},
		"some merges, splits and requeues of block requests", false, ""},
	{trace.LimitNoBioDevices, []string{"block_bio_complete"},
		"requests of devices without a request queue (device mapper, md, zram)", false, ""},
	{trace.LimitNoFaults, []string{"mm_filemap_fault"}, "which file a page fault waited for; the wait itself is recorded",
		false, ""},
	{trace.LimitNoFill, []string{"mm_filemap_add_to_page_cache"}, "page cache misses of single calls", false, ""},
	{trace.LimitNoThrottling, []string{"balance_dirty_pages"}, "that a writer was held back because too much was dirty",
		false, ""},
	{trace.LimitNoWaits, []string{"sched_switch"}, "time off the CPU", false, ""},
	{trace.LimitNoWakers, wakeHooks, "what ended a wait, and how long a thread waited for a processor after it", true, ""},
	{trace.LimitNoDirectFiles, []string{"iomap_dio_rw_begin"},
		"the file of asynchronous direct I/O on btrfs, and on file systems without iomap", false, ""},
	{trace.LimitNoUring, []string{"io_uring_submit_req", "io_uring_complete"},
		"io_uring operations (only the calls that submit them)", true, ""},
	{trace.LimitNoTransactions, []string{"jbd2_handle_stats", "jbd2_commit_flushing"},
		"who changed what a journal writes", true, "journal_s"},
	{trace.LimitNoTransactions, []string{"xfs_log_ticket_ungrant", "xfs_log_ticket_regrant", "xlog_iclog_write"},
		"who changed what the log of XFS writes", true, "xlog"},
	{trace.LimitNoTransactions, []string{"xfs_update_time", "xfs_unwritten_convert", "xfs_setfilesize",
		"xfs_iext_insert", "xfs_bmap_post_update"},
		"for whom threads of the kernel change files of XFS", true, "xlog"},
	{trace.LimitNoTransactions, []string{"xfs_itruncate_extents_start"},
		"which writes of the log of XFS only give back room", true, "xlog"},
	{trace.LimitNoTransactions, []string{"btrfs_reserve_extent"},
		"who changed the trees of btrfs", true, "btrfs_block_group"},
	{trace.LimitNoTransactions, []string{"btrfs_ordered_extent_add", "btrfs_inode_mod_outstanding_extents",
		"add_delayed_tree_ref"}, "how much data was written to btrfs for whom", true, "btrfs_block_group"},
	{trace.LimitNoRPCs, []string{"rpc_stats_latency"}, "what clients of NFS ask of their servers", true,
		rpcModule},
	{trace.LimitNoRPCs, servedHooks, "what this machine's server of NFS is asked", true, rpcModule},
	{trace.LimitNoRPCs, smbHooks, "what clients of SMB ask of their servers", true, smbModule},
}

// wakeHooks tell who wakes a thread, and what that is in the middle of. Without those of interrupts a wake would be
// taken for that of a request that was completed before.
var wakeHooks = []string{"sched_waking", "irq_handler_exit", "softirq_exit", "softirq_raise", "hrtimer_expire_entry",
	"hrtimer_expire_exit", "timer_expire_entry"}

// servedHooks are of a server of NFS.
var servedHooks = []string{"svc_process", "svc_send"}

// formerNames are what hooks were called in older kernels.
var formerNames = map[string]string{"io_uring_submit_req": "io_uring_submit_sqe"}

// alternatives are programs for the same purpose on different kernels: the
// first whose hook exists with the right number of parameters is kept.
type alternative struct {
	program, hook string
	params        []int // nil: any number
}

var alternatives = [][]alternative{
	{{"io_uring_submit_req", "io_uring_submit_req", nil}, {"io_uring_submit_sqe", "io_uring_submit_sqe", []int{2}},
		{"io_uring_submit_sqe_parts", "io_uring_submit_sqe", []int{7}}},
	// Where it has three or four parameters of which none is a request (up to Linux 5.17) it does not say which request it
	// is.
	{{"io_uring_complete", "io_uring_complete", []int{3}}, {"io_uring_complete_res", "io_uring_complete", []int{5, 7}}},
	{{"balance_dirty_pages", "balance_dirty_pages", []int{8}}, {"balance_dirty_pages_parts", "balance_dirty_pages", nil}},
	// With three parameters it has the place and the length of the extent, not what it is for. Commit: unknown.
	{{"btrfs_reserve_extent", "btrfs_reserve_extent", []int{2}}},
	// With four, what it is about is in the third.
	{{"add_delayed_tree_ref", "add_delayed_tree_ref", []int{2}}},
}

// choose leaves one of the programs for the same purpose in the object.
func choose(spec *ebpf.CollectionSpec, k *kernel) {
	for _, group := range alternatives {
		chosen := false
		for _, a := range group {
			n := k.hook(a.hook)
			if !chosen && n > 0 && (a.params == nil || slices.Contains(a.params, n)) {
				chosen = true
				continue
			}
			delete(spec.Programs, a.program)
		}
	}
}

// fit removes from the object what this kernel does not have or has refused
// before, and says what is lost by that. Refusals are by hook.
func fit(spec *ebpf.CollectionSpec, k *kernel, refused map[string]error) ([]trace.Limit, error) {
	choose(spec, k)
	present := map[string]bool{}
	for name, p := range spec.Programs {
		hook := hookOf(name, p)
		if !iterates(p) && !samples(p) && k.hook(hook) == 0 || refused[hook] != nil {
			delete(spec.Programs, name)
		} else {
			present[hook] = true
		}
	}
	for _, name := range required {
		if !present[name] {
			return nil, fmt.Errorf("this kernel has no tracepoint %s that iotrace can use: %w", name,
				errors.Join(tracer.ErrUnsupported, refused[name]))
		}
	}
	var limits []trace.Limit
	for _, c := range consequences {
		var gone, why []string
		for _, h := range c.hooks {
			former := formerNames[h]
			if present[h] || present[former] {
				continue
			}
			gone = append(gone, h)
			for _, name := range []string{h, former} {
				if err := refused[name]; err != nil && !slices.Contains(why, err.Error()) {
					why = append(why, err.Error())
				}
			}
		}
		if len(gone) == 0 {
			continue
		}
		if c.together {
			removeHooks(spec, c.hooks)
		}
		if c.of != "" && !k.has(c.of) {
			continue // nor is there anything to record
		}
		text := "this kernel has no tracepoint " + strings.Join(gone, ", ") + " of a form that is known"
		if len(why) > 0 {
			text = "the kernel refused the probe: " + strings.Join(why, "; ")
		}
		limits = append(limits, trace.Limit{Code: c.code, Text: fmt.Sprintf("not recorded: %s (%s)", c.text, text)})
	}
	return limits, nil
}

// removeHooks takes out the programs of some hooks, under their former names too.
func removeHooks(spec *ebpf.CollectionSpec, hooks []string) {
	for name, p := range spec.Programs {
		for _, h := range hooks {
			if hook := hookOf(name, p); hook == h || hook == formerNames[h] {
				delete(spec.Programs, name)
			}
		}
	}
}

// callCopies are the further copies of the programs for calls, processes and RPCs: of use
// only where a task can be preempted in one (bpf/syscalls.bpf.h).
var callCopies = append([]string{"sys_enter_2", "sys_enter_3", "sys_enter_4", "sys_exit_2", "sys_exit_3",
	"sys_exit_4", "sched_process_fork_2", "sched_process_exit_2", "rpc_stats_latency_2", "rpc_stats_latency_3",
	"rpc_stats_latency_4", "svc_send_2", "svc_send_3", "svc_send_4"}, smbCopies("_2", "_3", "_4")...)

// removeUnused takes out the programs that a recording has no use for: of a command nobody is there before, and what
// a server is asked is for nobody who is recorded, unless all are.
func removeUnused(spec *ebpf.CollectionSpec, preemptible, present, all bool) {
	if !all {
		removeHooks(spec, servedHooks)
	}
	if !preemptible {
		for _, name := range callCopies {
			delete(spec.Programs, name)
		}
	}
	if !present {
		delete(spec.Programs, presentThreads)
	}
}

// configure sets the constants of the object: they are known to the verifier,
// which drops the branches that the scope does not need.
func configure(spec *ebpf.CollectionSpec, k *kernel, calls *callTable, scope tracer.Scope, buffer int) error {
	if len(scope.Names) > int(iotraceBoundMAX_NAMES) {
		return fmt.Errorf("%d process names: at most %d can be selected at once", len(scope.Names), iotraceBoundMAX_NAMES)
	}
	var names [iotraceBoundMAX_NAMES][iotraceBoundCOMM_LEN]byte
	for i, n := range scope.Names {
		copy(names[i][:iotraceBoundCOMM_LEN-1], n)
	}
	var uring [iotraceBoundMAX_URING_OPS]uint8
	for op := range uringOps {
		uring[op] = 1
	}
	byTarget := len(scope.PIDs) > 0 || len(scope.Names) > 0 || scope.Memberships()
	preemptible := k.preemptibleHooks()
	removeUnused(spec, preemptible, byTarget || scope.All, scope.All)
	set, err := k.bits()
	if err != nil {
		return err
	}
	shapes := calls.shapes
	if err := configureMembers(spec, scope, &shapes); err != nil {
		return err
	}
	maps.Copy(set, map[string]any{
		"shapes":          shapes,
		"uring_ops":       uring,
		"names":           names,
		"num_names":       uint32(len(scope.Names)),
		"launch":          scope.Launch,
		"recorder":        uint32(os.Getpid()),
		"own_mounts":      ownMounts(),
		"all":             scope.All,
		"by_pid":          byTarget,
		"by_group":        len(scope.Groups) > 0,
		"hierarchy_ranks": hierarchyRanks(host.Memberships(uint32(os.Getpid()))),
		"by_user":         len(scope.Users) > 0,
		"by_device":       len(scope.Only.Devices) > 0,
		"preemptible":     preemptible,
		"page_shift":      uint32(bits.TrailingZeros(uint(os.Getpagesize()))),
	})
	set["tells_context"] = k.noCount == nil
	set["smb_subrequests"] = k.hook("smb3_read_enter") == 8 // six before Linux 6.10
	if spec.Variables["count_from_rq"] != nil {             // not on arm64
		set["count_from_rq"] = k.count
	}
	for name, p := range spec.Programs { // only those for old kernels have the variable
		if v := "queue_first_" + name; spec.Variables[v] != nil {
			set[v] = k.firstParameter(p.AttachTo) == "request_queue"
		}
	}
	for name, value := range set {
		v, ok := spec.Variables[name]
		if !ok {
			return fmt.Errorf("embedded probes have no variable %s", name)
		}
		if err := v.Set(value); err != nil {
			return fmt.Errorf("setting %s: %w", name, err)
		}
	}
	shrinkUnused(spec)
	return makeRoom(spec, buffer)
}

// shrinkUnused leaves one entry to the maps that no program uses: those for a module that the kernel does not have take
// megabytes.
func shrinkUnused(spec *ebpf.CollectionSpec) {
	used := map[string]bool{}
	for _, p := range spec.Programs {
		for _, i := range p.Instructions {
			if i.IsLoadFromMap() {
				used[i.Reference()] = true
			}
		}
	}
	for name, m := range spec.Maps {
		if !used[name] && m.Type != ebpf.RingBuf {
			m.MaxEntries = min(m.MaxEntries, 1)
		}
	}
}

// makeRoom gives the maps through which events come the room that they are to have.
func makeRoom(spec *ebpf.CollectionSpec, buffer int) error {
	spec.Maps["events"].MaxEntries = uint32(buffer)
	slots := spec.Variables["call_slots"]
	if slots == nil { // probes for old kernels
		return nil
	}
	cpus, err := ebpf.PossibleCPU()
	if err != nil {
		return err
	}
	n := callSlots(buffer, cpus)
	spec.Maps["call_cursors"].MaxEntries = uint32(cpus)
	spec.Maps["call_buffers"].MaxEntries = uint32(cpus * n)
	return slots.Set(uint32(n))
}
