/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What is read from the memory of the program. */
#ifndef IOTRACE_USER_H
#define IOTRACE_USER_H

#define MAX_IOVECS 1024 /* UIO_MAXIOV */

struct iov_loop {
	u64 user;
	u64 sum;
	u64 first;
};

static long iov_add_one(u32 i, struct iov_loop *l)
{
	struct {
		u64 base, len;
	} v;

	if (bpf_probe_read_user(&v, sizeof(v), (void *)(l->user + i * sizeof(v))))
		return 1;
	if (!l->sum)
		l->first = v.base;
	l->sum += v.len;
	return 0;
}

/* add_iovecs adds up a list of buffers. */
static __always_inline void add_iovecs(struct iov_loop *l, u64 count)
{
	LOOP(MAX_IOVECS, count < MAX_IOVECS ? count : MAX_IOVECS, iov_add_one, l);
}

/*
 * iov_bytes is the sum of the lengths of a list of buffers; *first becomes the
 * address of the first that is not empty.
 */
#ifdef LEGACY

SHARED u64 iov_sum(u64 user, u64 count)
{
	struct iov_loop l = { .user = user };

	add_iovecs(&l, count);
	return l.sum;
}

SHARED u64 iov_first(u64 user, u64 count)
{
	struct iov_loop l = { .user = user };

	add_iovecs(&l, count);
	return l.first;
}

static __always_inline u64 iov_bytes(u64 user, u64 count, u64 *first)
{
	*first = iov_first(user, count);
	return iov_sum(user, count);
}

#else

static __always_inline u64 iov_bytes(u64 user, u64 count, u64 *first)
{
	struct iov_loop l = { .user = user };

	add_iovecs(&l, count);
	*first = l.first;
	return l.sum;
}

#endif

/* msg_bytes is the same of a message, a struct user_msghdr. */
static __always_inline u64 msg_bytes(u64 user, u64 *first)
{
	struct {
		u64 iov, count;
	} v;

	*first = 0;
	if (bpf_probe_read_user(&v, sizeof(v), (void *)(user + 16)))
		return 0;
	return iov_bytes(v.iov, v.count, first);
}

/*
 * zeros reports whether seven words of what a call moved are zeros: files are filled with them before they have
 * contents, and holes are read as zeros. The first bytes are not asked, as a block of zeros may have a header. A call
 * that moves little is not worth it.
 */
#define MUCH (32 << 10)

static __always_inline bool zeros(u64 buf, s64 n)
{
	u64 word, part = (u64)n / 8;

	if (!buf || n < MUCH)
		return false;
#pragma unroll
	for (int i = 1; i < 8; i++) {
		if (bpf_probe_read_user(&word, sizeof(word), (void *)(buf + i * part)) || word)
			return false;
	}
	return true;
}

#endif /* IOTRACE_USER_H */
