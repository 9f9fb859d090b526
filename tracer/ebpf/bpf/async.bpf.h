/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Asynchronous operations: what all have, and libaio. Its control blocks are read
 * from user memory at io_submit, and an operation ends when io_getevents hands it
 * back, which is what the program sees (the kernel has no stable hook at its
 * completion).
 */
#ifndef IOTRACE_ASYNC_BPF_H
#define IOTRACE_ASYNC_BPF_H

#define IOCB_PREADV 7
#define IOCB_PWRITEV 8
#define MAX_BATCH BOUND(4096, 256) /* control blocks looked at per io_submit or io_getevents */

struct aio_key {
	u64 mm;
	u64 iocb;
};

struct pending {
	u64 submit;
	u64 req;
	s64 off;
	u64 buf;
	u32 pid;
	u32 tid;
	u32 file;
	u32 fflags;
	u32 aux;
	u8 op;
	u8 pad[3];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct aio_key);
	__type(value, struct pending);
} aios SEC(".maps");

static __always_inline void emit_async(struct pending *q, u8 api, u64 now, s64 ret, u32 file, u32 fflags)
{
	struct async *r = reserve(REC_ASYNC, sizeof(*r));

	if (!r)
		return;
	r->rec = REC_ASYNC;
	r->api = api;
	r->op = q->op;
	r->pad = 0;
	r->fflags = fflags;
	r->submit = q->submit;
	r->complete = now;
	r->pid = q->pid;
	r->tid = q->tid;
	r->ret = ret;
	r->req = q->req;
	r->off = q->off;
	r->buf = q->buf;
	r->file = file;
	r->aux = q->aux;
	submit(r);
}

/* libaio */

struct iocb_abi { /* struct iocb of linux/aio_abi.h, little endian */
	u64 data;
	u32 key;
	u32 rw_flags;
	u16 opcode;
	s16 reqprio;
	u32 fd;
	u64 buf;
	u64 nbytes;
	s64 offset;
};

struct io_event_abi {
	u64 data;
	u64 obj;
	s64 res;
	s64 res2;
};

struct aio_loop {
	struct task_struct *p;
	struct task *t;
	u64 array;
	u64 now;
	u64 mm;
	u32 first;
};

static long aio_submit_one(u32 i, struct aio_loop *l)
{
	u64 id = bpf_get_current_pid_tgid();
	struct aio_key key = { .mm = l->mm };
	struct pending q = {};
	struct iocb_abi cb;
	struct file *f;

	if (bpf_probe_read_user(&key.iocb, 8, (void *)(l->array + i * 8ULL)))
		return 1;
	if (bpf_probe_read_user(&cb, sizeof(cb), (void *)key.iocb)) {
		count_lost(REC_ASYNC);
		return 0;
	}
	f = file_of(l->p, cb.fd);
	q.submit = l->now;
	q.op = cb.opcode;
	q.buf = cb.buf;
	q.req = cb.opcode == IOCB_PREADV || cb.opcode == IOCB_PWRITEV ? iov_bytes(cb.buf, cb.nbytes, &q.buf)
								      : cb.nbytes;
	q.aux = cb.rw_flags;
	q.off = cb.offset;
	q.pid = tgid_of(id);
	q.tid = (u32)id;
	q.file = file_id(l->t, cb.fd, f);
	q.fflags = f ? BPF_CORE_READ(f, f_flags) : 0;
	if (bpf_map_update_elem(&aios, &key, &q, BPF_ANY))
		count_lost(REC_ASYNC);
	return 0;
}

#ifdef LEGACY

SHARED int aio_submit_nth(u64 array, u64 i)
{
	struct task_struct *p = CURRENT();
	struct task *t = known_task(p);
	struct aio_loop l = { .p = p, .t = t, .array = array };

	if (!t)
		return 1;
	l.now = t->start;
	l.mm = (u64)TASK_POINTER(p, mm);
	return aio_submit_one(i, &l);
}

#define AIO_SUBMIT(i, l) aio_submit_nth((l)->array, i)
#else
#define AIO_SUBMIT aio_submit_one
#endif

static __noinline void aio_submit(struct task_struct *p, struct task *t, struct pt_regs *regs)
{
	struct aio_loop l = { .p = p, .t = t, .array = ARG2(regs), .now = t->start };
	u64 n = ARG1(regs);

	l.mm = (u64)TASK_POINTER(p, mm);
	LOOP(MAX_BATCH, n < MAX_BATCH ? n : MAX_BATCH, AIO_SUBMIT, &l);
}

static long aio_drop_one(u32 i, struct aio_loop *l)
{
	struct aio_key key = { .mm = l->mm };

	if (bpf_probe_read_user(&key.iocb, 8, (void *)(l->array + (l->first + i) * 8ULL)))
		return 1;
	bpf_map_delete_elem(&aios, &key);
	return 0;
}

/* aio_submitted forgets the control blocks that io_submit did not take. */
static __noinline void aio_submitted(struct task_struct *p, struct pt_regs *regs, s64 ret)
{
	struct aio_loop l = { .array = ARG2(regs), .first = ret > 0 ? ret : 0 };
	u64 n = ARG1(regs);

	if (ret > MAX_BATCH)
		count_lost_many(REC_ASYNC, ret - MAX_BATCH);
	if (n > MAX_BATCH)
		n = MAX_BATCH;
	if (l.first >= n)
		return;
	l.mm = (u64)TASK_POINTER(p, mm);
	LOOP(MAX_BATCH, n - l.first, aio_drop_one, &l);
}

static long aio_collect_one(u32 i, struct aio_loop *l)
{
	struct aio_key key = { .mm = l->mm };
	struct io_event_abi ev;
	struct pending *q;

	if (bpf_probe_read_user(&ev, sizeof(ev), (void *)(l->array + i * sizeof(ev)))) {
		count_lost(REC_ASYNC);
		return 0;
	}
	key.iocb = ev.obj;
	q = bpf_map_lookup_elem(&aios, &key);
	if (!q)
		return 0; /* submitted before recording began */
	emit_async(q, API_LIBAIO, l->now, ev.res, q->file, q->fflags);
	bpf_map_delete_elem(&aios, &key);
	return 0;
}

#ifdef LEGACY

SHARED int aio_collect_nth(u64 array, u64 i, u64 now)
{
	struct aio_loop l = { .array = array, .now = now };
	struct task_struct *p = CURRENT();

	l.mm = (u64)TASK_POINTER(p, mm);
	return aio_collect_one(i, &l);
}

#define AIO_COLLECT(i, l) aio_collect_nth((l)->array, i, (l)->now)
#else
#define AIO_COLLECT aio_collect_one
#endif

static __noinline void aio_collected(struct task_struct *p, struct task *t, struct pt_regs *regs, s64 ret)
{
	struct aio_loop l = { .p = p, .t = t, .array = ARG3(regs) };

	if (ret <= 0)
		return;
	l.now = bpf_ktime_get_ns();
	l.mm = (u64)TASK_POINTER(p, mm);
	LOOP(MAX_BATCH, ret < MAX_BATCH ? ret : MAX_BATCH, AIO_COLLECT, &l);
	if (ret > MAX_BATCH)
		count_lost_many(REC_ASYNC, ret - MAX_BATCH);
}

#endif /* IOTRACE_ASYNC_BPF_H */
