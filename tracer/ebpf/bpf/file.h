/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The identity of files. Every (dentry, mount) pair that an event refers to
 * gets a number; the first use sends its inode and its names to the reader.
 * A dentry is reused by the kernel and moved by rename, so an entry is checked
 * against a hash over the names on its way to the root whenever some recorded
 * task has renamed something since.
 */
#ifndef IOTRACE_FILE_H
#define IOTRACE_FILE_H

#define S_IFMT 0170000
#define S_IFBLK 0060000
#define S_SYNC 1 /* chattr +S */
#define SB_SYNCHRONOUS 16 /* mount -o sync */
#define ANON_INODE_FS_MAGIC 0x09041934
#define NEVER ~0U

#ifndef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif

struct place {
	u64 dentry;
	u64 mnt;
};

struct known {
	u64 chain; /* hash over the names up to the root */
	u64 mark;
	u64 inode;
	u32 id;
	u32 epoch; /* of the names' last check; NEVER: they have to be checked each time */
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 65536);
	__type(key, struct place);
	__type(value, struct known);
} places SEC(".maps");

struct by_inode {
	u64 ino;
	u32 generation;
	u32 dev;
	u32 id;
	u32 pad;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 65536);
	__type(key, u64); /* struct inode * */
	__type(value, struct by_inode);
} inodes SEC(".maps");

struct counters {
	u32 next_file;
	u32 epoch;  /* goes up with every rename by a recorded task */
	u32 closes; /* goes up when a recorded task closes a descriptor that others share */
};

struct counters counters = {};

static __always_inline void remember_inode(struct inode *inode, u32 id)
{
	struct by_inode v = {
		.ino = BPF_CORE_READ(inode, i_ino),
		.generation = BPF_CORE_READ(inode, i_generation),
		.dev = BPF_CORE_READ(inode, i_sb, s_dev),
		.id = id,
	};
	u64 key = (u64)inode;

	bpf_map_update_elem(&inodes, &key, &v, BPF_ANY);
}

#ifdef LEGACY

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, u32);
	__type(value, u8);
} numbers SEC(".maps"); /* the latest that files were given */

/* Only one CPU can add a number to the map. */
static __always_inline u32 new_number(void)
{
	u32 n = counters.next_file;
	u8 taken = 1;

	for (int i = 0; i < 64; i++) {
		n++;
		if (!bpf_map_update_elem(&numbers, &n, &taken, BPF_NOEXIST)) {
			__sync_fetch_and_add(&counters.next_file, 1);
			return n;
		}
	}
	return 0;
}

#else

static __always_inline u32 new_number(void)
{
	return __sync_fetch_and_add(&counters.next_file, 1) + 1;
}

#endif

/*
 * announce sends the identity of a file: inode, file system, names. Without a
 * mount the path ends at the root of its file system. Returns its number, 0 if
 * the record was lost (so that the next use tries again).
 */
static __noinline u32 announce(struct dentry *d, struct vfsmount *mnt, struct inode *inode, u64 *chain)
{
	struct walk *w = walk(d, mnt, true);
	const char *fstype;
	struct ident *r;
	u32 id, len;

	if (!w)
		return 0;
	r = (void *)w + offsetof(struct scratch, ident) - offsetof(struct scratch, walk);
	id = new_number();
	r->rec = REC_FILE;
	r->flags = w->flags;
	if (d && !mnt)
		r->flags |= IDENT_FS_ROOT;
	if (d && !BPF_CORE_READ(d, d_hash.pprev) && BPF_CORE_READ(d, d_parent) != d)
		r->flags |= IDENT_DELETED;
	if (BPF_CORE_READ(inode, i_flags) & S_SYNC || BPF_CORE_READ(inode, i_sb, s_flags) & SB_SYNCHRONOUS)
		r->flags |= IDENT_SYNC;
	r->file = id;
	r->mode = BPF_CORE_READ(inode, i_mode);
	r->ino = BPF_CORE_READ(inode, i_ino);
	r->size = BPF_CORE_READ(inode, i_size);
	r->dev = BPF_CORE_READ(inode, i_sb, s_dev);
	r->rdev = BPF_CORE_READ(inode, i_rdev);
	r->magic = BPF_CORE_READ(inode, i_sb, s_magic);
	r->time = bpf_ktime_get_ns();
	r->pad = 0;
	fstype = BPF_CORE_READ(inode, i_sb, s_type, name);
	__builtin_memset(r->fstype, 0, sizeof(r->fstype));
	bpf_probe_read_kernel_str(r->fstype, sizeof(r->fstype), fstype);
	len = w->len;
	if (len > MAX_PATH + NAME_LEN)
		len = MAX_PATH + NAME_LEN;
	r->len = len;
	*chain = w->chain;
	if (!emit(REC_FILE, r, sizeof(*r) + len))
		return 0;
	return id;
}

