/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Operations of io_uring, from io_uring_submit_req to the posting of the completion.
 */
#ifndef IOTRACE_URING_BPF_H
#define IOTRACE_URING_BPF_H

#define IORING_OP_CLOSE 19

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, u64); /* struct io_kiocb * */
	__type(value, struct pending);
} urings SEC(".maps");

#ifndef LEGACY /* what tells of completions there does not say which operation it is */

/* Of enum io_uring_op, linux/io_uring.h. */
enum {
	URING_READV = 1,
	URING_WRITEV = 2,
	URING_FSYNC = 3,
	URING_READ_FIXED = 4,
	URING_WRITE_FIXED = 5,
	URING_SYNC_RANGE = 8,
	URING_ACCEPT = 13,
	URING_CONNECT = 16,
	URING_FALLOCATE = 17,
	URING_READ = 22,
	URING_WRITE = 23,
	URING_FADVISE = 24,
	URING_SEND = 26,
	URING_RECV = 27,
	URING_RENAMEAT = 35,
	URING_UNLINKAT = 36,
	URING_MKDIRAT = 37,
	URING_SYMLINKAT = 38,
	URING_LINKAT = 39,
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

/* uring_name copies a name that the kernel has from the program already. */
static __always_inline u16 uring_name(struct call_scratch *s, u32 at, struct filename *name)
{
	long n;

	if (at > MAX_PATH)
		return 0;
	n = bpf_probe_read_kernel_str(s->paths + at, MAX_PATH, BPF_CORE_READ(name, name));
	return n > 0 ? n : 0;
}

/* begin_names is a record of what an operation names. */
static __always_inline struct call_scratch *begin_names(struct pending *q)
{
	struct call_scratch *s;
	u32 zero = 0;

	s = bpf_map_lookup_elem(&call_scratches, &zero);
	if (!s)
		return NULL;
	__builtin_memset(&s->call, 0, sizeof(s->call));
	s->call.rec = REC_NAMES;
	s->call.start = q->submit;
	s->call.pid = q->pid;
	s->call.tid = q->tid;
	return s;
}

/* uring_connects tells the address that a connection is wanted to. */
static __noinline void uring_connects(struct io_connect *request, struct pending *q)
{
	struct call_scratch *s = begin_names(q);

	if (!s || !bpf_core_type_exists(struct io_connect))
		return;
	s->call.len2 = given_address(s->paths, (u64)BPF_CORE_READ(request, addr), BPF_CORE_READ(request, addr_len));
	end_call_as(REC_NAMES, &s->call);
}

/* uring_accepted tells the address that a connection came from, before the operation that it ended. */
static __noinline void uring_accepted(struct file *connection, struct pending *q)
{
	struct call_scratch *s = begin_names(q);

	if (!s)
		return;
	s->call.len2 = connected_address(s->paths, connection);
	end_call_as(REC_NAMES, &s->call);
}

/* KEPT_NAME is a name that an operation keeps in a field of a type. */
#define KEPT_NAME(type, req, field)								\
	(bpf_core_type_exists(struct delayed_filename)						\
		 ? BPF_CORE_READ((struct type##___delayed *)(req), field.__incomplete_filename)	\
		 : BPF_CORE_READ((struct type *)(req), field))

/*
 * uring_names tells what an operation names, as it begins: once it is done the kernel
 * has let go of the names.
 */
static __noinline void uring_names(struct task_struct *p, struct task *t, struct io_kiocb *req, struct pending *q)
{
	struct filename *first = NULL, *second = NULL;
	s32 dir = NONE, dir2 = NONE;
	struct call_scratch *s;

	if (q->op == URING_RENAMEAT && bpf_core_type_exists(struct io_rename)) {
		dir = BPF_CORE_READ((struct io_rename *)req, old_dfd);
		dir2 = BPF_CORE_READ((struct io_rename *)req, new_dfd);
		first = KEPT_NAME(io_rename, req, oldpath);
		second = KEPT_NAME(io_rename, req, newpath);
	} else if (q->op == URING_UNLINKAT && bpf_core_type_exists(struct io_unlink)) {
		dir = BPF_CORE_READ((struct io_unlink *)req, dfd);
		first = KEPT_NAME(io_unlink, req, filename);
	} else if (q->op == URING_MKDIRAT && bpf_core_type_exists(struct io_mkdir)) {
		dir = BPF_CORE_READ((struct io_mkdir *)req, dfd);
		first = KEPT_NAME(io_mkdir, req, filename);
	} else if ((q->op == URING_LINKAT || q->op == URING_SYMLINKAT) && bpf_core_type_exists(struct io_link)) {
		dir2 = BPF_CORE_READ((struct io_link *)req, new_dfd);
		second = KEPT_NAME(io_link, req, newpath);
		if (q->op == URING_LINKAT) {
			dir = BPF_CORE_READ((struct io_link *)req, old_dfd);
			first = KEPT_NAME(io_link, req, oldpath);
		}
	} else {
		return;
	}
	s = begin_names(q);
	if (!s)
		return;
	if (q->op == URING_RENAMEAT)
		s->call.aux = BPF_CORE_READ((struct io_rename *)req, flags);
	if (first)
		s->call.len1 = uring_name(s, 0, first);
	if (second)
		s->call.len2 = uring_name(s, s->call.len1, second);
	if (dir != NONE)
		s->call.dir = dir_id(p, t, dir);
	if (dir2 != NONE)
		s->call.dir2 = dir_id(p, t, dir2);
	end_call_as(REC_NAMES, &s->call);
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
	if (q.op >= URING_RENAMEAT && q.op <= URING_LINKAT)
		uring_names(UNTRUSTED(struct task_struct, p), t, req, &q);
	else if (q.op == URING_CONNECT)
		uring_connects((void *)req, &q);
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
	if (q->op == URING_RENAMEAT && !res)
		bump_epoch();
	if (q->op == URING_ACCEPT && res >= 0)
		uring_accepted(file_of(UNTRUSTED(struct task_struct, p), res), q);
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

#endif /* IOTRACE_URING_BPF_H */
