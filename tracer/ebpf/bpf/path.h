/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The names on the way from a file to the root of the file systems, hashed, and
 * copied where a file is announced.
 */
#ifndef IOTRACE_PATH_H
#define IOTRACE_PATH_H

#define MAX_DEPTH BOUND(4096, 64) /* names and mounts on one path: MAX_PATH bytes hold half as many names */
#define NAME_LEN 256

/* On its way from a file to the root. */
struct walk {
	struct dentry *dentry;
	struct vfsmount *mnt;
	u64 chain;
	u32 len;
	u32 flags;
	bool copy; /* copy the names, not only hash them */
};

/* Memory that the stack is too small for. Only task context uses it, one program at a time. */
struct scratch {
	struct walk walk;
	struct ident ident;
	char names[MAX_PATH + 2 * NAME_LEN];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct scratch);
} scratches SEC(".maps");

/* step takes one name of the path; returns false at the root. */
static __always_inline bool step(struct scratch *s)
{
	struct walk *w = &s->walk;
	struct dentry *d = w->dentry, *parent;
	struct vfsmount *mnt = w->mnt;
	const unsigned char *name;
	struct mount *m, *up;
	long n;

	if (mnt && d == BPF_CORE_READ(mnt, mnt_root)) {
		m = (void *)mnt - bpf_core_field_offset(struct mount, mnt);
		up = BPF_CORE_READ(m, mnt_parent);
		if (up == m || !up)
			return false;
		w->dentry = BPF_CORE_READ(m, mnt_mountpoint);
		w->mnt = (void *)up + bpf_core_field_offset(struct mount, mnt);
		return true;
	}
	parent = BPF_CORE_READ(d, d_parent);
	if (!parent || (parent == d && !mnt))
		return false;
	if (parent == d) /* memory, an anonymous inode: a name in no directory */
		w->flags |= IDENT_ALONE;
	w->chain = (w->chain ^ (u64)parent) * 0x9e3779b97f4a7c15ULL + BPF_CORE_READ(d, d_name.hash_len);
	if (w->copy) {
		if (w->len >= MAX_PATH) {
			w->flags |= IDENT_CUT;
			return false;
		}
		name = BPF_CORE_READ(d, d_name.name);
		n = bpf_probe_read_kernel_str(&s->names[w->len & (MAX_PATH - 1)], NAME_LEN, name);
		if (n < 0)
			return false;
		w->len += n;
	}
	w->dentry = parent;
	return parent != d;
}

static long step_callback(u32 i, struct scratch **s)
{
	return step(*s) ? 0 : 1;
}

/* walk goes from a name to the root; the result is in the scratch's walk. */
static __always_inline struct walk *walk(struct dentry *d, struct vfsmount *mnt, bool copy)
{
	struct scratch *s;
	struct walk *w;
	u32 zero = 0;

	s = bpf_map_lookup_elem(&scratches, &zero);
	if (!s)
		return NULL;
	w = &s->walk;
	w->dentry = d;
	w->mnt = mnt;
	w->chain = 0;
	w->len = 0;
	w->flags = 0;
	w->copy = copy;
	if (d && LOOP(MAX_DEPTH, MAX_DEPTH, step_callback, &s) == MAX_DEPTH)
		w->flags |= IDENT_CUT;
	return w;
}

#endif /* IOTRACE_PATH_H */
