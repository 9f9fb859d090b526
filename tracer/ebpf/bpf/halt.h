/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Threads that somebody else has halted: by a signal, as a debugger, by freezing
 * their control group, or the file system that they write to. Whoever lets them go
 * on is the one that wakes them.
 */
#ifndef IOTRACE_HALT_H
#define IOTRACE_HALT_H

/* States of a task (include/linux/sched.h); the last since v6.1. */
#define SLEEPS_FOR_SIGNALS 0x1
#define STOPPED 0x4
#define TRACED 0x8
#define FROZEN 0x8000

#define PF_FROZEN 0x10000 /* until v6.0, and nothing since */

static __always_inline u32 state_of(struct task_struct *p)
{
#ifdef LEGACY
	struct task_struct___state *old = (void *)p;

	if (bpf_core_field_exists(old->state))
		return old->state;
#endif
	return p->__state;
}

/* A process that waits for its vfork counts as frozen too, but no signal would end that. */
static __always_inline u8 halted(struct task_struct *of, u32 state)
{
	if (state & STOPPED)
		return WAIT_STOPPED;
	if (state & TRACED)
		return WAIT_TRACED;
	if (state & FROZEN || of->flags & PF_FROZEN)
		return WAIT_FROZEN;
	if (state & SLEEPS_FOR_SIGNALS && BPF_CORE_READ_BITFIELD(of, frozen))
		return WAIT_FROZEN;
	return 0;
}

/* ioctls that let writers of a file system go on (linux/fs.h, linux/dm-ioctl.h). */
#define FITHAW 0xc0045878
#define DM_DEV_SUSPEND 0xc138fd06 /* resumes as well */

static __always_inline bool thaws(struct task_struct *p)
{
#ifndef LEGACY
	struct pt_regs *regs;
	u32 request;
	u64 nr;

	if (TASK_READ(p, flags) & PF_KTHREAD || COMPAT(p))
		return false;
	regs = (struct pt_regs *)bpf_task_pt_regs(p);
	nr = CALL_NR(regs);
	request = ARG1(regs);
	return nr < MAX_CALLS && shapes[nr & (MAX_CALLS - 1)] == SHAPE_IOCTL &&
	       (request == FITHAW || request == DM_DEV_SUSPEND);
#else
	return false;
#endif
}

/*
 * lets_go corrects what a thread has waited for by who wakes it: freezing halts a
 * sleeping thread in its sleep, and a frozen file system looks like any lock.
 */
static __always_inline void lets_go(struct task_struct *p, struct task_struct *woken, struct off_cpu *o)
{
	if (!o->start)
		return;
	if (state_of(woken) & FROZEN)
		o->cause = WAIT_FROZEN;
	else if ((o->cause == WAIT_CALL || o->cause == WAIT_OTHER) && thaws(p))
		o->cause = WAIT_THAW;
}

#endif /* IOTRACE_HALT_H */
