/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The records of all other calls: on two descriptors, by path, by address. */
#ifndef IOTRACE_RARE_CALLS_H
#define IOTRACE_RARE_CALLS_H

#define FICLONE 0x40049409
#define FICLONERANGE 0x4020940d
#define FIDEDUPERANGE 0xc0189436
#define FITRIM 0xc0185879
#define BLKDISCARD 0x1277
#define BLKZEROOUT 0x127f
#define FIFREEZE 0xc0045877
#define BTRFS_IOC_SYNC 0x9408
#define BTRFS_IOC_WAIT_SYNC 0x40089416

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

static __always_inline void end_call_as(u32 kind, struct call *r)
{
	u32 len = r->len1 + r->len2;

	if (len > 2 * MAX_PATH)
		return;
	emit(kind, r, sizeof(*r) + len);
}

static __always_inline void end_call(struct call *r)
{
	end_call_as(REC_CALL, r);
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

#define NONE (-1) /* a descriptor that no file has */

/* finish_copy handles calls on two descriptors. */
static __noinline void finish_copy(struct done *c)
{
	struct pt_regs *regs = c->regs;
	struct call *r = begin_call(c);
	s32 in, out;
	u64 off_in = 0, off_out = 0;

	if (!r)
		return;
	switch (c->shape) {
	case SHAPE_COPY_RANGE:
		in = ARG0(regs);
		off_in = ARG1(regs);
		out = ARG2(regs);
		off_out = ARG3(regs);
		r->req = ARG4(regs);
		r->aux = ARG5(regs);
		break;
	case SHAPE_SENDFILE:
		out = ARG0(regs);
		in = ARG1(regs);
		off_in = ARG2(regs);
		r->req = ARG3(regs);
		break;
	default: /* SHAPE_TEE */
		in = ARG0(regs);
		out = ARG1(regs);
		r->req = ARG2(regs);
		break;
	}
	first_file(c, r, in);
	second_file(c, r, out);
	r->off = moved_offset(off_in, file_of(c->p, in), c->ret);
	r->off2 = moved_offset(off_out, file_of(c->p, out), c->ret);
	end_call(r);
}

FINISHER(finish_copy)

static __noinline void finish_ioctl(struct done *c)
{
	struct pt_regs *regs = c->regs;
	s32 fd = NONE, fd2 = NONE;
	u32 cmd = ARG1(regs);
	struct call *r;
	u64 v[4] = {};

	switch (cmd) {
	case FICLONE:
	case FICLONERANGE:
	case FIDEDUPERANGE:
	case FITRIM:
	case BLKDISCARD:
	case BLKZEROOUT:
	case FIFREEZE:
	case BTRFS_IOC_SYNC:
	case BTRFS_IOC_WAIT_SYNC:
		break;
	default:
		return;
	}
	r = begin_call(c);
	if (!r)
		return;
	r->aux = cmd;
	if (cmd == FICLONE) {
		fd2 = ARG0(regs);
		fd = ARG2(regs);
		r->off = r->off2 = 0;
	} else if (cmd == FICLONERANGE) {
		fd2 = ARG0(regs);
		if (!bpf_probe_read_user(v, sizeof(v), (void *)ARG2(regs))) {
			fd = v[0];
			r->off = v[1];
			r->req = v[2];
			r->off2 = v[3];
		}
	} else if (cmd == FIFREEZE || cmd == BTRFS_IOC_SYNC || cmd == BTRFS_IOC_WAIT_SYNC) {
		fd = ARG0(regs); /* all of the file system */
	} else {
		fd = ARG0(regs);
		bpf_probe_read_user(v, 16, (void *)ARG2(regs));
		r->off = v[0];
		r->req = v[1];
	}
	first_file(c, r, fd);
	second_file(c, r, fd2);
	end_call(r);
}

FINISHER(finish_ioctl)

/* finish_fork handles calls that make a process or a thread. The child, which leaves the call too, has not begun one. */
static __noinline void finish_fork(struct done *c)
{
	struct task_struct *p = c->p;
	struct pt_regs *regs = c->regs;
	struct call *r = begin_call(c);

	if (!r)
		return;
	if (c->shape == SHAPE_CLONE)
		r->aux = ARG0(regs);
	else if (c->shape == SHAPE_CLONE3)
		bpf_probe_read_user(&r->aux, sizeof(r->aux), (void *)ARG0(regs));
	r->req = TASK_POINTER(p, mm, pgtables_bytes.counter);
	end_call(r);
}

FINISHER(finish_fork)

/*
 * peer_address tells the address that a call was given, or gave. Of a connection that was accepted by a call which does
 * not ask who it is from, the kernel knows it.
 */
static __noinline void peer_address(struct done *c, struct call *r)
{
	struct call_scratch *s = (void *)r;
	struct pt_regs *regs = c->regs;
	u32 len = ARG2(regs);

	if (c->shape <= SHAPE_LAST_IO) {
		r->len2 = message_address(s->paths, c);
		return;
	}
	if (c->shape == SHAPE_ACCEPT) {
		if (c->ret < 0)
			return;
		if (!ARG1(regs) || bpf_probe_read_user(&len, sizeof(len), (void *)ARG2(regs))) {
			r->len2 = connected_address(s->paths, file_of(c->p, c->ret));
			return;
		}
	}
	r->len2 = given_address(s->paths, ARG1(regs), len);
}

/*
 * finish_path handles calls that name files by path, and the rarer ones on a
 * descriptor. What they name is looked up at one place, after the switch: the
 * verifier follows a look-up to its end wherever one stands.
 */
static __noinline void finish_path(struct done *c)
{
	s32 fd = NONE, dir = NONE, dir2 = NONE;
	struct pt_regs *regs = c->regs;
	bool opens = false, itself = false;
	u64 path = 0, path2 = 0;
	struct call *r;

	r = begin_call(c);
	if (!r)
		return;
	switch (c->shape) {
	case SHAPE_OPEN:
		r->aux = r->fflags = ARG1(regs);
		/* fall through */
	case SHAPE_CREAT:
		opens = true;
		dir = AT_FDCWD;
		path = ARG0(regs);
		break;
	case SHAPE_OPENAT:
		/* aux keeps O_CREAT and O_TRUNC, which f_flags does not. */
		r->aux = r->fflags = ARG2(regs);
		opens = true;
		dir = ARG0(regs);
		path = ARG1(regs);
		break;
	case SHAPE_OPENAT2:
		if (!bpf_probe_read_user(&r->aux, sizeof(r->aux), (void *)ARG2(regs)))
			r->fflags = r->aux;
		opens = true;
		dir = ARG0(regs);
		path = ARG1(regs);
		break;
	case SHAPE_PATH_LEN:
		r->req = ARG1(regs);
		/* fall through */
	case SHAPE_PATH:
		dir = AT_FDCWD;
		path = ARG0(regs);
		break;
	case SHAPE_AT:
		r->fd = dir = ARG0(regs);
		path = ARG1(regs);
		itself = !path; /* utimensat, statx: the descriptor */
		break;
	case SHAPE_RENAME:
		dir = dir2 = AT_FDCWD;
		path = ARG0(regs);
		path2 = ARG1(regs);
		break;
	case SHAPE_RENAMEAT:
		r->aux = ARG4(regs); /* of renameat2 alone */
		dir = ARG0(regs);
		path = ARG1(regs);
		dir2 = ARG2(regs);
		path2 = ARG3(regs);
		break;
	case SHAPE_SYMLINK:
		dir2 = AT_FDCWD;
		path2 = ARG1(regs);
		break;
	case SHAPE_SYMLINKAT:
		dir2 = ARG1(regs);
		path2 = ARG2(regs);
		break;
	case SHAPE_FALLOCATE:
		fd = ARG0(regs);
		r->aux = ARG1(regs);
		r->off = ARG2(regs);
		r->req = ARG3(regs);
		break;
	case SHAPE_FD_OFF_LEN:
		fd = ARG0(regs);
		r->off = ARG1(regs);
		r->req = ARG2(regs);
		r->aux = ARG3(regs);
		break;
	case SHAPE_SEEK:
		fd = ARG0(regs);
		r->off = c->ret;
		r->aux = ARG2(regs);
		break;
	case SHAPE_MMAP:
		fd = ARG4(regs);
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
		fd = ARG0(regs);
		r->aux = ARG1(regs);
		break;
	case SHAPE_SEND:
	case SHAPE_MSG:
		if ((c->shape == SHAPE_SEND ? ARG3(regs) : ARG2(regs)) & MSG_PEEK)
			return;
		r->req = c->shape == SHAPE_SEND ? ARG2(regs) : msg_bytes(ARG1(regs), &path);
		path = 0;
		/* fall through */
	case SHAPE_CONNECT:
	case SHAPE_ACCEPT:
		fd = ARG0(regs);
		peer_address(c, r);
		break;
	case SHAPE_CLOSE:
		r->fd = (s32)ARG0(regs);
		r->file = c->t->closing;
		break;
	default:
		break;
	}
	if (opens && c->ret >= 0) {
		fd = c->ret; /* the file has all names that it needs */
		forget_fd(c->t, fd);
		dir = NONE;
		path = 0;
	}
	if (path)
		first_path(r, path);
	if (path2)
		second_path(r, path2);
	if (fd != NONE)
		first_file(c, r, fd);
	if (dir2 != NONE && dir2 != dir)
		r->dir2 = dir_id(c->p, c->t, dir2);
	if (dir != NONE)
		r->dir = dir_id(c->p, c->t, dir);
	if (dir2 == dir)
		r->dir2 = r->dir;
	if (itself)
		r->file = r->dir;
	end_call(r);
}

FINISHER(finish_path)

/* finish_replacing handles calls that have closed descriptors, and are not recorded. */
static __noinline void finish_replacing(struct done *c)
{
	forget_fds(c->p, c->t);
}

FINISHER(finish_replacing)

static __noinline void bump_epoch(void)
{
	__sync_fetch_and_add(&counters.epoch, 1);
}

#endif /* IOTRACE_RARE_CALLS_H */
