/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Who changed what a file system writes of its own: recorded tasks, or others.
 * Threads of the kernel write back for everybody, so theirs count for nobody.
 */
#ifndef IOTRACE_CHANGED_H
#define IOTRACE_CHANGED_H

#define WHOLE 65534 /* parts of a share, as in bio_info.others */

struct changed {
	u64 own; /* as in struct commit */
	u64 others;
};

enum changer {
	NOBODY,
	RECORDED,
	OTHERS,
};

static __always_inline enum changer changer_of(struct task_struct *p)
{
	struct helper_info *h;

	if (TASK_READ(p, flags) & PF_KTHREAD || TASK_READ(p, tgid) == recorder)
		return NOBODY;
	if (current_task(p))
		return RECORDED;
	h = helper_of(p);
	return h && h->daemon ? RECORDED : OTHERS;
}

/* count_changes adds to what was changed of something. Where there is no room it counts as not known. */
static __always_inline void count_changes(void *map, u64 key, enum changer who, u64 n)
{
	struct changed fresh = {}, *c = bpf_map_lookup_elem(map, &key);

	if (!c) {
		bpf_map_update_elem(map, &key, &fresh, BPF_NOEXIST);
		c = bpf_map_lookup_elem(map, &key);
		if (!c)
			return;
	}
	__sync_fetch_and_add(who == RECORDED ? &c->own : &c->others, n);
}

#endif /* IOTRACE_CHANGED_H */
