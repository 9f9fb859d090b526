/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Time off the CPU: why a thread leaves it, what wakes the thread, and when it runs again. */
#ifndef IOTRACE_WAIT_BPF_H
#define IOTRACE_WAIT_BPF_H

/* A thread that loses the CPU for less is not worth a record. */
#define READY_NS 50000

static __always_inline u8 cause_of(struct task_struct *prev, struct task *t, u32 state)
{
	u8 halt = halted(prev, state);

	if (halt)
		return halt;
	if (t && t->throttled)
		return WAIT_THROTTLE;
	if (BPF_CORE_READ_BITFIELD(prev, in_iowait))
		return WAIT_IO;
	return t && t->start ? WAIT_CALL : WAIT_OTHER;
}

/*
 * blocked_in notes the call that a thread leaves the CPU in, of those that are not
 * recorded themselves. Once it runs, which may not be seen, nothing tells which that was.
 */
static __always_inline void blocked_in(struct off_cpu *o, struct task_struct *p)
{
	o->nr = NO_CALL;
#ifndef LEGACY
	if (o->cause == WAIT_OTHER && !(p->flags & PF_KTHREAD) && !COMPAT(p)) {
		struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(p);
		u64 nr = CALL_NR(regs);

		if (nr < MAX_CALLS)
			o->nr = ARG0(regs) ? nr : nr | FIRST_IS_0;
		o->arg2 = ARG2(regs);
		o->arg3 = ARG3(regs);
	}
#endif
}

/*
 * A thread that is woken on another CPU between its decision to wait and its
 * switch has waited for nothing; what was woken longer before had not blocked at all.
 */
#define EARLY_NS 50000

/* woken_by completes the record of a wait with what ended it. */
static __always_inline void woken_by(struct wait *r, struct off_cpu *o)
{
	r->ready = r->completed = 0;
	r->waker = 0;
	r->by = BY_UNKNOWN;
	r->pad = 0;
	if (o->cause == WAIT_READY || o->woken + EARLY_NS < o->start)
		return;
	r->by = o->by;
	r->waker = o->waker;
	r->completed = o->completed;
	r->ready = o->woken > o->start ? o->start + r->dur - o->woken : r->dur;
}

static __always_inline void send_wait(struct task_struct *p, struct off_cpu *o, bool helper, u64 now)
{
	struct wait *r = reserve(REC_WAIT, sizeof(*r));

	if (!r)
		return;
	r->rec = REC_WAIT;
	r->cause = o->cause;
	r->nr = o->nr & ~FIRST_IS_0;
	r->given = !(o->nr & FIRST_IS_0);
	r->arg2 = o->arg2;
	r->arg3 = o->arg3;
	r->start = o->start;
	r->dur = now - o->start;
	r->pid = p->tgid;
	r->tid = p->pid;
	r->helper = helper;
	woken_by(r, o);
	submit(r);
}

/* runs_again ends the time off the CPU of a thread, which is a helper if t is NULL. */
static __always_inline void runs_again(struct task_struct *p, struct off_cpu *o, struct task *t, u64 now)
{
	u64 began = o->start;

	if (o->cause != WAIT_READY || now - began >= READY_NS)
		send_wait(p, o, !t, now);
	o->start = o->woken = 0;
	if (!t || o->cause == WAIT_READY)
		return; /* whatever it is about to wait for is still to come */
	t->throttled = 0;
	if (t->fault_start && t->fault_start < now && o->cause == WAIT_IO) {
		/*
		 * It may wait once more, or a store to the same mapping may, which has no hook where
		 * it begins: the thread may have computed since, so that counts from its wait.
		 */
		if (t->fault_waited)
			t->fault_start = began;
		send_fault(t, p->tgid, p->pid, now);
		t->fault_start = now;
		t->fault_waited = 1;
		t->fault_filled = t->filled;
	}
}

static __always_inline void resume(struct task_struct *next)
{
	struct off_cpu *o;
	struct task *t;
	u32 steps;

	o = followed(next, &t, &steps);
	if (o && o->start)
		runs_again(next, o, t, bpf_ktime_get_ns());
}

/*
 * resumed_at is when a thread ran again whose switch to the CPU was not seen: some
 * kernels run no probe while process 1 has the CPU (see KNOWN_ISSUES.md), nor in the
 * switch away from it. It has run since for as long as its time on CPUs has grown.
 */
