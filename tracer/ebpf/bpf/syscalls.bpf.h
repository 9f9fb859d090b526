/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * System calls: one record per enter/exit pair. Entry only notes the time;
 * everything else is read at exit, when the kernel has already brought user
 * memory in and moved file positions.
 */
#ifndef IOTRACE_SYSCALLS_BPF_H
#define IOTRACE_SYSCALLS_BPF_H

#define MAP_ANONYMOUS 0x20
#define F_GETLK 5
#define F_SETLKW 7
#define F_OFD_GETLK 36
#define F_OFD_SETLKW 38

/* finish_other handles everything that is not worth a fast path. */
static __always_inline void finish_other(struct done *c)
{
	struct pt_regs *regs = c->regs;

	switch (c->shape) {
	case SHAPE_COPY_RANGE:
	case SHAPE_SENDFILE:
	case SHAPE_TEE:
		FINISH(finish_copy, c);
		return;
	case SHAPE_IOCTL:
		FINISH(finish_ioctl, c);
		return;
	case SHAPE_FORK:
	case SHAPE_CLONE:
	case SHAPE_CLONE3:
		FINISH(finish_fork, c);
		return;
	case SHAPE_REPLACE:
		FINISH(finish_replacing, c);
		return;
	case SHAPE_MMAP:
		if ((ARG3(regs) & MAP_ANONYMOUS) || (s32)ARG4(regs) < 0)
			return;
		break;
	case SHAPE_FCNTL:
		if (!((ARG1(regs) >= F_GETLK && ARG1(regs) <= F_SETLKW) ||
		      (ARG1(regs) >= F_OFD_GETLK && ARG1(regs) <= F_OFD_SETLKW)))
			return;
		break;
	case SHAPE_RENAME:
	case SHAPE_RENAMEAT:
		if (!c->ret)
			bump_epoch();
		break;
	case SHAPE_IO_SUBMIT:
		aio_submitted(c->p, regs, c->ret);
		break;
	case SHAPE_IO_GETEVENTS:
		aio_collected(c->p, c->t, regs, c->ret);
		break;
	default:
		break;
	}
	FINISH(finish_path, c); /* once: the verifier follows each call of it to its end */
}

/*
 * Where hooks are preemptible, a task that loses the CPU in a program keeps it
 * from being run for other tasks there until it is back. So there are copies,
 * and whichever runs first does the work. A task can hold one of them only: as
 * many tasks as there are copies can make calls on a CPU without a loss.
 */
static __always_inline int call_enters(u32 copy, struct pt_regs *regs, long nr)
{
	struct task_struct *p;
	struct task *t;
	u32 shape;
	s32 fd;

	if ((u64)nr >= MAX_CALLS)
		return 0;
	shape = shapes[nr & (MAX_CALLS - 1)];
	if (!shape || (by_user && shape == SHAPE_USER))
		return 0;
	t = calling_task(regs, true, &p);
	if (!t || COMPAT(p))
		return 0;
	if (copy && t->start)
		return 0; /* an earlier copy has seen it */
	keep_cpu();
	if (shape == SHAPE_CLOSE) {
		fd = ARG0(regs);
		t->closing = file_id(t, fd, file_of(p, fd));
		closes_fd(p, t, fd);
	}
	if (t->start)
		missed(NO_EXIT);
	t->entered = 1;
	t->left = 0;
	t->nr = nr;
	t->filled = 0;
	t->fault_start = 0;
#ifdef LEGACY
	t->fd = ARG0(regs);
#endif
	t->start = bpf_ktime_get_ns();
	if (shape == SHAPE_IO_SUBMIT)
		aio_submit(p, t, regs);
	let_cpu_go();
	return 0;
}

static __always_inline int call_exits(u32 copy, struct pt_regs *regs, long ret)
{
	long nr = CALL_NR(regs);
	struct task *t;
	struct done *c;
#ifdef LEGACY
	c = finished_call();
	if (!c)
		return 0;
#else
	struct done done;

	c = &done;
#endif
	c->regs = regs;
	c->ret = ret;

	if ((u64)nr >= MAX_CALLS)
		return 0;
	c->shape = shapes[nr & (MAX_CALLS - 1)];
	if (!c->shape)
		return 0;
	if (by_user && c->shape == SHAPE_USER) {
		if (!ret)
			changes_user();
		return 0;
	}
	c->t = t = calling_task(regs, false, &c->p);
	if (!t)
		return 0;
	if (!t->start || t->nr != (u32)nr) {
		if (t->entered && !(copy && t->left))
			missed(NO_ENTRY);
		t->left = 1;
		return 0;
	}
	keep_cpu();
	c->start = t->start;
	c->dur = bpf_ktime_get_ns() - c->start;
	c->nr = nr;
	c->filled = t->filled;
	t->start = 0;
	t->left = 1;
	t->throttled = 0;
	t->dio_file = 0;
	if (c->shape <= SHAPE_LAST_IO && !has_address(c))
		finish_io(c, t);
	else
		finish_other(c);
	let_cpu_go();
	return 0;
}

#define CALL_PROBES(copy, suffix)						\
SEC("tp_btf/sys_enter")								\
int BPF_PROG(sys_enter##suffix, struct pt_regs *regs, long nr)			\
{										\
	return call_enters(copy, regs, nr);					\
}										\
SEC("tp_btf/sys_exit")								\
int BPF_PROG(sys_exit##suffix, struct pt_regs *regs, long ret)			\
{										\
	return call_exits(copy, regs, ret);					\
}

/* The loader leaves the further copies out where hooks are not preemptible. */
CALL_PROBES(0, )
#ifndef LEGACY
CALL_PROBES(1, _2)
CALL_PROBES(2, _3)
CALL_PROBES(3, _4)
#endif

#endif /* IOTRACE_SYSCALLS_BPF_H */
