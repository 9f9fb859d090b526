/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Block layer. A bio gets its file when it is queued, in the context that
 * submits it and while its pages are pinned; a request gets its bios when it
 * completes, while they are still linked to it. Requests are keyed by their
 * address: two requests at one sector may be in flight together.
 */
#ifndef IOTRACE_BLOCK_H
#define IOTRACE_BLOCK_H

#define REQ_OP_MASK 0xff
#define REQ_OP_READ 0
#define REQ_OP_WRITE 1
#define REQ_OP_FLUSH 2
#define REQ_OP_ZONE_APPEND 7
#define REQ_FUA (1 << 17)
#define REQ_PREFLUSH (1 << 18)
#define MAPPING_FLAGS 3UL /* low bits of the pointer */
#define MAPPING_ANON 1UL  /* anonymous and KSM pages */
#define BTRFS_SUPER_MAGIC 0x9123683E
#define LOWEST_MASK (-(1L << 36)) /* of page.compound_info; the addresses of pages lie below */
#define MAX_BIOS 512 /* bios looked at per request: MAX_EXTENTS, for each may be of another place */

struct bio_info {
	u64 queued;
	u64 sector;
	s64 off;
	u32 file;
	u32 pid;
	u32 tid;
	u32 bytes; /* of a bio-based device's bio */
	u32 dev;
	u32 opf;
	u8 evidence;
	u8 marks;
	u8 pad[6];
};

/*
 * Not an LRU map, which costs three times as much to update: an entry goes when
 * the request that the bio is part of completes, or the bio itself. One whose
 * completion was missed stays until its address is used again; belongs() tells
 * it from that of the new bio. In a map that is full, a bio has no file.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536);
	__type(key, u64); /* struct bio * */
	__type(value, struct bio_info);
} bios SEC(".maps");

struct rq_info {
	u64 issued;
	u64 sector;
	u32 bytes;
	u32 opf;
	u16 requeues;
	u8 requeued; /* waits to be issued again */
	u8 begun;    /* a part of it has been completed */
	u32 dev;
	/* Of a flush, which has no bio: the first of the requests that wait for it. */
	u64 queued;
	u32 pid;
	u32 tid;
	u32 marks;
	u32 taken; /* all of it has been completed, and the record sent */
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, u64); /* struct request * */
	__type(value, struct rq_info);
} requests SEC(".maps");

/*
 * A probe that is interrupted on its CPU is not entered again: the kernel
 * skips it. Completions happen in process, soft and hard interrupt context, so
 * there are three copies of their programs, each with a buffer of its own: one
 * is always free. The first to run takes the request or bio out of its map,
 * and the others find nothing to do.
 */
#define LEVELS 3

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, LEVELS);
	__type(key, u32);
	__type(value, struct req);
} completions SEC(".maps");

static __always_inline u32 disk_dev(struct gendisk *disk)
{
	return (u32)disk->major << 20 | (u32)disk->first_minor;
}

static __always_inline u32 rq_dev(struct request *rq)
{
	struct request___old *old = (void *)rq;

	if (bpf_core_field_exists(old->rq_disk)) {
		struct gendisk *d = BPF_CORE_READ(old, rq_disk);

		return BPF_CORE_READ(d, major) << 20 | BPF_CORE_READ(d, first_minor);
	}
	return disk_dev(rq->q->disk);
}

/*
 * belongs tells whether an entry is about the bio as it is now, of which `done`
 * bytes are completed, rather than about one that had its address before. A bio
 * of a device without requests may have been sent on to another place (md,
 * multipath): there only kind and size can be compared.
 */
static __always_inline bool belongs(struct bio_info *b, struct bio *bio, u32 dev, u32 done)
{
	if (b->marks & MARK_BIO)
		return b->bytes == BPF_CORE_READ(bio, bi_iter.bi_size) + done &&
		       (b->opf & REQ_OP_MASK) == (BPF_CORE_READ(bio, bi_opf) & REQ_OP_MASK);
	return b->dev == dev && b->sector + (done >> 9) == BPF_CORE_READ(bio, bi_iter.bi_sector);
}

/*
 * forget_bio drops an entry with the request that held it. One that asked for a
 * flush is still needed: the flush behind its data is attributed by it.
 */
