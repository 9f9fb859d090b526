/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Which file a bio is of: told when it is queued, in the context that submits
 * it and while its pages are pinned.
 */
#ifndef IOTRACE_ATTRIBUTION_H
#define IOTRACE_ATTRIBUTION_H

#define MAPPING_FLAGS 3UL /* low bits of the pointer */
#define MAPPING_ANON 1UL  /* anonymous and KSM pages */
#define BTRFS_SUPER_MAGIC 0x9123683E
#define FD_DIRECT (-2)       /* for a descriptor: the file system has announced the open file */
#define FD_BLOCK_DEVICE (-3) /* the open file of a block device is known by the bio's wrapper */
#define LOWEST_MASK (-(1L << 36)) /* of page.compound_info; the addresses of pages lie below */

static __always_inline struct page *head_of(struct page *page)
{
	struct page___info *p = (void *)page;
	unsigned long head;

	if (!bpf_core_field_exists(p->compound_info)) {
		head = BPF_CORE_READ(page, compound_head);
		return head & 1 ? (struct page *)(head - 1) : page;
	}
	head = BPF_CORE_READ(p, compound_info);
	if (!(head & 1))
		return page;
	if ((long)head > LOWEST_MASK)
		return (struct page *)((unsigned long)page & head);
	return (struct page *)(head - 1);
}

/*
 * blkdev_iocb reads the iocb from the wrapper of a direct bio on a block device,
 * io_uring's and libaio's among them. The proof that the bio sits in one: its
 * file is open on the device that the bio goes to.
 */
static __always_inline struct kiocb *blkdev_iocb(struct bio *bio)
{
	struct blkdev_dio *dio;
	struct inode *host;
	struct kiocb *iocb;

	if (!bpf_core_type_exists(struct blkdev_dio))
		return NULL;
	dio = (void *)bio - bpf_core_field_offset(struct blkdev_dio, bio);
	iocb = BPF_CORE_READ(dio, iocb);
	host = BPF_CORE_READ(iocb, ki_filp, f_mapping, host);
	if (!host || (BPF_CORE_READ(host, i_mode) & S_IFMT) != S_IFBLK || BPF_CORE_READ(host, i_rdev) != bio_dev(bio))
		return NULL;
	return iocb;
}

/* fd_in_use is the descriptor of the read or write in flight, -1 without one. */
static __always_inline s32 fd_in_use(struct task_struct *p, struct task *t)
{
	u32 shape = shapes[t->nr & (MAX_CALLS - 1)];

	if (!t->start || (shape != SHAPE_RW && shape != SHAPE_PRW && shape != SHAPE_RWV && shape != SHAPE_PRWV))
		return -1;
#ifdef LEGACY
	return t->fd;
#else
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(p);

	return ARG0(regs);
#endif
}

/* place_on_blkdev tells where a bio goes that a call on a block device makes. */
static __always_inline void place_on_blkdev(struct bio_info *b, struct bio *bio, struct file *f)
{
	struct inode *inode = READ(struct file, f, f_inode);

	if ((BPF_CORE_READ(inode, i_mode) & S_IFMT) == S_IFBLK && BPF_CORE_READ(inode, i_rdev) == bio_dev(bio))
		b->off = (b->sector - bio_start(bio)) << 9;
}

/*
 * by_call attributes a bio of user memory to the call that is submitting it: to
 * the file that iomap_dio_rw_begin told of, for file systems, of whatever call;
 * to that of the bio's wrapper; or to the descriptor of the read or write in flight.
 */
