/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Records that travel from the probes to the reader, and the configuration
 * that travels the other way. bpf2go turns them into Go structs of the same
 * layout: padding is explicit and zeroed.
 */
#ifndef IOTRACE_H
#define IOTRACE_H

enum bound {
	MAX_CALLS = 512,
	MAX_URING_OPS = 128,
	MAX_PATH = 4096,
	MAX_NAMES = 8,
	MAX_ADDRESS = 128, /* sizeof(struct sockaddr_storage) */
	MAX_MEMBERSHIPS = 256, /* control groups, and users */
	MAX_DEVICES = 1024, /* whose requests are recorded */
	COMM_LEN = 16,
	MAX_EXTENTS = 512,
	MAX_HELPERS = 512,
	MAX_HIERARCHY = 64, /* numbers of hierarchies of control groups that are told apart */
	RPC_NAME = 24,
	RPC_SERVER = 64,
	MAPPED_NAME = 32,
	PROGRAM_SMB = 139, /* none of ONC RPC */
	SLICE_SHIFT = 27, /* losses are counted per 2^27 ns = 134 ms */
};

enum record {
	REC_IO = 1,   /* struct io: a call on one descriptor */
	REC_CALL,     /* struct call: any other call, with up to two paths */
	REC_FILE,     /* struct ident */
	REC_ASYNC,    /* struct async */
	REC_FAULT,    /* struct fault */
	REC_REQUEST,  /* struct req, then its further extents */
	REC_WAIT,     /* struct wait */
	REC_FORK,     /* struct fork */
	REC_EXEC,     /* struct exec, then path and arguments */
	REC_EXIT,     /* struct exit */
	REC_HELPER,   /* struct helper */
	REC_JOINED,   /* struct fork: a process that ran before now belongs to the recording */
	REC_LEFT,     /* struct fork: it goes on, and does not belong to it any more */
	REC_COMMIT,   /* struct commit */
	REC_GROUP,    /* struct group_path, then names: before the fork or exec of a process, or as it is moved */
	REC_RPC = 18, /* struct rpc; those before are places of enum half */
	REC_NAMES,    /* struct call: what names an operation of io_uring that begins */
	REC_SAMPLE,   /* struct sample */
};

/* Further places in the map of losses, which begins with those of enum record. */
enum half {
	NO_ENTRY = 16, /* calls whose entry was not seen */
	NO_EXIT = 17,  /* calls whose exit was not seen */
	LOSSES = 19,   /* places in the map */
};

/* How the arguments of a system call are laid out; 0: not recorded. */
enum shape {
	SHAPE_NONE,
	SHAPE_RW,         /* fd, buf, count */
	SHAPE_PRW,        /* fd, buf, count, offset */
	SHAPE_RWV,        /* fd, iovec, count */
	SHAPE_PRWV,       /* fd, iovec, count, offset */
	SHAPE_PRWV2,      /* the same with flags; offset -1: at the position */
	SHAPE_FD,         /* fd */
	SHAPE_FD_LEN,     /* fd, length */
	SHAPE_RING,       /* fd of a ring, number to submit */
	SHAPE_FD_BUF,     /* fd, buf, length: no position in bytes */
	SHAPE_SEND,       /* fd, buf, count, flags of a socket */
	SHAPE_MSG,        /* fd, msghdr, flags of a socket */
	SHAPE_LAST_IO = SHAPE_MSG, /* up to here: struct io */
	SHAPE_COPY_RANGE, /* fd_in, *off_in, fd_out, *off_out, len: also splice */
	SHAPE_SENDFILE,   /* out_fd, in_fd, *off, count */
	SHAPE_TEE,        /* fd_in, fd_out, len */
	SHAPE_CLOSE,      /* fd, which is gone at exit */
	SHAPE_FD_OFF_LEN, /* fd, offset, length, aux */
	SHAPE_FALLOCATE,  /* fd, mode, offset, length */
	SHAPE_SEEK,       /* fd, offset, whence */
	SHAPE_CONNECT,    /* fd, address, its length */
	SHAPE_ACCEPT,     /* fd, address, *its length */
	SHAPE_OPEN,       /* path, flags */
	SHAPE_CREAT,      /* path, mode */
	SHAPE_OPENAT,     /* dirfd, path, flags */
	SHAPE_OPENAT2,    /* dirfd, path, *how */
	SHAPE_PATH,       /* path */
	SHAPE_PATH_LEN,   /* path, length */
	SHAPE_AT,         /* dirfd, path: an empty path means the descriptor */
	SHAPE_RENAME,     /* old path, new path */
	SHAPE_RENAMEAT,   /* old dirfd, old path, new dirfd, new path */
	SHAPE_SYMLINK,    /* target, path */
	SHAPE_SYMLINKAT,  /* target, dirfd, path */
	SHAPE_MMAP,       /* addr, len, prot, flags, fd, offset */
	SHAPE_RANGE,      /* addr, len, aux: msync, madvise */
	SHAPE_IOCTL,      /* fd, request, argument: cloning and discarding only */
	SHAPE_FCNTL,      /* fd, command: locks only */
	SHAPE_PLAIN,      /* nothing that names a file: sync */
	SHAPE_IO_SUBMIT,  /* ctx, nr, **iocb */
	SHAPE_IO_GETEVENTS, /* ctx, min_nr, nr, *events */
	SHAPE_FORK,       /* nothing */
	SHAPE_CLONE,      /* flags */
	SHAPE_CLONE3,     /* *arguments, flags first */
	SHAPE_REPLACE,    /* closes descriptors besides, and is not recorded: dup2, dup3, close_range */
	SHAPE_USER,       /* changes the user, and is not recorded: setuid, setreuid, setresuid */
};

