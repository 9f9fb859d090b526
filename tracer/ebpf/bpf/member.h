/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Members: tasks that are recorded for as long as they are in a control group, or
 * have a real user. Each thread is judged by itself. Who belongs is looked up where
 * that can change: at forks, execs, moves to another group and changes of the user.
 * So calls cost nobody more who is not recorded. Threads of the kernel work for
 * everybody and are nobody's members.
 */
#ifndef IOTRACE_MEMBER_H
#define IOTRACE_MEMBER_H

#define PF_KTHREAD 0x00200000
#define MAX_GROUP_DEPTH BOUND(64, 24)
#define MAX_HIERARCHIES BOUND(64, 24)

struct ascent {
	u64 at; /* struct cgroup * */
	struct group key;
	u32 found;
};

static long look_at_group(u32 i, struct ascent *a)
{
	struct cgroup *group = (void *)a->at;

	if (!group)
		return 1;
	a->key.inode = BPF_CORE_READ(group, kn, id);
	if (bpf_map_lookup_elem(&groups, &a->key)) {
		a->found = 1;
		return 1;
	}
	a->at = (u64)BPF_CORE_READ(group, self.parent, cgroup);
	return 0;
}

/* wanted_group tells of a struct cgroup whether it, or one around it, is recorded. */
SHARED u32 wanted_group(u64 address)
{
	struct ascent a = { .at = address };

	a.key.hierarchy = BPF_CORE_READ((struct cgroup *)address, root, hierarchy_id);
	LOOP(MAX_GROUP_DEPTH, MAX_GROUP_DEPTH, look_at_group, &a);
	return a.found;
}

struct memberships {
	u64 node, head; /* struct list_head * */
	u32 found;
};

static long look_at_membership(u32 i, struct memberships *m)
{
	struct list_head *node = (void *)m->node;
	struct cgrp_cset_link *link;

	if (!node || m->node == m->head)
		return 1;
	link = (void *)node - bpf_core_field_offset(struct cgrp_cset_link, cgrp_link);
	m->found = wanted_group((u64)BPF_CORE_READ(link, cgrp));
	m->node = (u64)BPF_CORE_READ(node, next);
	return m->found;
}

/* in_group looks at the groups of a task, one in each hierarchy. */
static __noinline u32 in_group(u64 task)
{
	struct css_set *set = BPF_CORE_READ((struct task_struct *)task, cgroups);
	struct memberships m = {};

	m.head = (u64)set + bpf_core_field_offset(struct css_set, cgrp_links);
	m.node = (u64)BPF_CORE_READ(set, cgrp_links.next);
	LOOP(MAX_HIERARCHIES, MAX_HIERARCHIES, look_at_membership, &m);
	return m.found;
}

/* may_belong is false of those that no membership makes part of a recording. */
static __always_inline bool may_belong(struct task_struct *p)
{
	return !(BPF_CORE_READ(p, flags) & PF_KTHREAD) && (u32)BPF_CORE_READ(p, tgid) != recorder;
}

static __noinline u32 has_membership(u64 task)
{
	struct task_struct *p = (void *)task;
	u32 uid;

	if (!may_belong(p))
		return 0;
	if (by_user) {
		uid = BPF_CORE_READ(p, cred, uid.val);
		if (bpf_map_lookup_elem(&users, &uid))
			return 1;
	}
	return by_group && in_group(task);
}

static __always_inline bool is_member(struct task_struct *p)
{
	return (by_group || by_user) && has_membership((u64)p);
}

/* selected returns why a task that is not recorded yet is to be, 0 if it is not. */
static __always_inline u8 selected(struct task_struct *p, u32 tgid)
{
	u8 *why = bpf_map_lookup_elem(&targets, &tgid);

	if (!why || (*why == MEMBER && !is_member(p)))
		return 0;
	return *why;
}

#endif /* IOTRACE_MEMBER_H */
