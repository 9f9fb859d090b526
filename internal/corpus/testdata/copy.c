/* Copies a file in the way named first: copy WAY SOURCE DESTINATION. */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCK = 1 << 16, THREADS = 4 };
static const char *source, *destination;
static int in, out;
static long size;

static void check(int ok, const char *what)
{
	if (!ok)
		err(1, "%s", what);
}

/* Standard streams: calls of a block of the file system. */
static void stdio(void)
{
	FILE *i = fopen(source, "r"), *o = fopen(destination, "w");
	check(i && o, "fopen");
	for (int c; (c = getc(i)) != EOF;)
		putc(c, o);
	check(!fclose(o), "fclose");
}

static void *part(void *number)
{
	char *block = malloc(BLOCK);
	for (long at = BLOCK * (long)number; at < size; at += (long)BLOCK * THREADS) {
		ssize_t n = pread(in, block, BLOCK, at);
		check(n > 0 && pwrite(out, block, n, at) == n, "pread, pwrite");
	}
	return block;
}

/* Several threads copy every fourth block each. */
static void threads(void)
{
	pthread_t t[THREADS];
	for (long i = 0; i < THREADS; i++)
		check(!pthread_create(&t[i], NULL, part, (void *)i), "pthread_create");
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
}

/* One thread reads and another writes, with two buffers between them. */
static char *full[2];
static ssize_t length[2];
static pthread_barrier_t turn;

static void *writer(void *unused)
{
	for (int i = 0;; i ^= 1) {
		pthread_barrier_wait(&turn);
		if (length[i] == 0)
			return unused;
		check(write(out, full[i], length[i]) == length[i], "write");
	}
}

static void turns(void)
{
	pthread_t t;
	pthread_barrier_init(&turn, NULL, 2);
	check(!pthread_create(&t, NULL, writer, NULL), "pthread_create");
	for (int i = 0;; i ^= 1) {
		if (!full[i])
			full[i] = malloc(BLOCK);
		length[i] = read(in, full[i], BLOCK);
		pthread_barrier_wait(&turn);
		if (length[i] == 0)
			break;
	}
	pthread_join(t, NULL);
}

/* A file of odd length, past the cache as far as that goes. */
static void direct(void)
{
	char *block = NULL;
	long at = 0;
	in = open(source, O_RDONLY | O_DIRECT);
	out = open(destination, O_WRONLY | O_CREAT | O_DIRECT, 0644);
	check(in >= 0 && out >= 0 && !posix_memalign((void **)&block, 4096, BLOCK), "open");
	for (ssize_t n; (n = read(in, block, BLOCK)) > 0; at += n)
		check(write(out, block, BLOCK) == BLOCK, "write");
	check(!ftruncate(out, size), "ftruncate");
}

static void mapped(void)
{
	check(!ftruncate(out, size), "ftruncate");
	char *i = mmap(NULL, size, PROT_READ, MAP_SHARED, in, 0), *o = mmap(NULL, size, PROT_WRITE, MAP_SHARED, out, 0);
	check(i != MAP_FAILED && o != MAP_FAILED, "mmap");
	memcpy(o, i, size);
}

/* A pipe between two processes, filled and emptied by splice. */
static void spliced(void)
{
	int p[2];
	ssize_t n;
	check(!pipe(p), "pipe");
	pid_t child = fork();
	if (child == 0) {
		close(p[1]);
		while ((n = splice(p[0], NULL, out, NULL, BLOCK, 0)) > 0) {
		}
		_exit(n < 0);
	}
	while ((n = splice(in, NULL, p[1], NULL, BLOCK, 0)) > 0) {
	}
	check(n == 0, "splice");
	close(p[1]);
	waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*copy)(void);
	} ways[] = {
		{ "stdio", stdio },   { "threads", threads }, { "turns", turns },
		{ "direct", direct }, { "mapped", mapped },   { "spliced", spliced },
	};
	if (argc != 4)
		errx(2, "usage: copy WAY SOURCE DESTINATION");
	source = argv[2], destination = argv[3];
	in = open(source, O_RDONLY);
	out = open(destination, O_RDWR | O_CREAT, 0644);
	struct stat s;
	check(in >= 0 && out >= 0 && !fstat(in, &s), "open");
	size = s.st_size;
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (!strcmp(argv[1], ways[i].name)) {
			ways[i].copy();
			return 0;
		}
	errx(2, "no such way: %s", argv[1]);
}
