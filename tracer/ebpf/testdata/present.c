/* Threads that make no call once they are there: three compute, one is asked to end that by its standard input, and the first one waits for them. */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int ended;

static void *compute(void *arg)
{
	while (!ended)
		;
	return NULL;
}

static void *listen_to(void *arg)
{
	struct pollfd input = { .events = POLLIN };

	poll(&input, 1, -1);
	ended = 1;
	return NULL;
}

int main(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, i ? compute : listen_to, NULL);
	puts("there");
	fflush(stdout);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
