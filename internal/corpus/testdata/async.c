/* Copies a file by asynchronous I/O, 8 blocks of 64 KiB at once:
   async libaio|uring SOURCE DESTINATION. Both sides are O_DIRECT for libaio. */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BLOCK = 65536, DEPTH = 8 };
static char *buffer[DEPTH];
static long size;

static long length(long at)
{
	return size - at < BLOCK ? size - at : BLOCK;
}

static void libaio(int in, int out)
{
	aio_context_t ctx = 0;
	if (syscall(SYS_io_setup, DEPTH, &ctx) < 0)
		err(1, "io_setup");
	for (long base = 0; base < size; base += (long)BLOCK * DEPTH)
		for (int writing = 0; writing < 2; writing++) {
			struct iocb cb[DEPTH], *list[DEPTH];
			struct io_event done[DEPTH];
			int n = 0;
			for (long at = base; n < DEPTH && at < size; at += BLOCK, n++) {
				memset(&cb[n], 0, sizeof cb[n]);
				cb[n].aio_fildes = writing ? out : in;
				cb[n].aio_lio_opcode = writing ? IOCB_CMD_PWRITE : IOCB_CMD_PREAD;
				cb[n].aio_buf = (unsigned long)buffer[n];
				cb[n].aio_nbytes = length(at);
				cb[n].aio_offset = at;
				list[n] = &cb[n];
			}
			if (syscall(SYS_io_submit, ctx, n, list) != n)
				err(1, "io_submit");
			if (syscall(SYS_io_getevents, ctx, n, n, done, 0) != n)
				err(1, "io_getevents");
			for (int i = 0; i < n; i++)
				if (done[i].res <= 0)
					errx(1, "an operation failed: %lld", (long long)done[i].res);
		}
}

static void uring(int in, int out)
{
	struct io_uring_params p = { 0 };
	int fd = syscall(SYS_io_uring_setup, DEPTH, &p);
	if (fd < 0)
		err(1, "io_uring_setup");
	char *sq =
		mmap(0, p.sq_off.array + p.sq_entries * 4, PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQ_RING);
	char *cq = mmap(0, p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe), PROT_READ | PROT_WRITE,
			MAP_SHARED, fd, IORING_OFF_CQ_RING);
	struct io_uring_sqe *sqe =
		mmap(0, p.sq_entries * sizeof *sqe, PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQES);
	unsigned *tail = (unsigned *)(sq + p.sq_off.tail), *array = (unsigned *)(sq + p.sq_off.array),
		 mask = p.sq_entries - 1;
	unsigned *head = (unsigned *)(cq + p.cq_off.head), cmask = p.cq_entries - 1;
	struct io_uring_cqe *cqe = (struct io_uring_cqe *)(cq + p.cq_off.cqes);
	for (long base = 0; base < size; base += (long)BLOCK * DEPTH)
		for (int writing = 0; writing < 2; writing++) {
			int n = 0;
			for (long at = base; n < DEPTH && at < size; at += BLOCK, n++) {
				unsigned i = (*tail + n) & mask;
				memset(&sqe[i], 0, sizeof sqe[i]);
				sqe[i].opcode = writing ? IORING_OP_WRITE : IORING_OP_READ;
				sqe[i].fd = writing ? out : in;
				sqe[i].addr = (unsigned long)buffer[n];
				sqe[i].len = length(at);
				sqe[i].off = at;
				array[i] = i;
			}
			__atomic_store_n(tail, *tail + n, __ATOMIC_RELEASE);
			if (syscall(SYS_io_uring_enter, fd, n, n, IORING_ENTER_GETEVENTS, 0, 0) != n)
				err(1, "io_uring_enter");
			for (int i = 0; i < n; i++)
				if (cqe[(*head + i) & cmask].res <= 0)
					errx(1, "an operation failed: %d", cqe[(*head + i) & cmask].res);
			__atomic_store_n(head, *head + n, __ATOMIC_RELEASE);
		}
}

int main(int argc, char **argv)
{
	int aio = argc == 4 && !strcmp(argv[1], "libaio");
	int in = open(argv[2], O_RDONLY | (aio ? O_DIRECT : 0));
	int out = open(argv[3], O_WRONLY | O_CREAT | O_TRUNC | (aio ? O_DIRECT : 0), 0644);
	struct stat st;
	if (in < 0 || out < 0 || fstat(in, &st))
		err(1, "opening the files");
	size = st.st_size;
	for (int i = 0; i < DEPTH; i++)
		if (posix_memalign((void **)&buffer[i], 4096, BLOCK))
			err(1, "allocating");
	(aio ? libaio : uring)(in, out);
	return 0;
}
