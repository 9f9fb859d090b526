// SPDX-License-Identifier: Apache-2.0
/*
 * 8 threads with known I/O: each writes 250 blocks of 1000 bytes to a file of
 * its own and as many to a shared one, then reads its file back.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 8, WRITES = 250, BLOCK = 1000 };

static const char *dir;
static int shared;

static void check(int ok)
{
	if (!ok) {
		perror("threads");
		exit(1);
	}
}

static void *work(void *arg)
{
	long i = (long)arg;
	char name[4096], block[BLOCK] = { 0 };

	snprintf(name, sizeof(name), "%s/%ld", dir, i);
	int fd = open(name, O_CREAT | O_RDWR, 0600);
	check(fd >= 0);
	for (long n = 0; n < WRITES; n++) {
		check(write(fd, block, BLOCK) == BLOCK);
		check(pwrite(shared, block, BLOCK, (n * THREADS + i) * BLOCK) == BLOCK);
	}
	check(lseek(fd, 0, SEEK_SET) == 0);
	for (long n = 0; n < WRITES; n++)
		check(read(fd, block, BLOCK) == BLOCK);
	check(fsync(fd) == 0);
	check(close(fd) == 0);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	char name[4096];

	check(argc == 2);
	dir = argv[1];
	snprintf(name, sizeof(name), "%s/shared", dir);
	shared = open(name, O_CREAT | O_WRONLY, 0600);
	check(shared >= 0);
	for (long i = 0; i < THREADS; i++)
		check(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
	for (long i = 0; i < THREADS; i++)
		check(pthread_join(threads[i], NULL) == 0);
	return close(shared);
}
