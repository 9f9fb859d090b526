/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The life of a bio: queued, split, and completed. One of a device without
 * requests is recorded as a request of its own.
 */
#ifndef IOTRACE_BIO_BPF_H
#define IOTRACE_BIO_BPF_H

SEC("tp_btf/block_bio_queue")
int BLOCK_PROBE(block_bio_queue, struct bio *bio)
{
	struct task_struct *p = CURRENT();
	u64 id = PID_TGID(p), key = (u64)bio;
	struct bio_info b = { .off = -1 }, *stale;
	u32 op = bio->bi_opf & REQ_OP_MASK;

	b.queued = bpf_ktime_get_ns();
	b.pid = tgid_of(id);
	b.tid = (u32)id;
	b.sector = bio->bi_iter.bi_sector;
	b.bytes = bio->bi_iter.bi_size;
	b.opf = bio->bi_opf;
	b.dev = disk_dev(bio_disk(bio));
	nothing_of(IN_TASK); /* whoever asks for something is done with what was completed before */
	if (left_out(b.dev)) {
		drop_bio(key); /* of a bio that had this address before */
		return 0;
	}
	if (known_task(p))
		b.marks |= MARK_TRACED;
	if (bio->bi_ioprio >> IOPRIO_CLASS_SHIFT == IOPRIO_CLASS_IDLE)
		b.marks |= MARK_IDLE;
	if (!bio_disk(bio)->queue->mq_ops) {
		b.marks |= MARK_BIO;
		stale = find_bio(key);
		if (stale && stale->marks & MARK_BIO) /* used again */
			end_missed(stale->queued);
	}
	if (b.opf & REQ_META && op == REQ_OP_WRITE)
		divide(&b, bio);
	if (b.bytes && (op == REQ_OP_READ || op == REQ_OP_WRITE || op == REQ_OP_ZONE_APPEND))
		attribute(&b, bio, p);
	if (!keep_bio(key, &b) && b.marks & MARK_BIO)
		count_lost(REC_REQUEST);
	return 0;
}

/* The first part of a split bio is a new bio, chained to the rest of the old one. */
SEC("tp_btf/block_split")
int BLOCK_PROBE(block_split, struct bio *part)
{
	u64 key = (u64)part, rest = (u64)part->bi_private;
	u32 bytes = part->bi_iter.bi_size;
	struct bio_info *whole, b;

	whole = find_bio(rest);
	if (!whole || (!(whole->marks & MARK_BIO) && whole->sector != part->bi_iter.bi_sector)) {
		drop_bio(key); /* of a bio that had this address before */
		return 0;
	}
	b = *whole;
	b.bytes = bytes;
	keep_bio(key, &b);
	if (whole->off >= 0)
		whole->off += bytes;
	whole->sector += bytes >> 9;
	whole->bytes -= bytes;
	return 0;
}

static __always_inline int bio_complete(struct bio *bio)
{
	u64 key = (u64)bio;
	struct bio_info *b = find_bio(key), taken;
	struct rq_info rq = {};
	struct one_req *r;
	u64 now;

	if (!b)
		return 0;
	taken = *b;
	if (!drop_bio(key) || !(taken.marks & MARK_BIO))
		return 0;
	now = completes();
	r = reserve(REC_REQUEST, sizeof(*r));
	if (!r)
		return 0;
	rq.issued = taken.queued;
	rq.sector = taken.sector;
	rq.bytes = taken.bytes;
	rq.opf = taken.opf;
	rq.dev = taken.dev;
	fill_request((struct req *)r, &rq, bio->bi_status, now);
	r->ext.bytes = taken.bytes;
	from_bio(r, &taken);
	r->bios = r->extents = 1;
	submit(r);
	return 0;
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
	struct task *t = current_task(CURRENT());

	if (!t)
		return 0;
	t->dio_file = (u64)UNTRUSTED(struct kiocb, iocb)->ki_filp;
	t->dio_pos = iocb->ki_pos;
	return 0;
}

#endif /* IOTRACE_BIO_BPF_H */
