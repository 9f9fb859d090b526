/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Threads that are there before the probes are. A thread that computes, or that has
 * waited since then, makes no call that would tell of it: it is looked for. Their
 * storage cannot be made where they are switched, under locks that allocating may
 * ask for.
 */
#ifndef IOTRACE_PRESENT_BPF_H
#define IOTRACE_PRESENT_BPF_H

#define PF_EXITING 0x4

/* off_already begins the time off the CPU of a thread that is found there. */
static __always_inline void off_already(struct task_struct *p, struct task *t)
{
	u32 state = state_of(p);

	if (!state && BPF_CORE_READ(p, on_cpu))
		return;
	t->off.ran = BPF_CORE_READ(p, se.sum_exec_runtime);
	t->off.cause = state ? cause_of(p, t, state) : WAIT_READY;
	t->off.start = bpf_ktime_get_ns();
}

SEC("iter/task")
int present(struct bpf_iter__task *ctx)
{
	struct task_struct *p = ctx->task;
	u8 why = CHOSEN;
	struct task *t;
	u32 tgid;

	if (!p || p->flags & (PF_KTHREAD | PF_EXITING))
		return 0;
	tgid = p->tgid;
	if (tgid == recorder || known_task(p))
		return 0;
	if (!all)
		why = selected(p, tgid);
	t = why ? adopt(p, why) : NULL;
	if (t)
		off_already(p, t);
	return 0;
}

#endif /* IOTRACE_PRESENT_BPF_H */