/* Samples of what a call moved were zeros. No flag of an open file has this bit. */
#define MOVED_ZEROS (1u << 31)

struct io {
	u8 rec;
	u8 rwf; /* RWF_ flags of the call */
	u16 nr;
	u32 fflags; /* f_flags of the open file, and MOVED_ZEROS */
	u64 start;
	u64 dur;
	u32 pid;
	u32 tid;
	s64 ret;
	u32 req;    /* bytes asked for, saturated at 2^32-1 */
	u32 filled; /* pages added to the page cache meanwhile */
	s64 off;
	u64 buf;    /* address of the first byte in the program's memory, 0 if the call moves none */
	u32 file;
	s32 fd;
};

struct call {
	u8 rec;
	u8 pad;
	u16 nr;
	u32 fflags;
	u64 start;
	u64 dur;
	u32 pid;
	u32 tid;
	s64 ret;
	u64 req; /* of a fork: bytes of the page tables */
	s64 off;
	s64 off2;
	u32 file;
	u32 file2;
	s32 fd;
	s32 fd2;
	u32 dir;  /* directory that path 1 is relative to */
	u32 dir2; /* directory that path 2 is relative to */
	u32 aux;  /* mode, advice, prot | flags << 8, ioctl or fcntl command, flags of clone */
	u32 filled;
	u16 len1; /* bytes of path 1 behind the struct, 0: none */
	u16 len2; /* of path 2, or of the address of a socket */
	u32 pad2;
};

enum ident_flags {
	IDENT_DELETED = 1,   /* no name any more */
	IDENT_CUT = 2,       /* path too long: its beginning is missing */
	IDENT_FS_ROOT = 4,   /* path is relative to the root of its file system */
	IDENT_ALONE = 8,     /* in no directory */
	IDENT_SYNC = 16,     /* writes return when their data is safe, however it was opened */
	IDENT_ELSEWHERE = 32, /* on a mount of another namespace than the recorder's, or of none */
	IDENT_LOCATION = 64, /* not the file but where it lies: the same names from another root, before the file */
};

struct ident {
	u8 rec;
	u8 flags;
	u16 mode;
	u32 file;
	u64 ino;
	u64 size;
	u32 dev;
	u32 rdev;
	u64 time;
	u64 magic;
	u8 fstype[16];
	u32 len; /* bytes of names behind the struct: last name first, NUL behind each */
	u32 pad;
};

enum api {
	API_URING = 1,
	API_LIBAIO = 2,
};

struct async {
	u8 rec;
	u8 api;
	u8 op; /* io_uring opcode or iocb opcode */
	u8 pad;
	u32 fflags;
	u64 submit;
	u64 complete;
	u32 pid;
	u32 tid;
	s64 ret;
	u64 req;
	s64 off;
	u64 buf; /* as in struct io */
	u32 file;
	u32 aux; /* RWF_ flags; flags of fsync, mode of fallocate */
};

struct fault {
	u8 rec;
	u8 pad[3];
	u32 filled;
	u64 start;
	u64 dur;
	u32 pid;
	u32 tid;
	s64 off;
	u32 file;
	u32 pad2;
};

enum evidence {
	EV_NONE,
	EV_EXACT,
	EV_INODE,
};

struct extent {
	u32 file;
	u32 bytes;
	s64 off;
};

enum req_marks {
	MARK_BIO = 1,     /* a device without requests: one bio */
	MARK_DIRECT = 2,  /* pages of user memory */
	MARK_SWAP = 4,
	MARK_TRACED = 8,  /* queued by a recorded task */
	MARK_PACKED = 16, /* pages that hold compressed data */
	MARK_IDLE = 32,   /* of the I/O priority class idle */
	MARK_SPARE = 64,  /* of a log, where nothing but room beyond the ends of files was given back */
};

/* What struct req and struct one_req begin with. `extents` counts all, the first included. */
#define REQ_HEAD \
	u8 rec; \
	u8 evidence; \
	u8 marks; \
	u8 status; /* blk_status_t */ \
	u32 opf; \
	u64 queued; \
	u64 issued; \
	u64 completed; \
	u64 sector; \
	u32 dev; \
	u32 bytes; \
	u32 pid; \
	u32 tid; \
	u16 bios; \
	u16 requeues; \
	u16 extents; \
	u16 pad; \
	u32 own;    /* bytes of a log or of trees that recorded tasks changed, as in struct commit */ \
	u32 others; /* that other programs changed */

