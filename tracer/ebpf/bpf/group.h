/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Which control group a process is in. Its names are told, not its number: a group
 * may be gone before anybody can ask what it was called. Of the groups that a
 * process has, one in each hierarchy, one is told (internal/host says why that one).
 */
#ifndef IOTRACE_GROUP_H
#define IOTRACE_GROUP_H

#define RANK_LAST 0xff

const volatile u8 hierarchy_ranks[MAX_HIERARCHY] = {}; /* by number; the least counts */

struct group_scratch {
	u64 at; /* struct cgroup * */
	u32 len;
	u32 pad;
	struct group_path head;
	char names[MAX_PATH + 2 * NAME_LEN];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct group_scratch);
} group_scratches SEC(".maps");

struct choice {
	u64 node, head; /* struct list_head * */
	u64 group;      /* struct cgroup *, 0: only roots so far */
	u32 rank, hierarchy;
};

/* compare_group takes the next group of a process if it tells more. Of two that tell as much the later hierarchy counts. */
static long compare_group(u32 i, struct choice *c)
{
	struct list_head *node = (void *)c->node;
	struct cgrp_cset_link *link;
	struct cgroup *group;
	u32 hierarchy, rank;

	if (!node || c->node == c->head)
		return 1;
	link = (void *)node - bpf_core_field_offset(struct cgrp_cset_link, cgrp_link);
	group = BPF_CORE_READ(link, cgrp);
	hierarchy = BPF_CORE_READ(group, root, hierarchy_id);
	rank = hierarchy < MAX_HIERARCHY ? hierarchy_ranks[hierarchy] : RANK_LAST;
	if (BPF_CORE_READ(group, self.parent) &&
	    (!c->group || rank < c->rank || (rank == c->rank && hierarchy > c->hierarchy))) {
		c->group = (u64)group;
		c->rank = rank;
		c->hierarchy = hierarchy;
	}
	c->node = (u64)BPF_CORE_READ(node, next);
	return 0;
}

/* add_group_name adds the name of a group, and goes on to the one around it. The root has none. */
static long add_group_name(u32 i, struct group_scratch **context)
{
	struct group_scratch *s = *context;
	struct cgroup *group = (void *)s->at;
	struct cgroup_subsys_state *parent = BPF_CORE_READ(group, self.parent);
	long n;

	if (!group || !parent || s->len >= MAX_PATH)
		return 1;
	n = bpf_probe_read_kernel_str(&s->names[s->len & (MAX_PATH - 1)], NAME_LEN, BPF_CORE_READ(group, kn, name));
	if (n < 0)
		return 1;
	s->len += n;
	s->at = (u64)BPF_CORE_READ(parent, cgroup);
	return 0;
}

/* tell_group tells in which group a process is. A path that is too long is not told. */
static __noinline u32 tell_group(u64 task, u32 moved)
{
	struct task_struct *p = (void *)task;
	struct css_set *set = BPF_CORE_READ(p, cgroups);
	struct choice c = {};
	struct cgroup *top;
	struct group_scratch *s;
	u32 zero = 0, n;

	s = bpf_map_lookup_elem(&group_scratches, &zero);
	if (!s)
		return 0;
	c.head = (u64)set + bpf_core_field_offset(struct css_set, cgrp_links);
	c.node = (u64)BPF_CORE_READ(set, cgrp_links.next);
	LOOP(MAX_HIERARCHIES, MAX_HIERARCHIES, compare_group, &c);
	s->len = 0;
	s->at = c.group;
	if (c.group) {
		LOOP(MAX_GROUP_DEPTH, MAX_GROUP_DEPTH, add_group_name, &s);
		top = (void *)s->at;
		if (BPF_CORE_READ(top, self.parent))
			return 0;
	}
	n = s->len;
	if (n > MAX_PATH + NAME_LEN)
		return 0;
	s->head.rec = REC_GROUP;
	s->head.moved = moved;
	s->head.len = n;
	s->head.pid = BPF_CORE_READ(p, tgid);
	return emit(REC_GROUP, &s->head, sizeof(s->head) + n);
}

#endif /* IOTRACE_GROUP_H */
