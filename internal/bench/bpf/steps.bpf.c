// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What a recorded call costs, step by step: each step does what the ones before
 * it do, and one thing more, with the functions that iotrace's own probes are
 * made of. The verifier removes what a step does not do.
 */
#include "core_types.h"
#include "core_io_types.h"
#include "core_rpc_types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>
#include "flavour.h"
#include "arch.h"
#include "iotrace.h"
#include "maps.h"
#include "table.h"
#include "member.h"
#include "task.h"
#include "user.h"
#include "path.h"
#include "file.h"
#include "smb.h"
#include "open_file.h"
#include "call_buffer.h"
#include "call.h"

char LICENSE[] SEC("license") = "Dual MIT/GPL";

enum step {
	EMPTY,
	NUMBER,    /* is this call one that is recorded? */
	SCOPE,     /* is this task? */
	BEGIN,     /* the clock at entry, and the beginning noted */
	END,       /* the clock at exit, and how long it took */
	ARGUMENTS, /* process, descriptor, bytes, address */
	FILE,      /* the open file, its flags and its position */
	IDENTITY,  /* its number */
	RECORD_16, /* a record of so many bytes */
	RECORD_32,
	RECORD_72, /* as it is, with call_slots set to 0 */
	BUFFER,    /* the same in the buffer of this CPU */
};

const volatile u32 last = EMPTY; /* the last of the steps that are done */

SEC("tp_btf/sys_enter")
int BPF_PROG(sys_enter, struct pt_regs *regs, long nr)
{
	struct task_struct *p;
	struct task *t;

	if (last < NUMBER || (u64)nr >= MAX_CALLS || !shapes[nr & (MAX_CALLS - 1)])
		return 0;
	if (last < SCOPE)
		return 0;
	t = calling_task(regs, true, &p);
	if (!t || COMPAT(p) || last < BEGIN)
		return 0;
	t->entered = 1;
	t->left = 0;
	t->nr = nr;
	t->filled = 0;
	t->fault_start = 0;
	t->start = bpf_ktime_get_ns();
	return 0;
}

/* use keeps the compiler from dropping what nothing reads. */
static __always_inline void use(struct task *t, u64 value)
{
	*(volatile u64 *)&t->dio_pos = value;
}

static __always_inline void record_short(struct task *t, u32 size)
{
	u64 *r = reserve(REC_IO, size);

	if (!r)
		return;
	for (u32 i = 0; i < size / 8; i++)
		r[i] = t->start + i;
	submit(r);
}

SEC("tp_btf/sys_exit")
int BPF_PROG(sys_exit, struct pt_regs *regs, long ret)
{
	long nr = CALL_NR(regs);
	struct done c = { .regs = regs, .ret = ret, .nr = nr };
	struct file *f;
	struct task *t;
	s32 fd;

	if (last < NUMBER || (u64)nr >= MAX_CALLS)
		return 0;
	c.shape = shapes[nr & (MAX_CALLS - 1)];
	if (!c.shape || last < SCOPE)
		return 0;
	c.t = t = calling_task(regs, false, &c.p);
	if (!t || last < END)
		return 0;
	if (!t->start || t->nr != (u32)nr)
		return 0;
	c.start = t->start;
	c.dur = bpf_ktime_get_ns() - c.start;
	c.filled = t->filled;
	t->left = 1;
	t->throttled = 0;
	t->dio_file = 0;
	if (last >= RECORD_72) {
		t->start = 0;
		finish_io(&c, t);
		return 0;
	}
	use(t, c.dur);
	if (last < ARGUMENTS)
		return 0;
	use(t, bpf_get_current_pid_tgid() + ARG1(regs) + ARG2(regs) + ARG3(regs));
	fd = ARG0(regs);
	if (last < FILE)
		return 0;
	f = file_of(c.p, fd);
	if (!f)
		return 0;
	use(t, READ(struct file, f, f_flags) + position(f, ret));
	if (last < IDENTITY)
		return 0;
	use(t, file_id(t, fd, f));
	if (last == RECORD_16)
		record_short(t, 16);
	else if (last == RECORD_32)
		record_short(t, 32);
	return 0;
}

struct chosen {
	u32 pid;
};

extern struct task_struct *bpf_task_from_pid(s32 pid) __ksym;
extern void bpf_task_release(struct task_struct *p) __ksym;

/* choose makes a process one that is recorded. */
SEC("syscall")
int choose(struct chosen *c)
{
	struct task_struct *p = bpf_task_from_pid(c->pid);
	struct task *t;

	if (!p)
		return 1;
	t = storage_for(p);
	if (t)
		enter_stack(p, t);
	bpf_task_release(p);
	return t ? 0 : 1;
}
