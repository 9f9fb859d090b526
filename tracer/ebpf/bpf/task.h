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
	u32 pad;
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
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct task);
} tasks SEC(".maps");

static __always_inline u32 tgid_of(u64 pid_tgid)
{
	return pid_tgid >> 32;
}

static __noinline struct task *adopt(struct task_struct *p)
{
	struct task *t = bpf_task_storage_get(&tasks, p, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (!t)
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
	struct task *t = bpf_task_storage_get(&tasks, p, NULL, 0);
	u32 tgid;

	if (t)
		return t;
	if (p->flags & PF_IO_WORKER) {
		if (!bpf_task_storage_get(&tasks, p->group_leader, NULL, 0))
			return NULL;
		return adopt(p);
	}
	if (!all && !by_pid)
		return NULL;
	tgid = p->tgid;
	if (tgid == recorder)
		return NULL;
	if (!all && !bpf_map_lookup_elem(&targets, &tgid))
		return NULL;
	return adopt(p);
}

static __always_inline struct task *known_task(struct task_struct *p)
{
	return bpf_task_storage_get(&tasks, p, NULL, 0);
}

#endif /* IOTRACE_TASK_H */
