/*
 * reuse HOW DIR N makes files 1 to N, each of which goes before the next one
 * comes: on one CPU, by one thread, and so slowly that the kernel uses the memory
 * of open files and directory entries again. In each round
 *
 *   direct       writes 4 KiB to the file directly; the descriptors of the first
 *                half are even, those of the others odd
 *   close_range  writes 1 byte to it, closes it by close_range, and writes 2 to memory
 *   dup2         the same, but dup2 closes it, and gives the memory its descriptor
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static char block[4096] __attribute__((aligned(4096)));

static void pause_for_kernel(void)
{
	usleep(300000);
}

/* leave_next sees to it that the next free descriptor is even or odd. */
static void leave_next(int odd)
{
	int fd = dup(STDIN_FILENO);

	if (fd < 0)
		err(1, "dup");
	if (fd % 2 == odd)
		close(fd);
}

static void put(int fd, int bytes)
{
	if (fd < 0 || write(fd, block, bytes) != bytes)
		err(1, "writing %d bytes to %d", bytes, fd);
}

static int create(int i, int flags)
{
	char name[16];
	int fd;

	snprintf(name, sizeof(name), "%d", i);
	fd = open(name, O_CREAT | O_RDWR | flags, 0600);
	put(fd, flags ? sizeof(block) : 1);
	if (unlink(name))
		err(1, "%s", name);
	return fd;
}

static void close_range_between(int fd)
{
	if (syscall(SYS_close_range, fd, fd, 0))
		err(1, "close_range");
	pause_for_kernel();
	fd = memfd_create("memory", 0);
	put(fd, 2);
	close(fd);
}

static void dup2_between(int fd)
{
	int memory;

	if (dup2(STDIN_FILENO, fd) < 0)
		err(1, "dup2");
	pause_for_kernel();
	memory = memfd_create("memory", 0);
	if (dup2(memory, fd) < 0)
		err(1, "dup2");
	put(fd, 2);
	close(memory);
	close(fd);
}

int main(int argc, char **argv)
{
	int i, n;
	cpu_set_t cpu;

	CPU_ZERO(&cpu);
	CPU_SET(0, &cpu);
	if (argc != 4 || sched_setaffinity(0, sizeof(cpu), &cpu) || chdir(argv[2]))
		err(1, "reuse HOW DIR N");
	n = atoi(argv[3]);
	for (i = 1; i <= n; i++) {
		if (!strcmp(argv[1], "close_range")) {
			close_range_between(create(i, 0));
		} else if (!strcmp(argv[1], "dup2")) {
			dup2_between(create(i, 0));
		} else {
			if (i == 1 || i == n / 2 + 1)
				leave_next(i > n / 2);
			close(create(i, O_DIRECT));
		}
		pause_for_kernel();
	}
	return 0;
}