struct one_req {
	REQ_HEAD
	struct extent ext;
};

struct req {
	REQ_HEAD
	struct extent ext[MAX_EXTENTS];
};

#define NO_CALL 0x3fff

/* What wakes a thread. */
enum waker {
	BY_UNKNOWN,
	BY_THREAD,
	BY_REQUEST,
	BY_TIMER,
	BY_INTERRUPT,
	BY_RPC,
};

struct wait {
	u8 rec;
	u8 cause;
	u16 nr;    /* of WAIT_OTHER: the call that the thread is in; NO_CALL if that is not known */
	u32 given; /* whether its first argument is another than 0 */
	u32 arg2;  /* the lower halves of its third and fourth */
	u32 arg3;
	u64 start;
	u64 dur;
	u32 pid;
	u32 tid;
	u64 ready;     /* the part of dur since it was woken */
	u64 completed; /* BY_REQUEST: `completed` of the record of that request; BY_RPC: `ended` */
	u32 waker;     /* BY_THREAD, BY_RPC, and BY_REQUEST where a thread completed it */
	u8 by;
	u8 helper;     /* of a thread that is followed as one */
	u16 pad;
};

/* A thread that is not recorded woke one that is, or another helper. */
struct helper {
	u8 rec;
	u8 pad[3];
	u32 parent;
	u64 time;
	u32 pid;
	u32 tid;
	u8 comm[COMM_LEN];
};

struct fork {
	u8 rec;
	u8 grouped; /* its control group is not its parent's, and was told before */
	u8 pad[2];
	u32 parent_tid;
	u64 time;
	u32 parent;
	u32 pid;
	u32 tid;
	u32 uid;
	u8 comm[COMM_LEN];
};

/* Why a process is one of the targets. */
enum selection {
	CHOSEN = 1, /* by number or name: it stays one, and its children are too */
	MEMBER,     /* as long as it is in a control group, or of a user */
};

/* A control group: hierarchies count their inodes each for itself. */
struct group {
	u64 inode;
	u32 hierarchy;
	u32 pad;
};

/* The control group that a process is in: names from the innermost on, each with a NUL. None: a root. */
struct group_path {
	u8 rec;
	u8 moved; /* while it runs */
	u16 len;
	u32 pid;
};

struct exec {
	u8 rec;
	u8 pad[3];
	u32 uid;
	u64 time;
	u32 pid;
	u32 parent;
	u8 comm[COMM_LEN];
	u32 file; /* of the program */
	u16 len1; /* bytes of the path */
	u16 len2; /* bytes of the arguments */
};

struct exit {
	u8 rec;
	u8 group; /* last thread of its process */
	u16 pad;
	s32 status;
	u64 time;
	u64 cpu; /* of all threads; with the last one */
	u32 pid;
	u32 tid;
	u8 comm[COMM_LEN];
};

/* A transaction of a journal, before it is written. Blocks count for whoever changed them first. */
struct commit {
	u8 rec;
	u8 pad[3];
	u32 tid;    /* the thread that writes it */
	u64 time;
	u32 own;    /* blocks that recorded tasks changed, and daemons that serve files to them */
	u32 others; /* that other programs changed */
};

/* What a client asked of a server, once it is through with the reply, or once the server has sent that. */
struct rpc {
	u8 rec;
	u8 pad[3];
	u32 program; /* of ONC RPC, or PROGRAM_SMB */
	u32 version; /* of that program; of SMB the command */
	s32 status;  /* 0, or -errno */
	u64 start;
	u64 sent;    /* last; 0: never */
	u64 replied; /* 0: never */
	u64 ended;
	u64 out;     /* bytes of all messages that were sent */
	u64 in;
	s64 off;     /* in the file, of data that is read or written, -1: not known */
	u32 bytes;   /* of that data */
	u32 file;
	u32 pid;     /* process that asked */
	u32 tid;     /* thread that took the reply */
	u32 sends;
	u32 xid;    /* 0: not known */
	u32 served; /* it is of the server */
	u32 pad2;
	u8 name[RPC_NAME];
	u8 server[RPC_SERVER];
};

/* Where a recorded thread was on a CPU as the clock of samples struck. */
struct sample {
	u8 rec;
	u8 user;   /* it ran its program, else the kernel */
	u16 nr;    /* of the recorded call that it was in; NO_CALL: in none */
	u32 pid;
	u64 at;    /* user: place in the file; kernel, and of no file: the address */
	u64 inode; /* of the file that is mapped there, 0: none, or it could not be asked for */
	u32 dev;
	u32 pad;
	u8 comm[COMM_LEN]; /* of the process */
	u8 name[MAPPED_NAME]; /* last name of the file */
};

struct lost_key {
	u32 kind; /* enum record */
	u32 cpu;
	u64 slice;
};

#endif /* IOTRACE_H */
