/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Bios: which disk one goes to, and what is kept of it from when it is queued
 * until its request, or the bio itself, completes.
 */
#ifndef IOTRACE_BIO_H
#define IOTRACE_BIO_H

#define REQ_OP_MASK 0xff
#define REQ_OP_READ 0
#define REQ_OP_WRITE 1
#define REQ_OP_FLUSH 2
#define REQ_OP_ZONE_APPEND 7
#define REQ_META (1 << 12)
#define IOPRIO_CLASS_SHIFT 13 /* linux/ioprio.h; a bio has the class of its task since v5.19 */
#define IOPRIO_CLASS_IDLE 3
#define REQ_FUA (1 << 17)
#define REQ_PREFLUSH (1 << 18)

#ifdef LEGACY

/*
 * Before commit a54895fa057c ("block: remove the request_queue to argument request
 * based tracepoints", v5.11, in some releases of 5.10 too) and its neighbours the
 * queue is the first argument of hooks, and what a hook is about the second; the
 * loader sets queue_first_NAME of the program.
 */
static __always_inline u64 block_argument(unsigned long long *ctx, bool queue_first)
{
	u64 subject;

	if (queue_first) {
		subject = ctx[1];
		asm volatile("" : "+r"(subject)); /* lest one load of a computed address is made of two */
	} else {
		subject = ctx[0];
	}
	return subject;
}

/* BLOCK_PROBE is PROBE for a hook that is about one bio or request. */
#define BLOCK_PROBE(name, arg)						\
name(unsigned long long *ctx);						\
const volatile bool queue_first_##name = false;				\
static __always_inline int ____##name(arg);				\
int name(unsigned long long *ctx)					\
{									\
	return ____##name((void *)block_argument(ctx, queue_first_##name));			\
}									\
static __always_inline int ____##name(arg)

#else

#define BLOCK_PROBE PROBE

#endif

static __always_inline u32 disk_dev(struct gendisk *disk)
{
	return (u32)disk->major << 20 | (u32)disk->first_minor;
}

/* The disk that a bio goes to, of which it may name a partition. */
static __always_inline struct gendisk *bio_disk(struct bio *bio)
{
#ifdef LEGACY
	struct bio___disk *old = (void *)bio;

	if (bpf_core_field_exists(old->bi_disk))
		return old->bi_disk;
#endif
	return UNTRUSTED(struct bio, bio)->bi_bdev->bd_disk;
}

/* The number of the device that a bio was made for; on old kernels of the disk, whatever the partition. */
static __always_inline u32 bio_dev(struct bio *bio)
{
#ifdef LEGACY
	struct bio___disk *old = (void *)bio;

	if (bpf_core_field_exists(old->bi_disk))
		return disk_dev(old->bi_disk);
#endif
	return UNTRUSTED(struct bio, bio)->bi_bdev->bd_dev;
}

/* The sector of the disk at which that device begins. */
static __always_inline u64 bio_start(struct bio *bio)
{
#ifdef LEGACY
	struct bio___disk *old = (void *)bio;

	if (bpf_core_field_exists(old->bi_disk))
		return 0;
#endif
	return UNTRUSTED(struct bio, bio)->bi_bdev->bd_start_sect;
}

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
	u16 others; /* 1 and the part that others changed, of WHOLE; 0: not known */
	u8 pad[4];
};

/*
 * An entry goes when the request that the bio is part of completes, or the bio
 * itself. One whose completion was missed stays until its address is used again;
 * belongs() tells it from that of the new bio. In a table that is full, a bio has
 * no file.
 */
TABLE(bio, bio_info, 14, 65536)

/*
 * belongs tells whether an entry is about the bio as it is now, of which `done`
 * bytes are completed, rather than about one that had its address before. A bio
 * of a device without requests may have been sent on to another place (md,
 * multipath): there only kind and size can be compared.
 */
static __always_inline bool belongs(struct bio_info *b, struct bio *bio, u32 dev, u32 done)
{
	if (b->marks & MARK_BIO)
		return b->bytes == READ(struct bio, bio, bi_iter.bi_size) + done &&
		       (b->opf & REQ_OP_MASK) == (READ(struct bio, bio, bi_opf) & REQ_OP_MASK);
	return b->dev == dev && b->sector + (done >> 9) == READ(struct bio, bio, bi_iter.bi_sector);
}

/*
 * forget_bio drops an entry with the request that held it. One that asked for a
 * flush is still needed: the flush behind its data is attributed by it.
 */
static __always_inline void forget_bio(struct bio_info *b, u64 key)
{
	if (!(b->opf & (REQ_PREFLUSH | REQ_FUA)))
		drop_bio(key);
}

#endif /* IOTRACE_BIO_H */