static __always_inline void by_call(struct bio_info *b, struct task_struct *p, struct bio *bio)
{
	struct task *t = current_task(p);
	s32 fd = FD_DIRECT;
	struct kiocb *iocb;
	struct file *f;

	if (!t)
		return;
	f = (struct file *)t->dio_file;
	if (!f || READ(struct file, f, f_inode, i_sb, s_dev) != bio_dev(bio)) {
		iocb = blkdev_iocb(bio);
		if (iocb) {
			fd = FD_BLOCK_DEVICE;
			f = BPF_CORE_READ(iocb, ki_filp);
			t->dio_file = (u64)f; /* the bios that follow have no such wrapper */
			t->dio_pos = BPF_CORE_READ(iocb, ki_pos);
		} else if (!f) {
			fd = fd_in_use(p, t);
			f = file_of(UNTRUSTED(struct task_struct, p), fd);
		}
	}
	if (!f)
		return;
	if (fd >= 0)
		b->file = file_id(t, fd, f);
	else if (fd == FD_DIRECT && internal(f))
		b->file = inode_id(BPF_CORE_READ(f, f_inode));
	else
		b->file = open_file_id(t, f);
	b->evidence = b->file ? EV_EXACT : EV_NONE;
	if (fd >= 0) {
		place_on_blkdev(b, bio, f);
		return;
	}
	if (fd == FD_DIRECT && bio->bi_flags >> (bio_cloned_bit & 15) & 1)
		return; /* made by a stacked device from one that was counted */
	b->off = t->dio_pos;
	t->dio_pos += bio->bi_iter.bi_size;
}

/* The task that called for direct I/O, if that is recorded. */
static __always_inline struct task_struct *recorded_caller(struct iomap_dio *dio)
{
	struct task_struct *caller = BPF_CORE_READ(dio, submit.waiter);

	return recorded((u64)caller) ? caller : NULL;
}

/* by_caller makes a bio that of a recorded task that called for it. */
static __always_inline void by_caller(struct bio_info *b, struct task_struct *caller)
{
	b->pid = BPF_CORE_READ(caller, tgid);
	b->tid = BPF_CORE_READ(caller, pid);
	b->marks |= MARK_TRACED;
}

/*
 * by_iomap attributes a bio of user memory of which the call that runs does not
 * tell: another task sends it on than made it, as the worker of a control group's
 * limit does, or the call is asynchronous and the kernel has no iomap_dio_rw_begin.
 * What its completion is told leads to the iocb and to who made the call; others'
 * direct I/O on a file stays others', and is let go after a look at one word. The
 * proof that it leads there: the file is on the device that the bio goes to. Where
 * in the file the bio goes can be told if nothing else of the same call was made
 * into bios yet.
 */
static __always_inline void by_iomap(struct bio_info *b, struct bio *bio)
{
	struct iomap_dio *dio = READ(struct bio, bio, bi_private);
	struct task_struct *caller;
	struct inode *inode;

	if (!bpf_core_type_exists(struct iomap_dio))
		return;
	caller = recorded_caller(dio);
	if (!caller)
		return;
	inode = BPF_CORE_READ(dio, iocb, ki_filp, f_inode);
	if (BPF_CORE_READ(inode, i_sb, s_dev) != bio_dev(bio))
		return;
	by_caller(b, caller);
	b->file = inode_id(inode);
	b->evidence = b->file ? EV_EXACT : EV_NONE;
	if (BPF_CORE_READ(dio, size) == bio->bi_iter.bi_size)
		b->off = BPF_CORE_READ(dio, iocb, ki_pos);
}

/*
 * by_btrfs reads the inode from btrfs's own wrapper of a bio: its direct and
 * compressed writes are submitted by workers, with pages that name no file.
 * The magic number of the superblock at the end of the chain is the proof that
 * the bio really sits in such a wrapper. Direct I/O keeps there what its completion
 * is told; the proof is the inode again. Pages of nobody, of which no completion is
 * told, hold compressed data.
 */
static __always_inline bool by_btrfs(struct bio_info *b, struct bio *bio, bool user)
{
	struct btrfs_bio *bbio = NULL;
	struct task_struct *caller;
	struct iomap_dio *dio;
	struct inode *inode;

	if (!bpf_core_field_exists(bbio->inode))
		return false;
	bbio = (void *)bio - bpf_core_field_offset(struct btrfs_bio, bio);
	inode = (void *)BPF_CORE_READ(bbio, inode);
	if (!inode)
		return false;
	inode = (void *)inode + bpf_core_field_offset(struct btrfs_inode, vfs_inode);
	if (BPF_CORE_READ(inode, i_sb, s_magic) != BTRFS_SUPER_MAGIC)
		return false;
	b->file = inode_id(inode);
	b->off = BPF_CORE_READ(bbio, file_offset);
	b->evidence = b->file ? EV_INODE : EV_NONE;
	dio = BPF_CORE_READ(bbio, private);
	if (!user && !dio && b->file)
		b->marks |= MARK_PACKED;
	if (user && bpf_core_type_exists(struct iomap_dio)) {
		caller = recorded_caller(dio);
		if (caller && BPF_CORE_READ(dio, iocb, ki_filp, f_inode) == inode)
			by_caller(b, caller);
	}
	return true;
}

