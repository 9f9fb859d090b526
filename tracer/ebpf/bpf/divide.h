/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What a file system writes of its own is divided between those who changed it, as its bio is queued. */
#ifndef IOTRACE_DIVIDE_H
#define IOTRACE_DIVIDE_H

/*
 * share_of_others tells which part of a bio others changed, as in bio_info.others. It
 * is verified by itself, as the next one is: in its caller it would be followed again
 * for each way there.
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

/* marks_of_log tells of a bio of a log that room was given back there, and nothing else was done: MARK_SPARE, else 0. */
__noinline u32 marks_of_log(u64 address)
{
	u64 buffer = (u64)READ(struct bio, (struct bio *)address, bi_private);

	return bpf_map_lookup_elem(&spare_writes, &buffer) ? MARK_SPARE : 0;
}

/* divide goes no ways of its own: what follows would be verified for each of them. */
static __always_inline void divide(struct bio_info *b, struct bio *bio)
{
	u64 address = 0;

	bpf_probe_read_kernel(&address, sizeof(address), &bio); /* such functions take no pointers with types */
	b->others = share_of_others(address);
	b->marks |= marks_of_log(address);
}

#endif /* IOTRACE_DIVIDE_H */