static __always_inline u64 resumed_at(struct off_cpu *o, u64 ran, u64 now)
{
	u64 at = now - (ran - o->ran), least = o->woken > o->start ? o->woken : o->start;

	return at > least ? at : least;
}

static __always_inline void leave(struct task_struct *prev, u32 state, bool ready)
{
	struct off_cpu *o;
	struct task *t;
	u64 now, ran;
	u32 steps;
	u8 cause;

	o = followed(prev, &t, &steps);
	if (!o)
		return;
	cause = ready ? WAIT_READY : cause_of(prev, t, state);
	now = bpf_ktime_get_ns();
	ran = TASK_READ(prev, se.sum_exec_runtime);
	if (o->start)
		runs_again(prev, o, t, resumed_at(o, ran, now));
	o->ran = ran;
	o->start = now;
	o->cause = cause;
	blocked_in(o, prev);
}

SEC("tp_btf/sched_switch")
int PROBE(sched_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	/* A thread that is preempted or yields waits for a CPU alone. */
	if (prev->pid) { /* not the idle task */
		u32 state = state_of(prev);

		leave(prev, state, preempt || !state);
	}
	if (next->pid)
		resume(next);
	return 0;
}

/* wakes notes in the woken thread's slot what the CPU is in the middle of. */
static __always_inline void wakes(struct task_struct *woken, struct off_cpu *o, u32 steps)
{
	struct task_struct *p = CURRENT();
	u32 context = context_of(p);
	struct doing *d = bpf_map_lookup_elem(&doings, &context);

	o->completed = 0;
	o->waker = context == IN_TASK ? TASK_READ(p, pid) : 0;
	o->by = context == IN_TASK ? BY_THREAD : BY_INTERRUPT;
	if (d && d->by && d->task == (u64)p && d->switches == switches_of(p)) {
		o->by = d->by;
		o->completed = d->completed;
		if (o->by == BY_REQUEST && context == IN_SOFTIRQ)
			o->waker = served(steps);
	}
	o->woken = bpf_ktime_get_ns();
	if (context == IN_TASK) {
		lets_go(p, woken, o);
		helps(p, woken, steps);
	}
}

/* The kernel sees to it that this is run by whoever wakes (commit fbd705a0c618, v4.3). */
SEC("tp_btf/sched_waking")
int PROBE(sched_waking, struct task_struct *p)
{
	struct off_cpu *o;
	struct task *t;
	u32 steps;

	o = followed(p, &t, &steps);
	if (o)
		wakes(p, o, steps);
	return 0;
}

#define BLOCK_SOFTIRQ 4

SEC("tp_btf/softirq_raise")
int PROBE(softirq_raise, unsigned int number)
{
	struct task_struct *p = CURRENT();
	struct raiser *r;
	u32 zero = 0;
	bool serves;

	if (number != BLOCK_SOFTIRQ)
		return 0;
	r = bpf_map_lookup_elem(&raisers, &zero);
	if (!r)
		return 0;
	serves = context_of(p) == IN_TASK && TASK_READ(p, flags) & PF_KTHREAD;
	r->task = serves ? (u64)p : 0;
	r->tid = TASK_READ(p, pid);
	return 0;
}

/* What an interrupt was in the middle of is over as it returns. */
SEC("tp_btf/irq_handler_exit")
int PROBE(irq_handler_exit)
{
	nothing_of(IN_HARDIRQ);
	return 0;
}

SEC("tp_btf/softirq_exit")
int PROBE(softirq_exit)
{
	nothing_of(IN_SOFTIRQ);
	return 0;
}

SEC("tp_btf/hrtimer_expire_entry")
int PROBE(hrtimer_expire_entry)
{
	note(BY_TIMER, 0);
	return 0;
}

/* On x86 the interrupt of the timer is none that has a handler. */
SEC("tp_btf/hrtimer_expire_exit")
int PROBE(hrtimer_expire_exit)
{
	note(BY_UNKNOWN, 0);
	return 0;
}

SEC("tp_btf/timer_expire_entry")
int PROBE(timer_expire_entry)
{
	note(BY_TIMER, 0);
	return 0;
}

#endif /* IOTRACE_WAIT_BPF_H */
