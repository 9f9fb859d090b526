/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Flushes: the block layer's own, each for several requests that asked for one. */
#ifndef IOTRACE_FLUSH_H
#define IOTRACE_FLUSH_H

/*
 * flushed_for finds out who a flush is for. The block layer makes one flush of
 * its own for all requests that ask for one at a time; they wait in a list
 * (blk-flush.c), linked by queuelist since Linux 6.6.
 */
static __always_inline void flushed_for(struct rq_info *q, struct request *rq)
{
	struct blk_flush_queue *fq = UNTRUSTED(struct request, rq)->mq_hctx->fq;
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
	b = find_bio(key);
	if (!b)
		return;
	q->pid = b->pid;
	q->tid = b->tid;
	q->marks = b->marks & MARK_TRACED;
	if (bio) /* else its data was written in between */
		q->queued = b->queued;
}

#endif /* IOTRACE_FLUSH_H */
