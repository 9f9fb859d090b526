/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Requests: what is kept of one from its issue on, and the record that is made
 * of it when it completes, while its bios are still linked to it. They are keyed
 * by their address: two requests at one sector may be in flight together.
 */
#ifndef IOTRACE_REQUEST_H
#define IOTRACE_REQUEST_H

#define MAX_BIOS BOUND(512, 128) /* bios looked at per request: MAX_EXTENTS, for each may be of another place */

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

TABLE(request, rq_info, 13, 16384)

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

/*
 * How many completions on this CPU are in the middle of gathering their bios.
 * Before commit 05b24ff9b2cf ("bpf: Prevent bpf program recursion for raw
 * tracepoint probes", v6.1) a program is entered again in an interrupt, so the
 * copy does not tell which buffer is free.
 */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
} gathering SEC(".maps");

static __always_inline u32 rq_dev(struct request *rq)
{
	struct request___old *old = (void *)rq;

	if (bpf_core_field_exists(old->rq_disk)) {
		struct gendisk *d = BPF_CORE_READ(old, rq_disk);

		return BPF_CORE_READ(d, major) << 20 | BPF_CORE_READ(d, first_minor);
	}
	return disk_dev(UNTRUSTED(struct request, rq)->q->disk);
}

static __always_inline struct bio *rq_bio(struct request *rq)
{
	return UNTRUSTED(struct request, rq)->bio;
}

/* share_of adds to a request what is known of a bio's bytes. */
static __always_inline void share_of(struct one_req *r, struct bio_info *b, u32 bytes)
{
	u32 others;

	if (!b->others || b->file)
		return;
	others = (u64)bytes * (b->others - 1) / WHOLE;
	r->own += bytes - others;
	r->others += others;
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
	b = find_bio(key);
	bytes = READ(struct bio, bio, bi_iter.bi_size);
	g->bio = READ(struct bio, bio, bi_next);
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
	share_of((struct one_req *)r, b, bytes);
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
static __always_inline void gather_begun(struct req *r, struct request *rq)
{
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

static __always_inline void fill_request(struct req *r, struct rq_info *q, u32 status, u64 now)
{
	r->rec = REC_REQUEST;
	r->evidence = EV_NONE;
	r->marks = q->marks;
	r->status = status;
	r->opf = q->opf;
	r->queued = q->queued;
	r->issued = q->issued;
	r->completed = now;
	r->sector = q->sector;
	r->dev = q->dev;
	r->bytes = q->bytes;
	r->pid = q->pid;
	r->tid = q->tid;
	r->bios = 0;
	r->requeues = q->requeues;
	r->extents = 0;
	r->pad = 0;
	r->own = 0;
	r->others = 0;
}

/* from_bio adds what is known of the one bio of a request, or of a bio that is no request's. */
static __always_inline void from_bio(struct one_req *r, struct bio_info *b)
{
	r->queued = b->queued;
	r->evidence = b->evidence;
	r->marks = b->marks;
	r->pid = b->pid;
	r->tid = b->tid;
	r->ext.file = b->file;
	r->ext.off = b->off;
	share_of(r, b, r->bytes);
}

/* complete_one handles the usual request, which is one bio. */
static __always_inline void complete_one(struct bio *bio, struct rq_info *q, u32 status, u64 now)
{
	u64 key = (u64)bio;
	struct bio_info *b = find_bio(key);
	struct one_req *r = reserve(REC_REQUEST, sizeof(*r));

	if (!r)
		return;
	fill_request((struct req *)r, q, status, now);
	r->ext.bytes = q->bytes;
	r->ext.file = 0;
	r->ext.off = -1;
	r->bios = r->extents = 1;
	if (b && belongs(b, bio, q->dev, 0)) {
		from_bio(r, b);
		if (!status)
			forget_bio(b, key);
	}
	submit(r);
}

#endif /* IOTRACE_REQUEST_H */