/*
 * unmoved tells whether a name has the way to the root that it had. Whatever
 * calls it, the verifier finds its own stack as it was, and has less to compare.
 */
static __noinline bool unmoved(struct dentry *d, struct vfsmount *mnt, u64 chain)
{
	struct walk *w = walk(d, mnt, false);

	return w && w->chain == chain;
}

/* mark tells a dentry and its inode, by number, parent and name, from those that have had their memory. */
static __noinline u64 mark(struct dentry *d, struct inode *inode)
{
	return READ(struct inode, inode, i_ino) ^ READ(struct dentry, d, d_name.hash_len);
}

/* place_id is the number of a (dentry, mount) pair. */
SHARED u32 place_number(u64 dentry, u64 mount)
{
	struct dentry *d = (void *)dentry;
	struct vfsmount *mnt = (void *)mount;
	struct place key = { .dentry = dentry, .mnt = mount };
	struct known *k, fresh = {};
	struct inode *inode;

	if (!d)
		return 0;
	inode = READ(struct dentry, d, d_inode);
	k = bpf_map_lookup_elem(&places, &key);
	if (k && k->inode == (u64)inode && k->mark == mark(d, inode)) {
		if (k->epoch == counters.epoch)
			return k->id;
		if (unmoved(d, mnt, k->chain)) {
			if (k->epoch != NEVER)
				k->epoch = counters.epoch;
			return k->id;
		}
	}
	if (!inode)
		return 0;
	/* eventfd, timerfd and their kind share an inode, which says nothing when a dentry is used again. */
	fresh.epoch = BPF_CORE_READ(inode, i_sb, s_magic) == ANON_INODE_FS_MAGIC ? NEVER : counters.epoch;
	fresh.inode = (u64)inode;
	fresh.mark = mark(d, inode);
	fresh.id = announce(d, mnt, inode, &fresh.chain);
	if (!fresh.id)
		return 0;
	bpf_map_update_elem(&places, &key, &fresh, BPF_ANY);
	remember_inode(inode, fresh.id);
	return fresh.id;
}

static __always_inline u32 place_id(struct dentry *d, struct vfsmount *mnt)
{
	return place_number((u64)d, (u64)mnt);
}

/* inode_id is the number of a file that the block layer knows only by inode. */
SHARED u32 inode_number(u64 key)
{
	struct inode *inode = (void *)key;
	u64 chain;
	struct dentry *d = NULL;
	struct hlist_node *alias;
	struct by_inode *k;
	u32 id;

	if (!inode)
		return 0;
	k = bpf_map_lookup_elem(&inodes, &key);
	if (k && k->ino == READ(struct inode, inode, i_ino) &&
	    k->generation == READ(struct inode, inode, i_generation) &&
	    k->dev == READ(struct inode, inode, i_sb, s_dev))
		return k->id;
	if ((BPF_CORE_READ(inode, i_mode) & S_IFMT) == S_IFBLK)
		return 0; /* journal and metadata of a mounted file system */
	alias = BPF_CORE_READ(inode, i_dentry.first);
	if (!alias)
		return 0; /* the file system's own inodes, such as btrfs's btree */
	if (bpf_core_field_exists(struct dentry___flat, d_alias))
		d = (void *)alias - bpf_core_field_offset(struct dentry___flat, d_alias);
	else
		d = (void *)alias - bpf_core_field_offset(struct dentry, d_u.d_alias);
	id = announce(d, NULL, inode, &chain);
	if (id)
		remember_inode(inode, id);
	return id;
}

static __always_inline u32 inode_id(struct inode *inode)
{
	return inode_number((u64)inode);
}

#endif /* IOTRACE_FILE_H */
