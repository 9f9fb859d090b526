/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Helpers: threads that are not recorded themselves, but wake one that is, or
 * wake another helper: of a file system, of a driver, of the process at the other
 * end of a pipe. Nothing but their waits is recorded. They lie in a table of their
 * own, not at the task: a storage would have to be allocated in the middle of a
 * wake, under locks that allocating may ask for.
 */
#ifndef IOTRACE_HELPER_H
#define IOTRACE_HELPER_H

#define MAX_STEPS 4 /* from a recorded thread: what is farther away would be most of a busy machine */

struct helper_info {
	struct off_cpu off;
	u32 tid;   /* tells whether the address is another task's by now */
	u8 steps;  /* from a recorded thread, as few as were seen */
	u8 daemon; /* it serves the files of a FUSE file system */
	u16 pad;
};

TABLE(helper, helper_info, 10, MAX_HELPERS)

u32 helper_count = 0;    /* that are followed */
u64 helpers_refused = 0; /* times that there was no room for one */

static __always_inline struct helper_info *helper_of(struct task_struct *p)
{
	struct helper_info *h;

	if (!helper_count)
		return NULL;
	h = find_helper((u64)p);
	return h && h->tid == (u32)TASK_READ(p, pid) ? h : NULL;
}

/* Not of p as a trusted task: it may be another than the running one. */
static __always_inline void announce_helper(struct task_struct *p)
{
	struct helper *r = reserve(REC_HELPER, sizeof(*r));

	if (!r)
		return;
	__builtin_memset(r, 0, sizeof(*r));
	r->rec = REC_HELPER;
	r->time = bpf_ktime_get_ns();
	r->pid = BPF_CORE_READ(p, tgid);
	r->tid = BPF_CORE_READ(p, pid);
	r->parent = BPF_CORE_READ(p, real_parent, tgid);
	BPF_CORE_READ_STR_INTO(&r->comm, p, comm);
	submit(r);
}

/* follow has the waits of a task recorded that is so many steps from a recorded one. */
static __always_inline void follow(struct task_struct *p, u32 tid, u32 steps)
{
	struct helper_info fresh = { .tid = tid, .steps = steps }, *h;

	h = find_helper((u64)p);
	if (h && h->tid == tid) {
		if (steps < h->steps)
			h->steps = steps;
		return;
	}
	fresh.daemon = serves_files((u64)p);
	/* One of another number had this address, and its end was not seen. */
	if ((!h && helper_count >= MAX_HELPERS) || !keep_helper((u64)p, &fresh)) {
		__sync_fetch_and_add(&helpers_refused, 1);
		return;
	}
	if (!h)
		__sync_fetch_and_add(&helper_count, 1);
	announce_helper(p);
}

/*
 * helps makes the running task a helper, which wakes a thread that is so many
 * steps from a recorded one, if it is not recorded itself. A thread of the kernel
 * works for everybody: the programs that wake one are not helpers for that.
 */
static __always_inline void helps(struct task_struct *p, struct task_struct *woken, u32 steps)
{
	if (steps >= MAX_STEPS || TASK_READ(p, tgid) == recorder)
		return;
	if (!(TASK_READ(p, flags) & PF_KTHREAD) && (woken->flags & PF_KTHREAD || known_task(p)))
		return;
	follow(p, TASK_READ(p, pid), steps + 1);
}

/* served notes the thread that a request was served by whose completion wakes in a soft interrupt. */
static __always_inline u32 served(u32 steps)
{
	u32 zero = 0;
	struct raiser *r = bpf_map_lookup_elem(&raisers, &zero);

	if (!r || !r->task)
		return 0;
	if (steps < MAX_STEPS)
		follow((struct task_struct *)r->task, r->tid, steps + 1);
	return r->tid;
}

static __always_inline void forget_helper(struct task_struct *p)
{
	if (helper_count && drop_helper((u64)p))
		__sync_fetch_and_add(&helper_count, -1);
}

/*
 * followed returns what is kept of a task's waits, NULL if they are not recorded,
 * how many steps it is from a recorded task, and of a recorded one itself. Threads
 * of the kernel are helpers only, also where all processes are recorded.
 */
static __always_inline struct off_cpu *followed(struct task_struct *p, struct task **t, u32 *steps)
{
	struct helper_info *h;

	*steps = 0;
	*t = NULL;
	if (!(TASK_READ(p, flags) & PF_KTHREAD)) {
		*t = known_task(p);
		if (*t)
			return &(*t)->off;
	}
	h = helper_of(p);
	if (!h)
		return NULL;
	*steps = h->steps;
	return &h->off;
}

#endif /* IOTRACE_HELPER_H */
