/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What is read from the memory of the program. */
#ifndef IOTRACE_USER_H
#define IOTRACE_USER_H

#define MAX_IOVECS 1024 /* UIO_MAXIOV */

struct iov_loop {
	u64 user;
	u64 sum;
};

static long iov_add_one(u32 i, struct iov_loop *l)
{
	struct {
		u64 base, len;
	} v;

	if (bpf_probe_read_user(&v, sizeof(v), (void *)(l->user + i * sizeof(v))))
		return 1;
	l->sum += v.len;
	return 0;
}

/* iov_bytes is the sum of the lengths of a list of buffers. */
static __always_inline u64 iov_bytes(u64 user, u64 count)
{
	struct iov_loop l = { .user = user };

	bpf_loop(count < MAX_IOVECS ? count : MAX_IOVECS, iov_add_one, &l, 0);
	return l.sum;
}

#endif /* IOTRACE_USER_H */
