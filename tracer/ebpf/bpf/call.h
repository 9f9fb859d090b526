/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* A finished system call, and the record of the frequent ones: those on one descriptor, without a path. */
#ifndef IOTRACE_CALL_H
#define IOTRACE_CALL_H

#define RWF_HIPRI 0x01
#define RWF_APPEND 0x10
#define IORING_SETUP_IOPOLL 1
#define IORING_ENTER_REGISTERED_RING 16
#define MSG_PEEK 2

/* What every record of a finished call has in common. */
struct done {
	struct task_struct *p;
	struct task *t;
	struct pt_regs *regs;
	u64 start;
	u64 dur;
	s64 ret;
	u32 nr;
	u32 shape;
	u32 filled;
};

/*
 * For LEGACY what is known of the call lies in a map, and the functions that
 * handle rarer calls fetch it from there, so that each is verified on its own.
 */
#ifdef LEGACY

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct done);
} finished SEC(".maps");

static __always_inline struct done *finished_call(void)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(&finished, &zero);
}

#define FINISHER(finish)						\
SHARED int shared_##finish(void)					\
{									\
	struct done *kept = finished_call(), c;				\
									\
	if (!kept)							\
		return 0;						\
	c = *kept;							\
	c.t = known_task(c.p); /* the map does not keep what type of address it is */ \
	if (c.t)							\
		finish(&c);						\
	return 0;							\
}
#define FINISH(finish, c) shared_##finish()

#else

#define FINISHER(finish)
#define FINISH(finish, c) finish(c)

#endif

static __always_inline s64 position(struct file *f, s64 ret)
{
	s64 pos;

	if (!f || !(READ(struct file, f, f_mode) & FMODE_LSEEK))
		return -1;
	pos = READ(struct file, f, f_pos);
	if (ret > 0)
		pos -= ret;
	return pos < 0 ? -1 : pos; /* /dev/zero can be seeked in, but never moves */
}

/* ring_polls reports whether who waits in io_uring_enter looks for completions, as no interrupt tells of them. */
static __always_inline bool ring_polls(struct file *ring, u64 how, s64 ret)
{
	struct io_ring_ctx *ctx;

	if (!ring || ret < 0 || how & IORING_ENTER_REGISTERED_RING)
		return false; /* it is not known to be that of a ring */
	ctx = BPF_CORE_READ(ring, private_data);
	return BPF_CORE_READ(ctx, flags) & IORING_SETUP_IOPOLL;
}

/* finish_io handles the hot calls: one descriptor, no path. */
static __always_inline void finish_io(struct done *c, struct task *t)
{
	struct pt_regs *regs = c->regs;
	s32 fd = (s32)ARG0(regs);
	struct file *f = file_of(c->p, fd);
	u64 id = PID_TGID(c->p), req = ARG2(regs), buf = ARG1(regs);
	u32 file = file_id(t, fd, f);
	s64 off = ARG3(regs);
	struct call_cursor *cursor;
	struct io *r;
	bool empty = false;
	u8 rwf = 0;

	switch (c->shape) {
	case SHAPE_RW:
		off = position(f, c->ret);
		/* fall through */
	case SHAPE_PRW:
		empty = zeros(buf, c->ret);
		break;
	case SHAPE_RWV:
		off = position(f, c->ret);
		req = iov_bytes(buf, req, &buf);
		break;
	case SHAPE_PRWV2:
		if (off == -1)
			off = position(f, c->ret);
		rwf = ARG5(regs);
		if (rwf & RWF_APPEND)
			off = c->ret > 0 ? BPF_CORE_READ(f, f_inode, i_size) - c->ret : -1;
		/* fall through */
	case SHAPE_PRWV:
		req = iov_bytes(buf, req, &buf);
		break;
	case SHAPE_RING:
		rwf = ring_polls(f, off, c->ret) ? RWF_HIPRI : 0;
		/* fall through */
	case SHAPE_FD_LEN:
		off = -1;
		req = buf;
		buf = 0;
		break;
	case SHAPE_FD_BUF:
		off = -1;
		buf = 0;
		break;
	case SHAPE_SEND:
		if (off & MSG_PEEK)
			return; /* what is only looked at is still to come */
		off = -1;
		break;
	case SHAPE_MSG:
		if (req & MSG_PEEK)
			return;
		off = -1;
		req = msg_bytes(buf, &buf);
		break;
	default: /* SHAPE_FD */
		off = -1;
		req = buf = 0;
		break;
	}
	r = call_slot(&cursor);
	if (!r) {
		cursor = NULL;
		r = reserve(REC_IO, sizeof(*r));
		if (!r)
			return;
	}
	r->rec = REC_IO;
	r->rwf = rwf;
	r->nr = c->nr;
	r->fflags = (f ? READ(struct file, f, f_flags) : 0) | (empty ? MOVED_ZEROS : 0);
	r->start = c->start;
	r->dur = c->dur;
	r->pid = tgid_of(id);
	r->tid = (u32)id;
	r->ret = c->ret;
	r->req = req > 0xffffffff ? 0xffffffff : req;
	r->filled = c->filled;
	r->off = off;
	r->buf = buf;
	r->file = file;
	r->fd = fd;
	if (cursor)
		call_written(cursor);
	else
		submit(r);
}

#endif /* IOTRACE_CALL_H */