static __always_inline void forget_bio(struct bio_info *b, u64 key)
{
	if (!(b->opf & (REQ_PREFLUSH | REQ_FUA)))
		bpf_map_delete_elem(&bios, &key);
}

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
 * by_blkdev reads the iocb from the wrapper of a direct bio on a block device,
 * io_uring's and libaio's among them. The proof that the bio sits in one: its
 * file is open on the device that the bio goes to.
 */
static __always_inline bool by_blkdev(struct bio_info *b, struct task *t, struct bio *bio)
{
	struct blkdev_dio *dio;
	struct inode *host;
	struct kiocb *iocb;
	struct file *f;

	if (!bpf_core_type_exists(struct blkdev_dio))
		return false;
	dio = (void *)bio - bpf_core_field_offset(struct blkdev_dio, bio);
	iocb = BPF_CORE_READ(dio, iocb);
	f = BPF_CORE_READ(iocb, ki_filp);
	host = BPF_CORE_READ(f, f_mapping, host);
	if (!host || (BPF_CORE_READ(host, i_mode) & S_IFMT) != S_IFBLK ||
	    BPF_CORE_READ(host, i_rdev) != BPF_CORE_READ(bio, bi_bdev, bd_dev))
		return false;
	b->file = file_id(t, -4, f);
	b->off = BPF_CORE_READ(iocb, ki_pos);
	b->evidence = b->file ? EV_EXACT : EV_NONE;
	t->dio_file = (u64)f; /* the bios that follow have no such wrapper */
	t->dio_pos = b->off + bio->bi_iter.bi_size;
	return true;
}

/* by_fd attributes a bio to the descriptor of the read or write in flight. */
static __always_inline void by_fd(struct bio_info *b, struct task_struct *p, struct task *t, struct bio *bio)
{
	struct pt_regs *regs;
	struct inode *inode;
	struct file *f;
	u32 shape;
	s32 fd;

	if (!t->start)
		return;
	shape = shapes[t->nr & (MAX_CALLS - 1)];
	if (shape != SHAPE_RW && shape != SHAPE_PRW && shape != SHAPE_RWV && shape != SHAPE_PRWV)
		return;
	regs = (struct pt_regs *)bpf_task_pt_regs(p);
	fd = ARG0(regs);
	f = file_of(p, fd);
	b->file = file_id(t, fd, f);
	b->evidence = b->file ? EV_EXACT : EV_NONE;
	inode = FILE_READ(f, f_inode);
	if ((BPF_CORE_READ(inode, i_mode) & S_IFMT) == S_IFBLK && BPF_CORE_READ(inode, i_rdev) == bio->bi_bdev->bd_dev)
		b->off = (b->sector - bio->bi_bdev->bd_start_sect) << 9;
}

/*
 * by_call attributes a bio of user memory to the call that is submitting it.
 * iomap_dio_rw_begin tells the file, of whatever call, for file systems.
 */
static __always_inline void by_call(struct bio_info *b, struct task_struct *p, struct bio *bio)
{
	struct task *t = current_task(p);
	struct file *f;

	if (!t)
		return;
	f = (struct file *)t->dio_file;
	if ((!f || BPF_CORE_READ(f, f_inode, i_sb, s_dev) != bio->bi_bdev->bd_dev) && by_blkdev(b, t, bio))
		return;
	if (!f) {
		by_fd(b, p, t, bio);
		return;
	}
	if (internal(f))
		b->file = inode_id(BPF_CORE_READ(f, f_inode));
	else
		b->file = file_id(t, -3, f);
	b->evidence = b->file ? EV_EXACT : EV_NONE;
	if (bio->bi_flags >> (bio_cloned_bit & 15) & 1)
		return; /* made by a stacked device from one that was counted */
	b->off = t->dio_pos;
	t->dio_pos += bio->bi_iter.bi_size;
}

/*
 * by_btrfs reads the inode from btrfs's own wrapper of a bio: its direct and
 * compressed writes are submitted by workers, with pages that name no file.
 * The magic number of the superblock at the end of the chain is the proof that
 * the bio really sits in such a wrapper.
 */
