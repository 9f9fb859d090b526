/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * System calls: one record per enter/exit pair. Entry only notes the time;
 * everything else is read at exit, when the kernel has already brought user
 * memory in and moved file positions.
 */
#ifndef IOTRACE_SYSCALLS_H
#define IOTRACE_SYSCALLS_H

#define MAP_ANONYMOUS 0x20
#define RWF_APPEND 0x10
#define FICLONE 0x40049409
#define FICLONERANGE 0x4020940d
#define FIDEDUPERANGE 0xc0189436
#define FITRIM 0xc0185879
#define BLKDISCARD 0x1277
#define BLKZEROOUT 0x127f
#define F_GETLK 5
#define F_SETLKW 7
#define F_OFD_GETLK 36
#define F_OFD_SETLKW 38
#define SEEK_DATA 3
#define MSG_PEEK 2
#define FALLOC_FL_PUNCH_HOLE 0x02

struct call_scratch {
	struct call call;
	char paths[2 * MAX_PATH];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct call_scratch);
} call_scratches SEC(".maps");

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

static __always_inline s64 position(struct file *f, s64 ret)
{
	s64 pos;

	if (!f || !(FILE_READ(f, f_mode) & FMODE_LSEEK))
		return -1;
	pos = FILE_READ(f, f_pos);
	if (ret > 0)
		pos -= ret;
	return pos < 0 ? -1 : pos; /* /dev/zero can be seeked in, but never moves */
}

