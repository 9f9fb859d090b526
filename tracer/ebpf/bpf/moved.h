/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Processes that become members of a recording, or stop being ones, while they run. */
#ifndef IOTRACE_MOVED_H
#define IOTRACE_MOVED_H

/* tell fills in a record of a process or thread. */
static __always_inline void tell_as(u8 kind, struct task_struct *p, u32 parent, u32 parent_tid, bool grouped)
{
	struct fork *r = reserve(kind, sizeof(*r));

	if (!r)
		return;
	__builtin_memset(r, 0, sizeof(*r));
	r->rec = kind;
	r->grouped = grouped;
	r->time = bpf_ktime_get_ns();
	r->parent = parent;
	r->parent_tid = parent_tid;
	r->pid = TASK_READ(p, tgid);
	r->tid = TASK_READ(p, pid);
	r->uid = BPF_CORE_READ(p, cred, uid.val);
	BPF_CORE_READ_STR_INTO(&r->comm, p, comm);
	submit(r);
}

static __always_inline void tell(u8 kind, struct task_struct *p, u32 parent, u32 parent_tid)
{
	tell_as(kind, p, parent, parent_tid, false);
}

/*
 * moved takes note of a process, or a thread of it, that may have become a member
 * or have stopped being one. `whole` is said of the process.
 */
static __always_inline void moved(struct task_struct *p, struct task *t, bool in, bool whole)
{
	u32 tgid = TASK_READ(p, tgid), parent;
	u8 *why = bpf_map_lookup_elem(&targets, &tgid), member = MEMBER;
	bool was = why || (t && t->member == IS_MEMBER);

	if ((why && *why == CHOSEN) || (t && t->member == CHOSEN_ITSELF))
		return;
	parent = BPF_CORE_READ(p, real_parent, tgid);
	if (in) {
		if (bpf_map_update_elem(&targets, &tgid, &member, BPF_ANY))
			count_lost(REC_JOINED);
		else if (!was)
			tell(REC_JOINED, p, parent, parent);
		return;
	}
	if (whole || BPF_CORE_READ(p, signal, live.counter) == 1)
		bpf_map_delete_elem(&targets, &tgid);
	if (was && (u32)TASK_READ(p, pid) == tgid)
		tell(REC_LEFT, p, parent, parent);
	if (t)
		t->member = WAS_MEMBER;
}

/* changes_user takes note of a call that has given the running thread another user; each has its own. */
static __noinline void changes_user(void)
{
	struct task_struct *p = CURRENT();
	struct task *t = known_task(p);
	bool in = is_member(p);

	if (!may_belong(p))
		return;
	moved(p, t, in, TASK_READ(p, pid) == TASK_READ(p, tgid));
	if (t && t->member == WAS_MEMBER && !in)
		let_go(p, t);
}

#endif /* IOTRACE_MOVED_H */