static __always_inline bool by_btrfs(struct bio_info *b, struct bio *bio)
{
	struct btrfs_bio *bbio = NULL;
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

static __always_inline void attribute(struct bio_info *b, struct bio *bio, struct task_struct *p)
{
	struct page *page, *head;
	struct bio_vec *vec;
	struct folio *folio;
	unsigned long mapping;
	struct inode *inode;
	u64 first;

	if (bio_pinned_bit < 16 && (bio->bi_flags >> (bio_pinned_bit & 15) & 1)) {
		b->marks |= MARK_DIRECT;
		by_call(b, p, bio);
		if (b->evidence == EV_NONE)
			by_btrfs(b, bio);
		return;
	}
	vec = bio->bi_io_vec + bio->bi_iter.bi_idx;
	page = BPF_CORE_READ(vec, bv_page);
	if (!page)
		return;
	head = head_of(page);
	folio = (struct folio *)head;
	mapping = (unsigned long)BPF_CORE_READ(folio, mapping);
	if (mapping & MAPPING_FLAGS) {
		/* A slab page, such as XFS has its metadata in, keeps a count or a poisoned link there, or half of each. */
		if (!(mapping & MAPPING_ANON) || mapping >> 56 != 0xff)
			return;
		by_call(b, p, bio);
		if (b->evidence == EV_NONE)
			by_btrfs(b, bio);
		b->marks |= b->evidence == EV_NONE ? MARK_SWAP : MARK_DIRECT;
		return;
	}
	if (!mapping) {
		by_btrfs(b, bio);
		return;
	}
	inode = BPF_CORE_READ((struct address_space *)mapping, host);
	if (!inode || (unsigned long)inode + bpf_core_field_offset(struct inode, i_data) != mapping)
		return; /* no page of a page cache */
	b->file = inode_id(inode);
	if (!b->file)
		return;
	first = ((u64)page - (u64)head) / bpf_core_type_size(struct page);
	b->off = ((BPF_CORE_READ(folio, index) + first) << page_shift) + BPF_CORE_READ(vec, bv_offset) +
		 bvec_done(bio);
	b->evidence = EV_INODE;
}

SEC("tp_btf/block_bio_queue")
int PROBE(block_bio_queue, struct bio *bio)
{
	struct task_struct *p = bpf_get_current_task_btf();
	u64 id = bpf_get_current_pid_tgid(), key = (u64)bio;
	struct bio_info b = { .off = -1 }, *stale;
	u32 op = bio->bi_opf & REQ_OP_MASK;

	b.queued = bpf_ktime_get_ns();
	b.pid = tgid_of(id);
	b.tid = (u32)id;
	b.sector = bio->bi_iter.bi_sector;
	b.bytes = bio->bi_iter.bi_size;
	b.opf = bio->bi_opf;
	b.dev = disk_dev(bio->bi_bdev->bd_disk);
	if (known_task(p))
		b.marks |= MARK_TRACED;
	if (!bio->bi_bdev->bd_disk->queue->mq_ops) {
		b.marks |= MARK_BIO;
		stale = bpf_map_lookup_elem(&bios, &key);
		if (stale && stale->marks & MARK_BIO) /* used again: its last completion was not seen */
			count_lost(REC_REQUEST);
	}
	if (b.bytes && (op == REQ_OP_READ || op == REQ_OP_WRITE || op == REQ_OP_ZONE_APPEND))
		attribute(&b, bio, p);
	if (bpf_map_update_elem(&bios, &key, &b, BPF_ANY) && b.marks & MARK_BIO)
		count_lost(REC_REQUEST);
	return 0;
}

/* The first part of a split bio is a new bio, chained to the rest of the old one. */
SEC("tp_btf/block_split")
int PROBE(block_split, struct bio *part)
{
	u64 key = (u64)part, rest = (u64)part->bi_private;
	u32 bytes = part->bi_iter.bi_size;
	struct bio_info *whole, b;

	whole = bpf_map_lookup_elem(&bios, &rest);
	if (!whole || (!(whole->marks & MARK_BIO) && whole->sector != part->bi_iter.bi_sector)) {
		bpf_map_delete_elem(&bios, &key); /* of a bio that had this address before */
		return 0;
	}
	b = *whole;
	b.bytes = bytes;
	bpf_map_update_elem(&bios, &key, &b, BPF_ANY);
	if (whole->off >= 0)
		whole->off += bytes;
	whole->sector += bytes >> 9;
	whole->bytes -= bytes;
	return 0;
}

struct gather {
	struct req *r;
	struct bio *bio;
	bool begun; /* the first bio may be done in part */
};

/* gather_bio adds the next bio of a request to its extents. */
static long gather_bio(u32 i, struct gather *g)
{
	struct req *r = g->r;
	struct bio *bio = g->bio;
	u64 key = (u64)bio;
	struct bio_info *b, own = { .off = -1 };
	u32 bytes, n, done;
	struct extent *e;
	s64 off;

	if (!key)
		return 1;
	b = bpf_map_lookup_elem(&bios, &key);
	bytes = BPF_CORE_READ(bio, bi_iter.bi_size);
	g->bio = BPF_CORE_READ(bio, bi_next);
	r->bios++;
	done = b && g->begun && r->bios == 1 && b->bytes > bytes ? b->bytes - bytes : 0;
	if (b && belongs(b, bio, r->dev, done)) {
		own = *b;
		if (!r->status) /* else a part of it may be tried again */
			forget_bio(b, key);
	}
	b = &own;
	off = b->off;
	if (off >= 0)
		off += done;
	if (b->queued && (!r->queued || b->queued < r->queued))
		r->queued = b->queued;
	r->marks |= b->marks;
	if (r->bios == 1) {
		r->pid = b->pid;
		r->tid = b->tid;
	}
	if (b->evidence && (!r->evidence || b->evidence > r->evidence))
		r->evidence = b->evidence;
	n = r->extents;
	if (n) {
		e = &r->ext[(n - 1) & (MAX_EXTENTS - 1)];
		if (e->file == b->file && (off < 0 ? e->off < 0 : e->off + e->bytes == off)) {
			e->bytes += bytes;
			return 0;
		}
		if (n >= MAX_EXTENTS) {
			e->file = 0; /* too scattered: the rest is not attributed */
			e->off = -1;
			e->bytes += bytes;
			return 0;
		}
	}
	e = &r->ext[n & (MAX_EXTENTS - 1)];
	e->file = b->file;
	e->off = off;
	e->bytes = bytes;
	r->extents = n + 1;
	return 0;
}

/* gather_begun stands for the bios of a request that were completed before the last of them. */
static __always_inline void gather_begun(struct gather *g, struct request *rq)
{
	struct req *r = g->r;

	g->begun = true;
	if (r->bytes <= rq->__data_len)
		return;
	r->ext[0].file = 0;
	r->ext[0].off = -1;
	r->ext[0].bytes = r->bytes - rq->__data_len;
	r->extents = 1;
}

static __always_inline void send_request(struct req *r)
{
	u32 n = r->extents;

	if (n > MAX_EXTENTS)
		n = MAX_EXTENTS;
	emit(REC_REQUEST, r, sizeof(*r) - sizeof(r->ext) + n * sizeof(r->ext[0]));
}

static __always_inline void fill_request(struct req *r, struct rq_info *q, u32 status)
{
	r->rec = REC_REQUEST;
	r->evidence = EV_NONE;
	r->marks = q->marks;
	r->status = status;
	r->opf = q->opf;
	r->queued = q->queued;
	r->issued = q->issued;
	r->completed = bpf_ktime_get_ns();
	r->sector = q->sector;
	r->dev = q->dev;
	r->bytes = q->bytes;
	r->pid = q->pid;
	r->tid = q->tid;
	r->bios = 0;
	r->requeues = q->requeues;
	r->extents = 0;
	r->pad = 0;
}

/* complete_one handles the usual request, which is one bio. */
static __always_inline void complete_one(struct request *rq, struct rq_info *q, u32 status)
{
	struct bio *bio = rq->bio;
	u64 key = (u64)bio;
	struct bio_info *b = bpf_map_lookup_elem(&bios, &key);
	struct one_req *r = reserve(REC_REQUEST, sizeof(*r));

	if (!r)
		return;
	fill_request((struct req *)r, q, status);
	r->ext.bytes = q->bytes;
	r->ext.file = 0;
	r->ext.off = -1;
	r->bios = r->extents = 1;
	if (b && belongs(b, bio, q->dev, 0)) {
		r->queued = b->queued;
		r->evidence = b->evidence;
		r->marks = b->marks;
		r->pid = b->pid;
		r->tid = b->tid;
		r->ext.file = b->file;
		r->ext.off = b->off;
		if (!status)
			forget_bio(b, key);
	}
	submit(r);
}

/*
 * Without an entry a request was issued before recording began, or is the last
 * step of the flush machinery, or its issue was missed.
 */
static __always_inline void not_issued(struct request *rq)
{
	struct bio *bio = rq->bio;

	if (rq->start_time_ns > begun && !(bio && bio->bi_opf & (REQ_PREFLUSH | REQ_FUA)))
		count_lost(REC_REQUEST);
}

/* An entry that is about another request: the end of that and the beginning of this one were missed. */
static __always_inline bool used_again(struct rq_info *q, struct request *rq)
{
	if (q->begun || (q->opf & REQ_OP_MASK) == REQ_OP_ZONE_APPEND)
		return false; /* the sector has changed on the way */
	return q->sector != rq->__sector || q->dev != rq_dev(rq);
}

/* The last copy drops the entry: until then it tells that an earlier one has taken the request. */
static __always_inline int rq_complete(u32 level, struct request *rq, u32 status, u32 bytes)
{
	u64 key = (u64)rq;
	struct rq_info *q = bpf_map_lookup_elem(&requests, &key);
	bool whole = bytes >= rq->__data_len;
	struct gather g = {};

	if (!q) {
		if (level == LEVELS - 1 && whole && !status)
			not_issued(rq);
		return 0;
	}
	if (q->taken)
		goto out;
	if (!whole && !status) {
		q->begun = 1; /* a part of it: the rest follows */
		return 0;
	}
	q->taken = 1;
	if (used_again(q, rq)) {
		count_lost(REC_REQUEST);
		not_issued(rq);
		goto out;
	}
	if (rq->bio && !rq->bio->bi_next && !q->begun) {
		complete_one(rq, q, status);
		goto out;
	}
	g.r = bpf_map_lookup_elem(&completions, &level);
	if (!g.r)
		goto out;
	fill_request(g.r, q, status);
	if (q->begun)
		gather_begun(&g, rq);
	g.bio = rq->bio;
	bpf_loop(MAX_BIOS, gather_bio, &g, 0);
	send_request(g.r);
out:
	if (level == LEVELS - 1)
		bpf_map_delete_elem(&requests, &key);
	return 0;
}

static __always_inline int bio_complete(struct bio *bio)
{
	u64 key = (u64)bio;
	struct bio_info *b = bpf_map_lookup_elem(&bios, &key), taken;
	struct one_req *r;

	if (!b)
		return 0;
	taken = *b;
	if (bpf_map_delete_elem(&bios, &key) || !(taken.marks & MARK_BIO))
		return 0;
	r = reserve(REC_REQUEST, sizeof(*r));
	if (!r)
		return 0;
	r->rec = REC_REQUEST;
	r->evidence = taken.evidence;
	r->marks = taken.marks;
	r->status = bio->bi_status;
	r->opf = taken.opf;
	r->queued = r->issued = taken.queued;
	r->completed = bpf_ktime_get_ns();
	r->sector = taken.sector;
	r->dev = taken.dev;
	r->bytes = taken.bytes;
	r->pid = taken.pid;
	r->tid = taken.tid;
	r->bios = 1;
	r->requeues = 0;
	r->extents = 1;
	r->pad = 0;
	r->ext.file = taken.file;
	r->ext.off = taken.off;
	r->ext.bytes = taken.bytes;
	submit(r);
	return 0;
}

/*
 * flushed_for finds out who a flush is for. The block layer makes one flush of
 * its own for all requests that ask for one at a time; they wait in a list
 * (blk-flush.c). Commit 81ada09cc25e (v6.6) links them by queuelist.
 */
static __always_inline void flushed_for(struct rq_info *q, struct request *rq)
{
	struct blk_flush_queue *fq = rq->mq_hctx->fq;
	struct list_head *list, *first;
	struct bio_info *b;
	struct request *waiting;
	struct bio *bio;
	u64 key;

	if (!bpf_core_field_exists(rq->queuelist) || bpf_core_field_exists(((struct request___flush *)rq)->flush.list))
		return;
	list = BPF_CORE_READ_BITFIELD_PROBED(fq, flush_running_idx) ? &fq->flush_queue[1] : &fq->flush_queue[0];
	first = BPF_CORE_READ(list, next);
	if (!first || first == list)
		return;
	waiting = (void *)first - bpf_core_field_offset(struct request, queuelist);
	bio = BPF_CORE_READ(waiting, bio);
	key = bio ? (u64)bio : (u64)BPF_CORE_READ(waiting, biotail);
	b = bpf_map_lookup_elem(&bios, &key);
	if (!b)
		return;
	q->pid = b->pid;
	q->tid = b->tid;
	q->marks = b->marks & MARK_TRACED;
	if (bio) /* else its data was written in between */
		q->queued = b->queued;
}

/*
 * A request may be issued from an interrupt in the middle of issuing another:
 * there are copies of this program too, which run in the order of their names.
 * The mark of the last request that this CPU has issued spares them the look-up
 * that proves it was seen.
 */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u64);
} last_issued SEC(".maps");

