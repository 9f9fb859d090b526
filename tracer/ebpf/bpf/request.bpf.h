/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The life of a request: issued, merged, sent back by the driver, and completed. */
#ifndef IOTRACE_REQUEST_BPF_H
#define IOTRACE_REQUEST_BPF_H

/* A request with data that asks for a flush too is completed once more, as the last step of the flush machinery. */
static __always_inline bool ends_twice(struct request *rq)
{
	struct bio *bio = rq_bio(rq);

	return bio && bio->bi_opf & (REQ_PREFLUSH | REQ_FUA);
}

/*
 * Without an entry a request was issued before recording began, or is that last
 * step, or its issue was missed, or there was no room for it.
 */
static __always_inline void not_issued(struct request *rq)
{
	if (rq->start_time_ns > begun && !ends_twice(rq))
		count_lost(REC_REQUEST);
}

/* An entry that is about another request: the end of that and the beginning of this one were missed. */
static __always_inline bool used_again(struct rq_info *q, struct request *rq)
{
	if (q->begun || (q->opf & REQ_OP_MASK) == REQ_OP_ZONE_APPEND)
		return false; /* the sector has changed on the way */
	return q->sector != rq->__sector || q->dev != rq_dev(rq);
}

/* gather_all handles a request of several bios, or one that was completed in parts. */
static __always_inline void gather_all(struct request *rq, struct rq_info *q, u32 status, u64 now)
{
	struct gather g = { .begun = q->begun };
	u32 zero = 0, deep, *others;

	others = bpf_map_lookup_elem(&gathering, &zero);
	if (!others)
		return;
	deep = *others;
	g.r = bpf_map_lookup_elem(&completions, &deep);
	if (!g.r) {
		count_lost(REC_REQUEST);
		return;
	}
	*others = deep + 1;
	fill_request(g.r, q, status, now);
	if (g.begun)
		gather_begun(g.r, rq);
	g.bio = rq_bio(rq);
	LOOP(MAX_BIOS, MAX_BIOS, gather_bio, &g);
	send_request(g.r);
	*others = deep;
}

/* The last copy drops the entry: until then it tells that an earlier one has taken the request. */
static __always_inline int rq_complete(u32 level, struct request *rq, u32 status, u32 bytes)
{
	u64 key = (u64)rq;
	struct rq_info *q = find_request(key);
	bool whole = bytes >= rq->__data_len;
	struct bio *bio;
	u64 now;

	if (!q) {
		if (!ends_twice(rq)) /* else the flush that it waited for completes */
			note(BY_UNKNOWN, 0);
		if (level == LEVELS - 1 && whole && !status && !left_out(rq_dev(rq)))
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
		note(BY_UNKNOWN, 0);
		end_missed(q->issued);
		not_issued(rq);
		goto out;
	}
	now = completes();
	bio = rq_bio(rq);
	if (bio && !bio->bi_next && !q->begun) {
		complete_one(bio, q, status, now);
		goto out;
	}
	gather_all(rq, q, status, now);
out:
	if (level == LEVELS - 1)
		drop_request(key);
	return 0;
}

/*
 * A request may be issued from an interrupt in the middle of issuing another:
 * there are copies of this program too, which run in the order of their names.
 */
static __always_inline int rq_issue(u32 level, struct request *rq)
{
	u64 key = (u64)rq;
	struct rq_info fresh = {}, *q;

	fresh.dev = rq_dev(rq);
	if (left_out(fresh.dev))
		return 0;
	q = find_request(key);
	if (q && q->taken) /* the last copy of its completion was skipped */
		q = NULL;
	if (level && q && !q->requeued)
		return 0;
	if (q && q->requeued) /* the driver had sent it back */
		fresh.requeues = q->requeues;
	else if (q && !q->begun) /* used again */
		end_missed(q->issued);
	fresh.sector = rq->__sector;
	fresh.bytes = rq->__data_len;
	if (q && q->begun) { /* and had done a part of it */
		fresh.sector = q->sector;
		fresh.bytes = q->bytes;
		fresh.begun = 1;
	}
	fresh.opf = rq->cmd_flags;
	if ((fresh.opf & REQ_OP_MASK) == REQ_OP_FLUSH)
		flushed_for(&fresh, rq);
	fresh.issued = bpf_ktime_get_ns();
	if (!keep_request(key, &fresh) && level == LEVELS - 1 && ends_twice(rq))
		count_lost(REC_REQUEST); /* the others are counted when they complete */
	return 0;
}

SEC("tp_btf/block_rq_issue")
int BLOCK_PROBE(block_rq_issue, struct request *rq)
{
	return rq_issue(0, rq);
}

SEC("tp_btf/block_rq_issue")
int BLOCK_PROBE(block_rq_issue_2, struct request *rq)
{
	return rq_issue(1, rq);
}

SEC("tp_btf/block_rq_issue")
int BLOCK_PROBE(block_rq_issue_3, struct request *rq)
{
	return rq_issue(2, rq);
}

/* The bios of a merged request go to the one it is merged into. */
SEC("tp_btf/block_rq_merge")
int BLOCK_PROBE(block_rq_merge, struct request *rq)
{
	u64 key = (u64)rq;

	drop_request(key);
	return 0;
}

SEC("tp_btf/block_rq_requeue")
int BLOCK_PROBE(block_rq_requeue, struct request *rq)
{
	u64 key = (u64)rq;
	struct rq_info *q = find_request(key);

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

#endif /* IOTRACE_REQUEST_BPF_H */
