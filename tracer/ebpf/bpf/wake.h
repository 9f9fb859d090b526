/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What a CPU is in the middle of, so that whoever it wakes can be told by what:
 * the completion of a request, or a timer. A note of that is kept for each
 * context that can be interrupted by the next, and goes when the context is left.
 */
#ifndef IOTRACE_WAKE_H
#define IOTRACE_WAKE_H

enum context { IN_TASK, IN_SOFTIRQ, IN_HARDIRQ, CONTEXTS };

/* Parts of preempt_count (include/linux/preempt.h). */
#define SERVING_SOFTIRQ 0x100
#define HARDIRQ_OR_NMI 0xff0000

struct doing {
	u64 by;        /* enum waker: what goes on is the end of a request or an RPC, or a timer has expired */
	u64 completed; /* of that request or RPC */
	u64 task;      /* that was running */
	u64 switches;  /* how often it had left the CPU by then */
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, CONTEXTS);
	__type(key, u32);
	__type(value, struct doing);
} doings SEC(".maps"); /* by enum context */

const volatile bool tells_context = true; /* what a CPU is in can be known */

#if defined(__TARGET_ARCH_x86)

/*
 * The count is a variable of each CPU. Those of one CPU lie at the same distances
 * as those of any other, and the queue that the running task is in is one of them
 * too. A variable cannot be named where the kernel keeps no symbols of data
 * (CONFIG_KALLSYMS_ALL).
 */
const volatile s64 count_from_rq = 0;

static __always_inline u32 preempt_count(struct task_struct *p)
{
	u64 count = (u64)TASK_POINTER(p, se.cfs_rq, rq) + count_from_rq;

	return READ(struct qstr, count, hash); /* a number at the beginning of a struct, as there is none of its own */
}

#else

static __always_inline u32 preempt_count(struct task_struct *p)
{
	return TASK_READ(p, thread_info.preempt.count);
}

#endif

/* context_of tells what the CPU is in, of which p is the running task. The idle task answers other CPUs' calls. */
static __always_inline u32 context_of(struct task_struct *p)
{
	u32 count = preempt_count(p);

	if (count & HARDIRQ_OR_NMI)
		return IN_HARDIRQ;
	if (count & SERVING_SOFTIRQ)
		return IN_SOFTIRQ;
	return TASK_READ(p, pid) ? IN_TASK : IN_HARDIRQ;
}

static __always_inline u64 switches_of(struct task_struct *p)
{
	return TASK_READ(p, nvcsw) + TASK_READ(p, nivcsw);
}

static __always_inline void note(u64 by, u64 completed)
{
	struct task_struct *p = CURRENT();
	struct doing *d;
	u32 context;

	if (!tells_context)
		return;
	context = context_of(p);
	d = bpf_map_lookup_elem(&doings, &context);
	if (!d)
		return;
	d->by = by;
	d->completed = completed;
	d->task = (u64)p;
	d->switches = switches_of(p);
}

/* completes notes that the completion of a request begins, and returns when; those that it wakes come right after. */
static __always_inline u64 completes(void)
{
	u64 now = bpf_ktime_get_ns();

	note(BY_REQUEST, now);
	return now;
}

/*
 * Who asked last, on this CPU, for completions to go on in a soft interrupt: a thread
 * that serves requests, such as that of a loop device, 0 if an interrupt did.
 */
struct raiser {
	u64 task;
	u64 tid;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct raiser);
} raisers SEC(".maps");

/* nothing_of forgets what was noted in a context that is left. */
static __always_inline void nothing_of(u32 context)
{
	struct doing *d = bpf_map_lookup_elem(&doings, &context);

	if (d)
		d->by = BY_UNKNOWN;
}

#endif /* IOTRACE_WAKE_H */