static __always_inline int rq_issue(u32 level, struct request *rq)
{
	struct rq_info fresh = {}, *q;
	u64 key = (u64)rq, *last;
	u32 zero = 0;

	last = bpf_map_lookup_elem(&last_issued, &zero);
	if (!last)
		return 0;
	if (level && *last == key) {
		if (level == LEVELS - 1)
			*last = 0;
		return 0;
	}
	q = bpf_map_lookup_elem(&requests, &key);
	if (q && q->taken) /* the last copy of its completion was skipped */
		q = NULL;
	if (level && q && !q->requeued)
		return 0;
	if (q && q->requeued) /* the driver had sent it back */
		fresh.requeues = q->requeues;
	else if (q && !q->begun) /* used again: its last completion was not seen */
		count_lost(REC_REQUEST);
	fresh.sector = rq->__sector;
	fresh.bytes = rq->__data_len;
	if (q && q->begun) { /* and had done a part of it */
		fresh.sector = q->sector;
		fresh.bytes = q->bytes;
		fresh.begun = 1;
	}
	fresh.opf = rq->cmd_flags;
	fresh.dev = rq_dev(rq);
	if ((fresh.opf & REQ_OP_MASK) == REQ_OP_FLUSH)
		flushed_for(&fresh, rq);
	fresh.issued = bpf_ktime_get_ns();
	if (bpf_map_update_elem(&requests, &key, &fresh, BPF_ANY))
		count_lost(REC_REQUEST);
	*last = level == LEVELS - 1 ? 0 : key;
	return 0;
}

