/* Operations of a ring that move nothing to or from a file: a time, a message, a sync, a descriptor that becomes ready. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/time_types.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static void check(int ok, const char *what)
{
	if (!ok) {
		perror(what);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	struct __kernel_timespec soon = { 0, 20000000 };
	struct io_uring_params p = { 0 };
	int ring = syscall(__NR_io_uring_setup, 8, &p), fds[2], file;
	struct io_uring_sqe *sqe;
	unsigned *array, *tail;
	char buffer[64], *sq;

	check(ring >= 0, "io_uring_setup");
	check(p.features & IORING_FEAT_SINGLE_MMAP, "one mapping");
	sq = mmap(NULL, p.sq_off.array + p.sq_entries * sizeof(unsigned) + 65536, PROT_READ | PROT_WRITE, MAP_SHARED,
		  ring, IORING_OFF_SQ_RING);
	sqe = mmap(NULL, p.sq_entries * sizeof(*sqe), PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
	check(sq != MAP_FAILED && (void *)sqe != MAP_FAILED, "mmap");
	check(!socketpair(AF_UNIX, SOCK_STREAM, 0, fds), "socketpair");
	check((file = open(argv[1], O_RDWR | O_CREAT, 0600)) >= 0, argv[1]);
	check(write(fds[1], "hello", 5) == 5, "write");
	memset(sqe, 0, 4 * sizeof(*sqe));
	sqe[0].opcode = IORING_OP_TIMEOUT;
	sqe[0].addr = (unsigned long)&soon;
	sqe[0].len = 1;
	sqe[1].opcode = IORING_OP_RECV;
	sqe[1].fd = fds[0];
	sqe[1].addr = (unsigned long)buffer;
	sqe[1].len = sizeof(buffer);
	sqe[2].opcode = IORING_OP_FSYNC;
	sqe[2].fd = file;
	sqe[2].fsync_flags = IORING_FSYNC_DATASYNC;
	sqe[3].opcode = IORING_OP_POLL_ADD;
	sqe[3].fd = fds[0];
	sqe[3].poll32_events = POLLOUT;
	array = (unsigned *)(sq + p.sq_off.array);
	for (unsigned i = 0; i < 4; i++)
		array[i] = i;
	tail = (unsigned *)(sq + p.sq_off.tail);
	__atomic_store_n(tail, 4, __ATOMIC_RELEASE);
	check(syscall(__NR_io_uring_enter, ring, 4, 4, IORING_ENTER_GETEVENTS, NULL, 0) == 4, "io_uring_enter");
	return 0;
}