/* How much of the current segment is behind us. */
static __always_inline u32 bvec_done(struct bio *bio)
{
	struct bvec_iter___offset *iter = (void *)&bio->bi_iter;

	if (bpf_core_field_exists(iter->bi_offset))
		return BPF_CORE_READ(iter, bi_offset);
	return bio->bi_iter.bi_bvec_done;
}

/*
 * Which file a page of the page cache belongs to, and where in it the page is:
 * of the first of those that belong together.
 */
static __always_inline unsigned long page_mapping(struct page *head)
{
#ifdef LEGACY
	if (!bpf_core_type_exists(struct folio))
		return (unsigned long)BPF_CORE_READ(head, mapping);
#endif
	return (unsigned long)BPF_CORE_READ((struct folio *)head, mapping);
}

static __always_inline unsigned long page_index(struct page *head)
{
#ifdef LEGACY
	if (!bpf_core_type_exists(struct folio))
		return BPF_CORE_READ((struct page___index *)head, index);
#endif
	return READ(struct folio, head, index);
}

/*
 * A page that comes back from swap has no mapping before it is there. The flags are
 * the first word of a page, whatever the kernel calls them.
 */
static __always_inline bool swapped(struct page *head)
{
	unsigned long flags = 0;

	bpf_probe_read_kernel(&flags, sizeof(flags), head);
	return flags >> page_swapbacked_bit & 1;
}

/* by_page attributes a bio to the file that its first page is of. */
static __always_inline void by_page(struct bio_info *b, struct bio *bio, struct bio_vec *vec, struct page *page,
				    struct page *head, unsigned long mapping)
{
	struct inode *inode = READ(struct address_space, mapping, host);
	u64 first;

	if (!inode || (unsigned long)inode + bpf_core_field_offset(struct inode, i_data) != mapping)
		return; /* no page of a page cache */
	b->file = inode_id(inode);
	if (!b->file)
		return;
	first = ((u64)page - (u64)head) / bpf_core_type_size(struct page);
	b->off = ((page_index(head) + first) << page_shift) + READ(struct bio_vec, vec, bv_offset) + bvec_done(bio);
	b->evidence = EV_INODE;
}

static __always_inline void attribute(struct bio_info *b, struct bio *bio, struct task_struct *p)
{
	bool pinned = bio_pinned_bit < 16 && (bio->bi_flags >> (bio_pinned_bit & 15) & 1);
	struct page *page, *head = NULL;
	unsigned long mapping = 0;
	struct bio_vec *vec;
	bool user;

	if (!pinned) {
		vec = UNTRUSTED(struct bio, bio)->bi_io_vec + bio->bi_iter.bi_idx;
		page = BPF_CORE_READ(vec, bv_page);
		if (!page)
			return;
		head = head_of(page);
		mapping = page_mapping(head);
		if (mapping && !(mapping & MAPPING_FLAGS)) {
			by_page(b, bio, vec, page, head, mapping);
			return;
		}
		/* A slab page, such as XFS has its metadata in, keeps a count or a poisoned link there, or half of each. */
		if (mapping && (!(mapping & MAPPING_ANON) || mapping >> 56 != 0xff))
			return;
	}
	user = pinned || mapping;
	if (user)
		by_call(b, p, bio);
	if (b->evidence == EV_NONE && !by_btrfs(b, bio, user) && user)
		by_iomap(b, bio);
	if (pinned || (mapping && b->evidence != EV_NONE))
		b->marks |= MARK_DIRECT;
	else if (b->evidence == EV_NONE && (mapping || swapped(head)))
		b->marks |= MARK_SWAP;
}

#endif /* IOTRACE_ATTRIBUTION_H */
