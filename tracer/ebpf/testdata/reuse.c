/*
 * reuse DIR N creates files 1 to N and writes 4 KiB directly to each, which goes
 * before the next one comes: on one CPU, by one thread, and so slowly that the
 * kernel uses the memory of open files and directory entries again. The
 * descriptors of the first half are even, those of the others odd.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char block[4096] __attribute__((aligned(4096)));

/* leave_next sees to it that the next free descriptor is even or odd. */
static void leave_next(int odd)
{
	int fd = dup(STDIN_FILENO);

	if (fd < 0)
		err(1, "dup");
	if (fd % 2 == odd)
		close(fd);
}

int main(int argc, char **argv)
{
	int i, n = atoi(argv[argc - 1]);
	cpu_set_t cpu;

	CPU_ZERO(&cpu);
	CPU_SET(0, &cpu);
	if (argc != 3 || sched_setaffinity(0, sizeof(cpu), &cpu) || chdir(argv[1]))
		err(1, "reuse DIR N");
	for (i = 1; i <= n; i++) {
		char name[16];
		int fd;

		if (i == 1 || i == n / 2 + 1)
			leave_next(i > n / 2);
		snprintf(name, sizeof(name), "%d", i);
		fd = open(name, O_CREAT | O_RDWR | O_DIRECT, 0600);
		if (fd < 0 || write(fd, block, sizeof(block)) != sizeof(block) || unlink(name) || close(fd))
			err(1, "%s", name);
		usleep(300000);
	}
	return 0;
}
