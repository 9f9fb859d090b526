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
#define FMODE_LSEEK 0x4
#define OVERLAYFS_SUPER_MAGIC 0x794c7630
#define MAX_DEPTH BOUND(4096, 64) /* names and mounts on one path: MAX_PATH bytes hold half as many names */
#define NAME_LEN 256
#define AT_FDCWD (-100)

/* Stand for a descriptor where an operation comes with the open file alone. */
enum {
	FD_URING = -2,        /* of an io_uring operation */
	FD_DIRECT = -3,       /* of direct I/O, as the file system announces it */
	FD_BLOCK_DEVICE = -4, /* of direct I/O on a block device */
};

#ifndef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif

struct place {
	u64 dentry;
	u64 mnt;
};

struct known {
	u64 chain; /* hash over the names up to the root */
	u64 ino;
	u64 inode;
	u32 id;
	u32 epoch;
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
	u32 epoch; /* goes up with every rename by a recorded task */
};

struct counters counters = {};

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

/* place_id is the number of a (dentry, mount) pair. */
SHARED u32 place_number(u64 dentry, u64 mount)
{
	struct dentry *d = (void *)dentry;
	struct vfsmount *mnt = (void *)mount;
	struct place key = { .dentry = dentry, .mnt = mount };
	struct known *k, fresh = {};
	struct walk *w;
	struct inode *inode;

	if (!d)
		return 0;
	inode = BPF_CORE_READ(d, d_inode);
	k = bpf_map_lookup_elem(&places, &key);
	if (k && k->inode == (u64)inode && k->ino == BPF_CORE_READ(inode, i_ino)) {
		if (k->epoch == counters.epoch)
			return k->id;
		w = walk(d, mnt, false);
		if (w && w->chain == k->chain) {
			k->epoch = counters.epoch;
			return k->id;
		}
	}
	if (!inode)
		return 0;
	fresh.epoch = counters.epoch;
	fresh.inode = (u64)inode;
	fresh.ino = BPF_CORE_READ(inode, i_ino);
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
	if (k && k->ino == BPF_CORE_READ(inode, i_ino) &&
	    k->generation == BPF_CORE_READ(inode, i_generation) &&
	    k->dev == BPF_CORE_READ(inode, i_sb, s_dev))
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

/*
 * Pointers that come out of arrays have no type, so the verifier lets them be
 * read only through a helper call. bpf_rdonly_cast (v6.2) gives them one, which
 * turns each read into a single load: a third of the cost of recording a call.
 */
extern void *bpf_rdonly_cast(const void *obj, u32 btf_id) __ksym __weak;

#ifdef LEGACY
#define CAN_CAST false
#else
#define CAN_CAST bpf_rdonly_cast
#endif
#define TYPED(type, p) ((type *)bpf_rdonly_cast((p), bpf_core_type_id_kernel(type)))
#define FILE_READ(f, field) (CAN_CAST ? TYPED(struct file, f)->field : BPF_CORE_READ(f, field))

static __always_inline struct file *file_of(struct task_struct *p, s32 fd)
{
	struct fdtable *fdt = TASK_READ(p, files, fdt);
	struct file *f = NULL;
	struct file **slot;

	if (fd < 0 || (u32)fd >= TASK_READ(fdt, max_fds))
		return NULL;
	slot = TASK_READ(fdt, fd) + (u32)fd;
	if (CAN_CAST) /* any struct whose first member is a pointer will do */
		return (struct file *)TYPED(struct hlist_head, slot)->first;
	bpf_probe_read_kernel(&f, sizeof(f), slot);
	return f;
}

/*
 * real_inode is the inode that holds the data of an overlay's file: of the upper
 * layer if the file is there, else of the first layer below.
 */
static __always_inline struct inode *real_inode(struct inode *inode)
{
	struct ovl_inode *o = (void *)inode - bpf_core_field_offset(struct ovl_inode, vfs_inode);
	struct dentry *d = BPF_CORE_READ(o, __upperdentry);
	struct ovl_entry *e;

	if (!d && bpf_core_field_exists(o->oe)) {
		e = BPF_CORE_READ(o, oe);
		if (BPF_CORE_READ(e, __numlower))
			d = BPF_CORE_READ(e, __lowerstack[0].dentry);
	}
	return d ? BPF_CORE_READ(d, d_inode) : NULL;
}

/* remember_pages ties an open file to the inode that its pages belong to, where that is another one than its own. */
static __noinline void remember_pages(struct file *f, u32 id)
{
	struct inode *inode = BPF_CORE_READ(f, f_inode);

	if ((BPF_CORE_READ(inode, i_mode) & S_IFMT) == S_IFBLK)
		inode = BPF_CORE_READ(f, f_mapping, host);
	else if (bpf_core_type_exists(struct ovl_inode) && BPF_CORE_READ(inode, i_sb, s_magic) == OVERLAYFS_SUPER_MAGIC)
		inode = real_inode(inode);
	else
		return;
	if (inode)
		remember_inode(inode, id);
}

/*
 * internal tells whether a file was opened by the kernel for itself, on a mount
 * that no namespace shows: an overlay does for the files it is made of.
 */
static __always_inline bool internal(struct file *f)
{
	struct mount *m = (void *)FILE_READ(f, f_path.mnt) - bpf_core_field_offset(struct mount, mnt);
	long ns = (long)(CAN_CAST ? TYPED(struct mount, m)->mnt_ns : BPF_CORE_READ(m, mnt_ns));

	return ns <= 0 && ns >= -4095; /* none, or MNT_NS_INTERNAL */
}

/* file_id is the number of an open file, through the task's memory of the last two. */
static __always_inline u32 file_id(struct task *t, s32 fd, struct file *f)
{
	struct last_file *l = &t->last[fd & 1];
	struct dentry *d;
	u32 id;

	if (!f)
		return 0;
	d = FILE_READ(f, f_path.dentry);
	if (l->file == (u64)f && l->dentry == (u64)d && l->fd == fd && l->epoch == counters.epoch)
		return l->id;
	id = place_id(d, FILE_READ(f, f_path.mnt));
	if (id) {
		remember_pages(f, id);
		l->file = (u64)f;
		l->dentry = (u64)d;
		l->fd = fd;
		l->id = id;
		l->epoch = counters.epoch;
	}
	return id;
}

static __always_inline void forget_fd(struct task *t, s32 fd)
{
	t->last[fd & 1].file = 0;
}

/* dir_id is the number of the directory that a relative path starts from. */
static __always_inline u32 dir_id(struct task_struct *p, struct task *t, s32 dirfd)
{
	if (dirfd == AT_FDCWD)
		return place_id(TASK_READ(p, fs, pwd.dentry), TASK_READ(p, fs, pwd.mnt));
	return file_id(t, dirfd, file_of(p, dirfd));
}

#endif /* IOTRACE_FILE_H */