SEC("tp_btf/block_rq_issue")
int PROBE(block_rq_issue, struct request *rq)
{
	return rq_issue(0, rq);
}

SEC("tp_btf/block_rq_issue")
int PROBE(block_rq_issue_2, struct request *rq)
{
	return rq_issue(1, rq);
}

SEC("tp_btf/block_rq_issue")
int PROBE(block_rq_issue_3, struct request *rq)
{
	return rq_issue(2, rq);
}

/* The bios of a merged request go to the one it is merged into. */
SEC("tp_btf/block_rq_merge")
int PROBE(block_rq_merge, struct request *rq)
{
	u64 key = (u64)rq;

	bpf_map_delete_elem(&requests, &key);
	return 0;
}

SEC("tp_btf/block_rq_requeue")
int PROBE(block_rq_requeue, struct request *rq)
{
	u64 key = (u64)rq;
	struct rq_info *q = bpf_map_lookup_elem(&requests, &key);

	if (q) {
		q->requeues++;
		q->requeued = 1;
	}
	return 0;
}

SEC("tp_btf/block_rq_complete")
int PROBE(block_rq_complete, struct request *rq, u32 status, unsigned int bytes)
{
	return rq_complete(0, rq, status, bytes);
}

SEC("tp_btf/block_rq_complete")
int PROBE(block_rq_complete_2, struct request *rq, u32 status, unsigned int bytes)
{
	return rq_complete(1, rq, status, bytes);
}

