/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What a file system writes of its own is divided between those who changed it, as its bio is queued. */
#ifndef IOTRACE_DIVIDE_H
#define IOTRACE_DIVIDE_H

/*
 * share_of_others tells which part of a bio others changed, as in bio_info.others. It
 * is verified by itself: in its caller it would be followed again for each way there.
 */
__noinline u32 share_of_others(u64 address)
{
	struct bio *bio = (void *)address;
	u64 buffer = (u64)READ(struct bio, bio, bi_private);
	struct changed *c = bpf_map_lookup_elem(&log_writes, &buffer), of = {};

	if (c)
		of = *c;
	else if (!changed_block(bio, &of))
		return 0;
	if (!of.own && !of.others)
		return 0;
	return 1 + of.others * WHOLE / (of.own + of.others);
}

/* of_spare_room tells whether a bio writes of a log that room was given back, and nothing else. */
static __always_inline bool of_spare_room(struct bio *bio)
{
	u64 buffer = (u64)READ(struct bio, bio, bi_private);

	return bpf_map_lookup_elem(&spare_writes, &buffer);
}

/* divide goes no ways of its own: what follows would be verified for each of them. */
static __always_inline void divide(struct bio_info *b, struct bio *bio)
{
	u64 address = 0;

	bpf_probe_read_kernel(&address, sizeof(address), &bio); /* such a function takes no pointers with types */
	b->others = share_of_others(address);
	if (of_spare_room(bio))
		b->marks |= MARK_SPARE;
}

#endif /* IOTRACE_DIVIDE_H */
