/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Which tasks are recorded, and what each is doing right now. A task is
 * recorded if it has an entry in the task storage: looking that up costs a few
 * nanoseconds, and children get theirs at fork, before they can run.
 */
#ifndef IOTRACE_TASK_H
#define IOTRACE_TASK_H

#define PF_KTHREAD 0x00200000
#define PF_IO_WORKER 0x10 /* io_uring worker or submission thread; kernel ABI by convention since v5.12 */

enum wait_cause { WAIT_IO = 1, WAIT_THROTTLE, WAIT_CALL, WAIT_OTHER, WAIT_READY };

/* The identity of the file a task used last: spares a hash look-up per call. */
struct last_file {
	u64 file;
	u64 dentry;
	u32 id;
	s32 fd;
	u32 epoch;
	u32 closes;
};

struct task {
	u64 start; /* of the recorded call in flight, 0: none */
	u32 nr;
	u32 filled; /* pages added to the page cache by this call or fault */
	u64 wait_start;
	u64 fault_start;
	u64 fault_inode;
	u64 fault_index;
	u64 dio_file; /* struct file of the direct I/O being submitted */
	s64 dio_pos;
	u32 closing; /* identity of the file that the close in flight closes */
	u8 wait_cause;
	u8 throttled;
	u8 entered; /* the entry of a call has been seen */
	u8 left;    /* the exit of the last one has, or was counted as one without an entry */
	u64 exited; /* that it ends has been seen */
	struct last_file last[2];
#ifdef LEGACY
	s32 fd; /* of the call in flight */
	u32 pad;
#endif
};

#ifdef LEGACY

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 32768);
	__type(key, u64); /* struct task_struct * */
	__type(value, struct task);
} tasks SEC(".maps");

static const struct task fresh_task;

static __always_inline struct task *known_task(struct task_struct *p)
{
	u64 key = (u64)p;

	return bpf_map_lookup_elem(&tasks, &key);
}

static __always_inline void forget_task(struct task_struct *p)
{
	u64 key = (u64)p;

	bpf_map_delete_elem(&tasks, &key);
}

/* storage_for makes the entry of a task. */
static __always_inline struct task *storage_for(struct task_struct *p)
{
	u64 key = (u64)p;

	bpf_map_update_elem(&tasks, &key, &fresh_task, BPF_NOEXIST);
	return bpf_map_lookup_elem(&tasks, &key);
}

#else

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct task);
} tasks SEC(".maps");

/*
 * A task that nobody keeps anything for is not recorded: a load says so at half
 * the price of the look-up, at the entry and at the exit of each of its calls.
 */
static __always_inline struct task *known_task(struct task_struct *p)
{
	if (!TASK_READ(p, bpf_storage))
		return NULL;
	return bpf_task_storage_get(&tasks, p, NULL, 0);
}

static __always_inline struct task *storage_for(struct task_struct *p)
{
	return bpf_task_storage_get(&tasks, p, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
}

#endif

static __always_inline u32 tgid_of(u64 pid_tgid)
{
	return pid_tgid >> 32;
}

/*
 * The tasks that are recorded, by where their kernel stacks are: a byte for each
 * that was adopted, shared by stacks of the same hash, and never taken back. The
 * registers that a hook at a system call is given lie on the stack, so that calls
 * of other tasks are let go without asking who the task is, which takes a helper.
 */
#ifdef LEGACY /* bpf_task_pt_regs came with v5.15 */

static __always_inline void mark_stack(struct task_struct *p)
{
}

static __always_inline bool marked_stack(struct pt_regs *regs)
{
	return true;
}

#else

#define STACK_SHIFT 14 /* stacks are of 16 KiB at least, and aligned to their size */
#define STACK_BYTES (1 << 13)

u8 recorded_stacks[STACK_BYTES] = {};

/* stack_byte takes the lower half of an address, which is all that the verifier lets be computed with. */
static __always_inline u8 *stack_byte(void *address)
{
	u32 stack;

	asm volatile("%0 = %1" : "=w"(stack) : "w"((u32)(u64)address));
	stack >>= STACK_SHIFT;
	stack ^= stack >> 5;
	asm volatile("" : "+r"(stack)); /* bounded last, where the verifier of v6.8 still knows it */
	return &recorded_stacks[stack & (STACK_BYTES - 1)];
}

static __always_inline void mark_stack(struct task_struct *p)
{
	*stack_byte((void *)bpf_task_pt_regs(p)) = 1;
}

static __always_inline bool marked_stack(struct pt_regs *regs)
{
	return *stack_byte(regs);
}

#endif

static __noinline struct task *adopt(struct task_struct *p)
{
	struct task *t = storage_for(p);

	if (t)
		mark_stack(p);
	else
		count_lost(REC_FORK);
	return t;
}

/*
 * current_task returns the state of the running task if it is recorded. The
 * slow paths are for modes that select tasks that were running before, and for
 * io_uring's workers, which appear without a fork event.
 */
static __always_inline struct task *current_task(struct task_struct *p)
{
	struct task *t = known_task(p);
	u32 tgid;

	if (t)
		return t;
	if (TASK_READ(p, flags) & PF_IO_WORKER) {
		if (!known_task(TASK_READ(p, group_leader)))
			return NULL;
		return adopt(p);
	}
	if (!all && !by_pid)
		return NULL;
	tgid = TASK_READ(p, tgid);
	if (tgid == recorder)
		return NULL;
	if (!all && !bpf_map_lookup_elem(&targets, &tgid))
		return NULL;
	return adopt(p);
}

#endif /* IOTRACE_TASK_H */