SEC("tp_btf/block_rq_complete")
int PROBE(block_rq_complete_3, struct request *rq, u32 status, unsigned int bytes)
{
	return rq_complete(2, rq, status, bytes);
}

SEC("tp_btf/block_bio_complete")
int PROBE(block_bio_complete, struct request_queue *q, struct bio *bio)
{
	return bio_complete(bio);
}

/* The further copies see to it that no bio of a device without requests is missed. */
SEC("tp_btf/block_bio_complete")
int PROBE(block_bio_complete_2, struct request_queue *q, struct bio *bio)
{
	return q->mq_ops ? 0 : bio_complete(bio);
}

SEC("tp_btf/block_bio_complete")
int PROBE(block_bio_complete_3, struct request_queue *q, struct bio *bio)
{
	return q->mq_ops ? 0 : bio_complete(bio);
}

/* The iocb behind the bios of a direct read or write that follow on this task. */
SEC("tp_btf/iomap_dio_rw_begin")
int PROBE(iomap_dio_rw_begin, struct kiocb *iocb)
{
	struct task *t = current_task(bpf_get_current_task_btf());

	if (!t)
		return 0;
	t->dio_file = (u64)iocb->ki_filp;
	t->dio_pos = iocb->ki_pos;
	return 0;
}

#endif /* IOTRACE_BLOCK_H */
