/* Computes in functions of known names: in a thread, in the C library, and in children that are soon gone. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 400000000UL
#define CHILDREN 20

static volatile unsigned long sum;

static __attribute__((noinline)) void burn_most(unsigned long n)
{
	unsigned long x = 1;

	while (n--)
		x = x * 6364136223846793005UL + n;
	sum += x;
}

static __attribute__((noinline)) void burn_brief(unsigned long n)
{
	unsigned long x = 1;

	while (n--)
		x = x * 2862933555777941757UL + n;
	sum += x;
}

static void *thread(void *unused)
{
	burn_most(2 * ROUNDS);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t other;

	if (argc > 1) {
		burn_brief(ROUNDS / CHILDREN);
		return 0;
	}
	if (pthread_create(&other, NULL, thread, NULL))
		return 1;
	for (unsigned long i = 0; i < ROUNDS / 10; i++)
		sum += random();
	pthread_join(other, NULL);
	for (int i = 0; i < CHILDREN; i++) {
		if (!fork()) {
			execl(argv[0], argv[0], "child", NULL);
			_exit(1);
		}
		wait(NULL);
	}
	return 0;
}
