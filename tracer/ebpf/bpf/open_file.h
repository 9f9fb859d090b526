/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Open files: the one behind a descriptor, its number, and the inode that its
 * pages belong to.
 */
#ifndef IOTRACE_OPEN_FILE_H
#define IOTRACE_OPEN_FILE_H

#define FMODE_LSEEK 0x4
#define AT_FDCWD (-100)

static __always_inline struct file *file_of(struct task_struct *p, s32 fd)
{
	struct fdtable *fdt = TASK_POINTER(p, files, fdt);
	struct file **slot;

	if (fd < 0 || (u32)fd >= TASK_READ(fdt, max_fds))
		return NULL;
	slot = TASK_READ(fdt, fd) + (u32)fd;
	return (struct file *)READ(struct hlist_head, slot, first); /* any struct that begins with a pointer will do */
}

/*
 * pages_inode is the inode that the pages of an open file belong to, 0 if that
 * is its own. It is verified by itself, and takes no pointer therefore.
 */
__noinline u64 pages_inode(u64 file)
{
	struct file *f = (void *)file;
	struct inode *inode = BPF_CORE_READ(f, f_inode);
	struct dentry *real;

	if ((BPF_CORE_READ(inode, i_mode) & S_IFMT) == S_IFBLK)
		return (u64)BPF_CORE_READ(f, f_mapping, host);
	real = (void *)real_dentry((u64)inode);
	return real ? (u64)BPF_CORE_READ(real, d_inode) : 0;
}

/* remember_pages ties an open file to the inode that its pages belong to, where that is another one than its own. */
static __noinline void remember_pages(struct file *f, u32 id)
{
	u64 inode = pages_inode(number_of(f));

	if (inode)
		remember_inode((void *)inode, id, true);
	remember_handle(number_of(f), id);
}

/*
 * internal tells whether a file was opened by the kernel for itself, on a mount
 * that no namespace shows: an overlay does for the files it is made of.
 */
static __always_inline bool internal(struct file *f)
{
	struct mount *m = (void *)READ(struct file, f, f_path.mnt) - bpf_core_field_offset(struct mount, mnt);
	long ns = (long)READ(struct mount, m, mnt_ns);

	return ns <= 0 && ns >= -4095; /* none, or MNT_NS_INTERNAL */
}

/*
 * open_file_id is the number of an open file that comes without a descriptor,
 * through the task's memory of the last one. Nothing tells when such a file is
 * closed, so the dentry proves each time that it is the one that was looked at.
 */
static __always_inline u32 open_file_id(struct task *t, struct file *f)
{
	struct last_open *l = &t->last_open;
	struct vfsmount *mnt;
	struct inode *inode;
	struct dentry *d;
	u64 proof;
	u32 id;

	if (!f)
		return 0;
	d = READ(struct file, f, f_path.dentry);
	mnt = READ(struct file, f, f_path.mnt);
	inode = READ(struct dentry, d, d_inode);
	proof = address_hash((u64)READ(struct file, f, f_op)); /* eventfd and its kind share an inode */
	proof = mark(d, inode) ^ proof << 32 ^ address_hash((u64)mnt);
	if (l->file == (u64)f && l->dentry == (u64)d && l->inode == (u64)inode && l->mark == proof &&
	    l->epoch == names_epoch())
		return l->id;
	l->file = 0;
	l->epoch = names_epoch(); /* as it is before the file is looked at */
	id = place_id(d, mnt);
	if (id) {
		remember_pages(f, id);
		l->file = (u64)f;
		l->dentry = (u64)d;
		l->inode = (u64)inode;
		l->mark = proof;
		l->id = id;
	}
	return id;
}

/* remember_file looks up the number of an open file, and remembers it in place of the older one of another descriptor. */
static __noinline u32 remember_file(struct task *t, s32 fd, struct file *f)
{
	struct last_file *l = &t->last[0];
	struct dentry *d;
	u32 id;

	if (l->fd != fd)
		t->last[1] = *l;
	l->file = 0;
	l->epoch = names_epoch(); /* as they are before the file is looked at */
	l->closes = counters.closes;
	d = READ(struct file, f, f_path.dentry);
	id = place_id(d, READ(struct file, f, f_path.mnt));
	if (id) {
		remember_pages(f, id);
		l->file = (u64)f;
		l->dentry = (u64)d;
		l->fd = fd;
		l->id = id;
	}
	return id;
}

/*
 * file_id is the number of the open file behind a descriptor, through the task's
 * memory of the last two. The kernel uses the memory of an open file and of its
 * dentry again, also under the same descriptor, and another thread may have closed that.
 */
static __always_inline u32 file_id(struct task *t, s32 fd, struct file *f)
{
	u32 other = t->last[0].fd ^ fd;
	struct last_file *l = &t->last[(other | -other) >> 31 & 1]; /* without a branch for the verifier to follow */

	if (!f)
		return 0;
	if (l->file == (u64)f && l->dentry == (u64)READ(struct file, f, f_path.dentry) && l->fd == fd &&
	    l->epoch == names_epoch() && l->closes == counters.closes)
		return l->id;
	return remember_file(t, fd, f);
}

static __always_inline void forget_fd(struct task *t, s32 fd)
{
	if (t->last[0].fd == fd)
		t->last[0].file = 0;
	if (t->last[1].fd == fd)
		t->last[1].file = 0;
}

/* forget_shared makes the tasks forget that may share the descriptors of one, since it has closed some. */
static __always_inline void forget_shared(struct task_struct *p)
{
	if (TASK_POINTER(p, files, count.counter) > 1)
		__sync_fetch_and_add(&counters.closes, 1);
}

/* closes_fd makes all tasks forget a descriptor that is about to be closed. */
static __always_inline void closes_fd(struct task_struct *p, struct task *t, s32 fd)
{
	forget_fd(t, fd);
	forget_shared(p);
}

/* forget_fds is for calls that close any number of descriptors. */
static __always_inline void forget_fds(struct task_struct *p, struct task *t)
{
	t->last[0].file = t->last[1].file = 0;
	forget_shared(p);
}

/* dir_id is the number of the directory that a relative path starts from. */
static __always_inline u32 dir_id(struct task_struct *p, struct task *t, s32 dirfd)
{
	if (dirfd == AT_FDCWD)
		return place_id(TASK_POINTER(p, fs, pwd.dentry), TASK_POINTER(p, fs, pwd.mnt));
	return file_id(t, dirfd, file_of(p, dirfd));
}

#endif /* IOTRACE_OPEN_FILE_H */
