/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Asynchronous operations. io_uring: from io_uring_submit_req to the posting
 * of the completion. libaio: control blocks are read from user memory at
 * io_submit, and an operation ends when io_getevents hands it back, which is
 * what the program sees (the kernel has no stable hook at its completion).
 */
#ifndef IOTRACE_ASYNC_BPF_H
#define IOTRACE_ASYNC_BPF_H

#define IOCB_PREADV 7
#define IOCB_PWRITEV 8
#define IORING_OP_CLOSE 19
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

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, u64); /* struct io_kiocb * */
	__type(value, struct pending);
} urings SEC(".maps");

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

#ifndef LEGACY /* what tells of completions there does not say which operation it is */

/* io_uring */

/* Of enum io_uring_op, linux/io_uring.h. */
enum {
	URING_READV = 1,
	URING_WRITEV = 2,
	URING_FSYNC = 3,
	URING_READ_FIXED = 4,
	URING_WRITE_FIXED = 5,
	URING_SYNC_RANGE = 8,
	URING_FALLOCATE = 17,
	URING_READ = 22,
	URING_WRITE = 23,
	URING_FADVISE = 24,
	URING_SEND = 26,
	URING_RECV = 27,
	URING_FTRUNCATE = 55,
	URING_READV_FIXED = 60,
	URING_WRITEV_FIXED = 61,
};

/* uring_arguments reads what an operation was asked for: each keeps it in a layout of its own. */
static __always_inline void uring_arguments(struct pending *q, struct io_kiocb *req)
{
	struct io_rw *rw = (void *)req; /* they stand in a union at its beginning */
	struct io_sync *sync = (void *)req;
	struct io_sr_msg *message = (void *)req;

	switch (q->op) {
	case URING_READV:
	case URING_WRITEV:
	case URING_READV_FIXED:
	case URING_WRITEV_FIXED:
		q->req = iov_bytes(BPF_CORE_READ(rw, addr), BPF_CORE_READ(rw, len), &q->buf);
		q->off = BPF_CORE_READ(rw, kiocb.ki_pos);
		q->aux = BPF_CORE_READ(rw, flags);
		break;
	case URING_READ:
	case URING_WRITE:
	case URING_READ_FIXED:
	case URING_WRITE_FIXED:
		q->req = BPF_CORE_READ(rw, len);
		q->buf = BPF_CORE_READ(rw, addr);
		q->off = BPF_CORE_READ(rw, kiocb.ki_pos);
		q->aux = BPF_CORE_READ(rw, flags);
		break;
	case URING_FSYNC:
		q->aux = BPF_CORE_READ(sync, flags);
		break;
	case URING_SYNC_RANGE:
	case URING_FALLOCATE:
		q->req = BPF_CORE_READ(sync, len);
		q->off = BPF_CORE_READ(sync, off);
		q->aux = BPF_CORE_READ(sync, mode);
		break;
	case URING_FADVISE:
		q->req = BPF_CORE_READ((struct io_fadvise *)rw, len);
		q->off = BPF_CORE_READ((struct io_fadvise *)rw, offset);
		break;
	case URING_SEND:
	case URING_RECV:
		if (bpf_core_field_exists(message->len))
			q->req = BPF_CORE_READ(message, len);
		break;
	case URING_FTRUNCATE:
		if (bpf_core_type_exists(struct io_ftrunc))
			q->req = BPF_CORE_READ((struct io_ftrunc *)rw, len);
		break;
	}
}

static __always_inline int uring_submit(struct io_kiocb *req, u8 op)
{
	struct task_struct *p = CURRENT();
	struct task *t = current_task(p);
	u64 id = bpf_get_current_pid_tgid(), key = (u64)req;
	struct pending q = { .off = -1 };

	if (!t)
		return 0;
	t->dio_file = 0;
	if (!uring_ops[op & (MAX_URING_OPS - 1)])
		return 0;
	q.submit = bpf_ktime_get_ns();
	q.op = op;
	q.pid = tgid_of(id);
	q.tid = (u32)id;
	uring_arguments(&q, req);
	if (bpf_map_update_elem(&urings, &key, &q, BPF_ANY))
		count_lost(REC_ASYNC);
	return 0;
}

static __always_inline int uring_complete(struct io_kiocb *req, s64 res)
{
	struct task_struct *p = CURRENT();
	u64 key = (u64)req;
	struct pending *q;
	struct task *t;
	struct file *f;
	u32 file = 0;

	q = bpf_map_lookup_elem(&urings, &key);
	if (!q)
		return 0;
	f = BPF_CORE_READ(req, file);
	t = known_task(p);
	if (f && t)
		file = open_file_id(t, f);
	else if (f)
		file = place_id(BPF_CORE_READ(f, f_path.dentry), BPF_CORE_READ(f, f_path.mnt));
	if (q->op == IORING_OP_CLOSE)
		__sync_fetch_and_add(&counters.closes, 1); /* of whatever task */
	emit_async(q, API_URING, bpf_ktime_get_ns(), res, file, f ? BPF_CORE_READ(f, f_flags) : 0);
	bpf_map_delete_elem(&urings, &key);
	return 0;
}

SEC("tp_btf/io_uring_submit_req")
int PROBE(io_uring_submit_req, struct io_kiocb *req)
{
	return uring_submit(req, req->opcode);
}

/* Before commit 2ad57931db64 ("io_uring: rename trace_io_uring_submit_sqe() tracepoint", v6.4). */
SEC("tp_btf/io_uring_submit_sqe")
int PROBE(io_uring_submit_sqe, struct io_kiocb *req)
{
	return uring_submit(req, req->opcode);
}

/*
 * Before commit 48863ffd3e81 ("io_uring: clean up tracing events", v6.0) its parts
 * were arguments of their own, and it had no type.
 */
SEC("tp_btf/io_uring_submit_sqe")
int PROBE(io_uring_submit_sqe_parts, void *ring, void *req)
{
	return uring_submit(req, BPF_CORE_READ((struct io_kiocb *)req, opcode));
}

SEC("tp_btf/io_uring_complete")
int PROBE(io_uring_complete, struct io_ring_ctx *ring, void *req, struct io_uring_cqe *cqe)
{
	return uring_complete(req, cqe->res);
}

/* Before Linux 6.12 the result was an argument of its own: so say the types of both. Commit: unknown. */
SEC("tp_btf/io_uring_complete")
int PROBE(io_uring_complete_res, struct io_ring_ctx *ring, void *req, u64 user_data, int res)
{
	return uring_complete(req, res);
}

#endif

#endif /* IOTRACE_ASYNC_BPF_H */
