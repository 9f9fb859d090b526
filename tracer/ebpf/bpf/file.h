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
#define OVERLAYFS_SUPER_MAGIC 0x794c7630
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
	u32 epoch; /* names_epoch() at the names' last check; NEVER: they have to be checked each time */
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
	u32 tied; /* to a file of another inode, which no name of this one leads to */
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

/*
 * turn goes up as a reader lets what it knows of files age: a number below
 * first_valid is not used any more, and its file is announced anew. Both stay 0
 * where nothing ages.
 */
u32 turn = 0;
u32 first_valid = 0;

static __always_inline bool aged(u32 id)
{
	return turn && (s32)(first_valid - id) > 0;
}

/* names_epoch is another one whenever names have to be looked at again. */
static __always_inline u32 names_epoch(void)
{
	return counters.epoch + turn;
}

static __always_inline void remember_inode(struct inode *inode, u32 id, bool tied)
{
	struct by_inode v = {
		.ino = BPF_CORE_READ(inode, i_ino),
		.generation = BPF_CORE_READ(inode, i_generation),
		.dev = BPF_CORE_READ(inode, i_sb, s_dev),
		.id = id,
		.tied = tied,
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

/* overlaid tells whether an inode is of an overlay. */
static __always_inline bool overlaid(struct inode *inode)
{
	return bpf_core_type_exists(struct ovl_inode) &&
	       READ(struct inode, inode, i_sb, s_magic) == OVERLAYFS_SUPER_MAGIC;
}

/*
 * real_dentry is the file that holds the data of an overlay's: of the upper
 * layer if the file is there, else of the first layer below; 0 if the file is
 * not of an overlay. It is verified by itself, and takes no pointer therefore.
 */
__noinline u64 real_dentry(u64 file)
{
	struct ovl_inode *o = (void *)file - bpf_core_field_offset(struct ovl_inode, vfs_inode);
	struct dentry *d;
	struct ovl_entry *e;

	if (!overlaid((void *)file))
		return 0;
	d = BPF_CORE_READ(o, __upperdentry);
	if (!d && bpf_core_field_exists(o->oe)) {
		e = BPF_CORE_READ(o, oe);
		if (BPF_CORE_READ(e, __numlower))
			d = BPF_CORE_READ(e, __lowerstack[0].dentry);
	}
	return (u64)d;
}

/* number_of is an address as a number, for what is verified by itself. */
static __always_inline u64 number_of(const void *address)
{
	u64 number;

	bpf_probe_read_kernel(&number, sizeof(number), &address);
	return number;
}

/* elsewhere tells whether the paths of a mount are not ours: it is in another namespace, or in none any more. */
__noinline int elsewhere(u64 mount)
{
	struct mount *m = (void *)mount - bpf_core_field_offset(struct mount, mnt);
	struct mnt_namespace *ns;

	if (!mount)
		return false;
	ns = BPF_CORE_READ(m, mnt_ns);
	if ((long)ns < 0 && (long)ns >= -4095) /* MNT_NS_INTERNAL: the kernel's own */
		return false;
	return !ns || BPF_CORE_READ(ns, ns.inum) != own_mounts;
}

/*
 * send_location sends the names of a file from the root of its file system on,
 * where no namespace counts. It is verified by itself, not on every way to it.
 */
__noinline int send_location(u64 dentry, u32 id)
{
	struct dentry *d = (void *)dentry;
	struct walk *w = walk(d, NULL, true);
	struct ident *r;
	u32 len;

	if (!d || !w)
		return 0;
	r = (void *)w + offsetof(struct scratch, ident) - offsetof(struct scratch, walk);
	__builtin_memset(r, 0, sizeof(*r));
	r->rec = REC_FILE;
	r->flags = w->flags | IDENT_FS_ROOT | IDENT_LOCATION;
	r->file = id;
	r->dev = BPF_CORE_READ(d, d_inode, i_sb, s_dev);
	r->time = bpf_ktime_get_ns();
	len = w->len;
	if (len > MAX_PATH + NAME_LEN)
		len = MAX_PATH + NAME_LEN;
	r->len = len;
	return emit(REC_FILE, r, sizeof(*r) + len);
}

/*
 * send_locations sends where a file on a mount of another namespace lies, and
 * where the file lies that holds an overlay's data.
 */
static __noinline void send_locations(struct dentry *d, struct vfsmount *mnt, struct inode *inode, u32 id)
{
	if (!elsewhere(number_of(mnt)))
		return;
	send_location(number_of(d), id);
	send_location(real_dentry(number_of(inode)), id);
}

/*
 * announce sends the identity of a file: inode, file system, names. Without a
 * mount the path ends at the root of its file system. Returns its number, 0 if
 * the record was lost (so that the next use tries again).
 */
static __noinline u32 announce(struct dentry *d, struct vfsmount *mnt, struct inode *inode, u64 *chain, u32 id)
{
	struct walk *w = walk(d, mnt, true);
	const char *fstype;
	struct ident *r;
	u32 len;

	if (!w)
		return 0;
	r = (void *)w + offsetof(struct scratch, ident) - offsetof(struct scratch, walk);
	r->rec = REC_FILE;
	r->flags = w->flags;
	if (d && !mnt)
		r->flags |= IDENT_FS_ROOT;
	if (elsewhere(number_of(mnt)))
		r->flags |= IDENT_ELSEWHERE;
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

/* place_mark tells an overlay's file from itself before it was copied up, too. */
static __noinline u64 place_mark(struct dentry *d, struct inode *inode)
{
	return mark(d, inode) ^ (overlaid(inode) ? real_dentry(number_of(inode)) : 0);
}

/*
 * place_number is the number of a (dentry, mount) pair. Before a file on a mount
 * of another namespace it sends where that lies, before an overlay's also where
 * the file lies that holds its data: not from announce, whose stack is full.
 */
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
	if (k && k->inode == (u64)inode && k->mark == place_mark(d, inode)) {
		if (k->epoch == names_epoch())
			return k->id;
		if (!aged(k->id) && unmoved(d, mnt, k->chain)) {
			if (k->epoch != NEVER)
				k->epoch = names_epoch();
			return k->id;
		}
	}
	if (!inode)
		return 0;
	/* eventfd, timerfd and their kind share an inode, which says nothing when a dentry is used again. */
	fresh.epoch = BPF_CORE_READ(inode, i_sb, s_magic) == ANON_INODE_FS_MAGIC ? NEVER : names_epoch();
	fresh.inode = (u64)inode;
	fresh.mark = place_mark(d, inode);
	fresh.id = new_number();
	send_locations(d, mnt, inode, fresh.id);
	fresh.id = announce(d, mnt, inode, &fresh.chain, fresh.id);
	if (!fresh.id)
		return 0;
	bpf_map_update_elem(&places, &key, &fresh, BPF_ANY);
	remember_inode(inode, fresh.id, false);
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
	    k->dev == READ(struct inode, inode, i_sb, s_dev) && (k->tied || !aged(k->id)))
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
	id = announce(d, NULL, inode, &chain, new_number());
	if (id)
		remember_inode(inode, id, false);
	return id;
}

static __always_inline u32 inode_id(struct inode *inode)
{
	return inode_number((u64)inode);
}

#endif /* IOTRACE_FILE_H */
