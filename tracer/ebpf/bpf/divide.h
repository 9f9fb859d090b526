/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What a file system writes of its own is divided between those who changed it, as its bio is queued. */
#ifndef IOTRACE_DIVIDE_H
#define IOTRACE_DIVIDE_H

static __always_inline void divide(struct bio_info *b, struct bio *bio)
{
	u64 buffer = (u64)READ(struct bio, bio, bi_private);
	struct changed *c = bpf_map_lookup_elem(&log_writes, &buffer), of = {};

	if (c)
		of = *c;
	else if (!changed_block(bio, &of))
		return;
	if (!of.own && !of.others)
		return;
	b->others = of.others * WHOLE / (of.own + of.others);
	b->marks |= MARK_DIVIDED;
}

#endif /* IOTRACE_DIVIDE_H */