/* finish_io handles the hot calls: one descriptor, no path. */
static __always_inline void finish_io(struct done *c)
{
	struct pt_regs *regs = c->regs;
	s32 fd = (s32)ARG0(regs);
	struct file *f = file_of(c->p, fd);
	u64 id = bpf_get_current_pid_tgid(), req = ARG2(regs), buf = ARG1(regs);
	u32 file = file_id(c->t, fd, f);
	s64 off = ARG3(regs);
	struct io *r;
	u8 rwf = 0;

	switch (c->shape) {
	case SHAPE_RW:
		off = position(f, c->ret);
		break;
	case SHAPE_PRW:
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
	r = reserve(REC_IO, sizeof(*r));
	if (!r)
		return;
	r->rec = REC_IO;
	r->rwf = rwf;
	r->nr = c->nr;
	r->fflags = f ? FILE_READ(f, f_flags) : 0;
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
	submit(r);
}

static __always_inline struct call *begin_call(struct done *c)
{
	struct call_scratch *s;
	u64 id = bpf_get_current_pid_tgid();
	u32 zero = 0;

	s = bpf_map_lookup_elem(&call_scratches, &zero);
	if (!s)
		return NULL;
	__builtin_memset(&s->call, 0, sizeof(s->call));
	s->call.rec = REC_CALL;
	s->call.nr = c->nr;
	s->call.start = c->start;
	s->call.dur = c->dur;
	s->call.pid = tgid_of(id);
	s->call.tid = (u32)id;
	s->call.ret = c->ret;
	s->call.off = -1;
	s->call.off2 = -1;
	s->call.fd = -1;
	s->call.fd2 = -1;
	s->call.filled = c->filled;
	return &s->call;
}

static __always_inline void end_call(struct call *r)
{
	u32 len = r->len1 + r->len2;

	if (len > 2 * MAX_PATH)
		return;
	emit(REC_CALL, r, sizeof(*r) + len);
}

static __always_inline void first_file(struct done *c, struct call *r, s32 fd)
{
	struct file *f = file_of(c->p, fd);

	r->fd = fd;
	r->file = file_id(c->t, fd, f);
	if (f)
		r->fflags = BPF_CORE_READ(f, f_flags);
}

static __always_inline void second_file(struct done *c, struct call *r, s32 fd)
{
	r->fd2 = fd;
	r->file2 = file_id(c->t, fd, file_of(c->p, fd));
}

static __always_inline void first_path(struct call *r, u64 user)
{
	struct call_scratch *s = (void *)r;
	long n = bpf_probe_read_user_str(s->paths, MAX_PATH, (void *)user);

	if (n > 0)
		r->len1 = n;
}

static __always_inline void second_path(struct call *r, u64 user)
{
	struct call_scratch *s = (void *)r;
	u32 at = r->len1;
	long n;

	if (at > MAX_PATH)
		return;
	n = bpf_probe_read_user_str(s->paths + at, MAX_PATH, (void *)user);
	if (n > 0)
		r->len2 = n;
}

/* moved_offset is where a copy began: *user if given (it has moved on by ret), else the position. */
static __always_inline s64 moved_offset(u64 user, struct file *f, s64 ret)
{
	s64 off;

	if (!user)
		return position(f, ret);
	if (bpf_probe_read_user(&off, sizeof(off), (void *)user))
		return -1;
	return ret > 0 ? off - ret : off;
}

static __always_inline void opened(struct done *c, struct call *r, s32 dirfd, u64 path)
{
	if (c->ret >= 0) {
		forget_fd(c->t, c->ret);
		first_file(c, r, c->ret);
		return;
	}
	r->dir = dir_id(c->p, c->t, dirfd);
	first_path(r, path);
}

/* finish_copy handles calls on two descriptors. */
static __noinline void finish_copy(struct done *c)
{
	struct call *r = begin_call(c);
	s32 in, out;
	u64 off_in = 0, off_out = 0;

	if (!r)
		return;
	switch (c->shape) {
	case SHAPE_COPY_RANGE:
		in = ARG0(c->regs);
		off_in = ARG1(c->regs);
		out = ARG2(c->regs);
		off_out = ARG3(c->regs);
		r->req = ARG4(c->regs);
		r->aux = ARG5(c->regs);
		break;
	case SHAPE_SENDFILE:
		out = ARG0(c->regs);
		in = ARG1(c->regs);
		off_in = ARG2(c->regs);
		r->req = ARG3(c->regs);
		break;
	default: /* SHAPE_TEE */
		in = ARG0(c->regs);
		out = ARG1(c->regs);
		r->req = ARG2(c->regs);
		break;
	}
	first_file(c, r, in);
	second_file(c, r, out);
	r->off = moved_offset(off_in, file_of(c->p, in), c->ret);
	r->off2 = moved_offset(off_out, file_of(c->p, out), c->ret);
	end_call(r);
}

static __noinline void finish_ioctl(struct done *c)
{
	u32 cmd = ARG1(c->regs);
	struct call *r;
	u64 v[4] = {};

	switch (cmd) {
	case FICLONE:
	case FICLONERANGE:
	case FIDEDUPERANGE:
	case FITRIM:
	case BLKDISCARD:
	case BLKZEROOUT:
		break;
	default:
		return;
	}
	r = begin_call(c);
	if (!r)
		return;
	r->aux = cmd;
	if (cmd == FICLONE || cmd == FICLONERANGE) {
		second_file(c, r, (s32)ARG0(c->regs));
		if (cmd == FICLONE) {
			first_file(c, r, (s32)ARG2(c->regs));
			r->off = r->off2 = 0;
		} else if (!bpf_probe_read_user(v, sizeof(v), (void *)ARG2(c->regs))) {
			first_file(c, r, (s32)v[0]);
			r->off = v[1];
			r->req = v[2];
			r->off2 = v[3];
		}
	} else {
		first_file(c, r, (s32)ARG0(c->regs));
		if (cmd == FIDEDUPERANGE || cmd == FITRIM || cmd == BLKDISCARD || cmd == BLKZEROOUT) {
			bpf_probe_read_user(v, 16, (void *)ARG2(c->regs));
			r->off = v[0];
			r->req = v[1];
		}
	}
	end_call(r);
}

/* finish_path handles calls that name files by path, and the rarer ones on a descriptor. */
static __noinline void finish_path(struct done *c)
{
	struct pt_regs *regs = c->regs;
	struct call *r;
	u64 how;

	r = begin_call(c);
	if (!r)
		return;
	switch (c->shape) {
	case SHAPE_OPEN:
		r->aux = r->fflags = ARG1(regs);
		opened(c, r, AT_FDCWD, ARG0(regs));
		break;
	case SHAPE_CREAT:
		opened(c, r, AT_FDCWD, ARG0(regs));
		break;
	case SHAPE_OPENAT:
		/* aux keeps O_CREAT and O_TRUNC, which f_flags does not. */
		r->aux = r->fflags = ARG2(regs);
		opened(c, r, (s32)ARG0(regs), ARG1(regs));
		break;
	case SHAPE_OPENAT2:
		if (!bpf_probe_read_user(&how, sizeof(how), (void *)ARG2(regs)))
			r->aux = r->fflags = how;
		opened(c, r, (s32)ARG0(regs), ARG1(regs));
		break;
	case SHAPE_PATH_LEN:
		r->req = ARG1(regs);
		/* fall through */
	case SHAPE_PATH:
		r->dir = dir_id(c->p, c->t, AT_FDCWD);
		first_path(r, ARG0(regs));
		break;
	case SHAPE_AT:
		r->fd = (s32)ARG0(regs);
		r->dir = dir_id(c->p, c->t, r->fd);
		if (ARG1(regs))
			first_path(r, ARG1(regs));
		else /* utimensat, statx: the descriptor itself */
			r->file = r->dir;
		break;
	case SHAPE_RENAME:
		r->dir = r->dir2 = dir_id(c->p, c->t, AT_FDCWD);
		first_path(r, ARG0(regs));
		second_path(r, ARG1(regs));
		break;
	case SHAPE_RENAMEAT:
		r->dir = dir_id(c->p, c->t, (s32)ARG0(regs));
		r->dir2 = dir_id(c->p, c->t, (s32)ARG2(regs));
		first_path(r, ARG1(regs));
		second_path(r, ARG3(regs));
		break;
	case SHAPE_SYMLINK:
		r->dir2 = dir_id(c->p, c->t, AT_FDCWD);
		second_path(r, ARG1(regs));
		break;
	case SHAPE_SYMLINKAT:
		r->dir2 = dir_id(c->p, c->t, (s32)ARG1(regs));
		second_path(r, ARG2(regs));
		break;
	case SHAPE_FALLOCATE:
		first_file(c, r, (s32)ARG0(regs));
		r->aux = ARG1(regs);
		r->off = ARG2(regs);
		r->req = ARG3(regs);
		break;
	case SHAPE_FD_OFF_LEN:
		first_file(c, r, (s32)ARG0(regs));
		r->off = ARG1(regs);
		r->req = ARG2(regs);
		r->aux = ARG3(regs);
		break;
	case SHAPE_SEEK:
		first_file(c, r, (s32)ARG0(regs));
		r->off = c->ret;
		r->aux = ARG2(regs);
		break;
	case SHAPE_MMAP:
		first_file(c, r, (s32)ARG4(regs));
		r->req = ARG1(regs);
		r->off = ARG5(regs);
		r->aux = (ARG2(regs) & 0xff) | ARG3(regs) << 8;
		break;
	case SHAPE_RANGE:
		r->off2 = ARG0(regs); /* an address: the reader knows which file is mapped there */
		r->req = ARG1(regs);
		r->aux = ARG2(regs);
		break;
	case SHAPE_FCNTL:
		first_file(c, r, (s32)ARG0(regs));
		r->aux = ARG1(regs);
		break;
	case SHAPE_CLOSE:
		r->fd = (s32)ARG0(regs);
		r->file = c->t->closing;
		break;
	default:
		break;
	}
	end_call(r);
}

static __noinline void bump_epoch(void)
{
	__sync_fetch_and_add(&counters.epoch, 1);
}

/* finish_other handles everything that is not worth a fast path. */
static __always_inline void finish_other(struct done *c)
{
	struct pt_regs *regs = c->regs;

	switch (c->shape) {
	case SHAPE_COPY_RANGE:
	case SHAPE_SENDFILE:
	case SHAPE_TEE:
		finish_copy(c);
		break;
	case SHAPE_MMAP:
		if ((ARG3(regs) & MAP_ANONYMOUS) || (s32)ARG4(regs) < 0)
			break;
		finish_path(c);
		break;
	case SHAPE_FCNTL:
		if ((ARG1(regs) >= F_GETLK && ARG1(regs) <= F_SETLKW) ||
		    (ARG1(regs) >= F_OFD_GETLK && ARG1(regs) <= F_OFD_SETLKW))
			finish_path(c);
		break;
	case SHAPE_IOCTL:
		finish_ioctl(c);
		break;
	case SHAPE_RENAME:
	case SHAPE_RENAMEAT:
		finish_path(c);
		if (!c->ret)
			bump_epoch();
		break;
	case SHAPE_IO_SUBMIT:
		aio_submitted(c->p, regs, c->ret);
		finish_path(c);
		break;
	case SHAPE_IO_GETEVENTS:
		aio_collected(c->p, c->t, regs, c->ret);
		finish_path(c);
		break;
	default:
		finish_path(c);
		break;
	}
}

/*
 * Where hooks are preemptible, a task that loses the CPU in a program keeps it
 * from being run for other tasks there until it is back. So there are copies,
 * and whichever runs first does the work. A task can hold one of them only: as
 * many tasks as there are copies can make calls on a CPU without a loss.
 */
static __always_inline int call_enters(u32 copy, struct pt_regs *regs, long nr)
{
	struct task_struct *p;
	struct task *t;
	u32 shape;
	s32 fd;

	if ((u64)nr >= MAX_CALLS)
		return 0;
	shape = shapes[nr & (MAX_CALLS - 1)];
	if (!shape)
		return 0;
	p = bpf_get_current_task_btf();
	t = current_task(p);
	if (!t || COMPAT(p))
		return 0;
	if (copy && t->start)
		return 0; /* an earlier copy has seen it */
	keep_cpu();
	if (shape == SHAPE_CLOSE) {
		fd = ARG0(regs);
		t->closing = file_id(t, fd, file_of(p, fd));
		forget_fd(t, fd);
	}
	if (t->start)
		missed(NO_EXIT);
	t->entered = 1;
	t->left = 0;
	t->nr = nr;
	t->filled = 0;
	t->fault_start = 0;
	t->start = bpf_ktime_get_ns();
	if (shape == SHAPE_IO_SUBMIT)
		aio_submit(p, t, regs);
	let_cpu_go();
	return 0;
}

static __always_inline int call_exits(u32 copy, struct pt_regs *regs, long ret)
{
	struct done c = { .regs = regs, .ret = ret };
	long nr = CALL_NR(regs);

	if ((u64)nr >= MAX_CALLS)
		return 0;
	c.shape = shapes[nr & (MAX_CALLS - 1)];
	if (!c.shape)
		return 0;
	c.p = bpf_get_current_task_btf();
	c.t = known_task(c.p);
	if (!c.t)
		return 0;
	if (!c.t->start || c.t->nr != (u32)nr) {
		if (c.t->entered && !(copy && c.t->left))
			missed(NO_ENTRY);
		c.t->left = 1;
		return 0;
	}
	keep_cpu();
	c.start = c.t->start;
	c.dur = bpf_ktime_get_ns() - c.start;
	c.nr = nr;
	c.filled = c.t->filled;
	c.t->start = 0;
	c.t->left = 1;
	c.t->throttled = 0;
	c.t->dio_file = 0;
	if (c.shape <= SHAPE_LAST_IO)
		finish_io(&c);
	else
		finish_other(&c);
	let_cpu_go();
	return 0;
}

#define CALL_PROBES(copy, suffix)						\
SEC("tp_btf/sys_enter")								\
int BPF_PROG(sys_enter##suffix, struct pt_regs *regs, long nr)			\
{										\
	return call_enters(copy, regs, nr);					\
}										\
SEC("tp_btf/sys_exit")								\
int BPF_PROG(sys_exit##suffix, struct pt_regs *regs, long ret)			\
{										\
	return call_exits(copy, regs, ret);					\
}

/* The loader leaves the further copies out where hooks are not preemptible. */
CALL_PROBES(0, )
CALL_PROBES(1, _2)
CALL_PROBES(2, _3)
CALL_PROBES(3, _4)

#endif /* IOTRACE_SYSCALLS_H */
