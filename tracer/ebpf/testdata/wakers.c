/* One thread or process waits, another ends that after a pause; which way is the argument. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static int fds[2], set;

static void check(int ok, const char *what)
{
	if (!ok) {
		perror(what);
		exit(1);
	}
}

static void pause_for(int ms)
{
	struct timespec t = { 0, ms * 1000000L };

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

static void *notifies(void *how)
{
	uint64_t one = 1;

	if (!strcmp(how, "mutex"))
		pthread_mutex_lock(&mutex);
	pthread_barrier_wait(&barrier);
	pause_for(50);
	if (!strcmp(how, "mutex")) {
		pthread_mutex_unlock(&mutex);
	} else if (!strcmp(how, "cond")) {
		pthread_mutex_lock(&mutex);
		set = 1;
		pthread_cond_signal(&cond);
		pthread_mutex_unlock(&mutex);
	} else if (!strcmp(how, "semaphore")) {
		sem_post(&semaphore);
	} else if (!strcmp(how, "eventfd") || !strcmp(how, "epoll")) {
		check(write(fds[1], &one, sizeof(one)) == sizeof(one), how);
	}
	pause_for(50); /* what comes next is not what the other waited for */
	return NULL;
}

/* in_thread waits for a thread of the process. */
static void in_thread(char *how)
{
	struct epoll_event e = { .events = EPOLLIN };
	pthread_t other;
	uint64_t n;
	int ep;

	pthread_barrier_init(&barrier, NULL, 2);
	sem_init(&semaphore, 0, 0);
	fds[0] = fds[1] = eventfd(0, 0);
	ep = epoll_create1(0);
	check(!epoll_ctl(ep, EPOLL_CTL_ADD, fds[0], &e), how);
	check(!pthread_create(&other, NULL, notifies, how), how);
	pthread_barrier_wait(&barrier);
	if (!strcmp(how, "mutex")) {
		pthread_mutex_lock(&mutex);
	} else if (!strcmp(how, "cond")) {
		pthread_mutex_lock(&mutex);
		while (!set)
			pthread_cond_wait(&cond, &mutex);
	} else if (!strcmp(how, "semaphore")) {
		sem_wait(&semaphore);
	} else if (!strcmp(how, "eventfd")) {
		check(read(fds[0], &n, sizeof(n)) == sizeof(n), how);
	} else if (!strcmp(how, "epoll")) {
		check(epoll_wait(ep, &e, 1, -1) == 1, how);
	}
	_exit(0);
}

/* in_process waits for a child. */
static void in_process(char *how, const char *file)
{
	struct pollfd p;
	sigset_t signals;
	pid_t child;
	char c;
	int fd = -1, lock = !strcmp(how, "flock") || !strcmp(how, "fcntl"), sig;
	struct flock whole = { .l_type = F_WRLCK };

	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	check(!(strcmp(how, "socket") ? pipe(fds) : socketpair(AF_UNIX, SOCK_STREAM, 0, fds)), how);
	child = fork();
	if (lock)
		check((fd = open(file, O_RDWR | O_CREAT, 0600)) >= 0, file);
	if (!child) {
		if (!strcmp(how, "flock"))
			flock(fd, LOCK_EX);
		else if (!strcmp(how, "fcntl"))
			fcntl(fd, F_SETLK, &whole);
		if (lock)
			check(write(fds[1], "x", 1) == 1, how);
		pause_for(50);
		if (!strcmp(how, "flock"))
			flock(fd, LOCK_UN);
		else if (!strcmp(how, "fcntl"))
			whole.l_type = F_UNLCK, fcntl(fd, F_SETLK, &whole);
		else if (!strcmp(how, "signal"))
			kill(getppid(), SIGUSR1);
		else if (strcmp(how, "child"))
			check(write(fds[1], "x", 1) == 1, how);
		if (strcmp(how, "child"))
			pause_for(50);
		_exit(0);
	}
	if (lock)
		check(read(fds[0], &c, 1) == 1, how);
	if (!strcmp(how, "flock"))
		check(!flock(fd, LOCK_EX), how);
	else if (!strcmp(how, "fcntl"))
		check(!fcntl(fd, F_SETLKW, &whole), how);
	else if (!strcmp(how, "signal"))
		check(!sigwait(&signals, &sig), how);
	else if (!strcmp(how, "child"))
		check(wait(NULL) == child, how);
	else if (!strcmp(how, "poll"))
		p.fd = fds[0], p.events = POLLIN, check(poll(&p, 1, -1) == 1, how);
	else
		check(read(fds[0], &c, 1) == 1, how);
	_exit(0);
}

static void nothing(int sig)
{
}

int main(int argc, char **argv)
{
	struct itimerval soon = { .it_value.tv_usec = 60000 };
	struct timespec t = { 0, 60000000 };
	struct pollfd none;
	char *how = argv[1];

	if (!strcmp(how, "nanosleep"))
		return nanosleep(&t, NULL);
	if (!strcmp(how, "timeout"))
		return poll(&none, 0, 60);
	if (!strcmp(how, "alarm")) {
		signal(SIGALRM, nothing);
		setitimer(ITIMER_REAL, &soon, NULL);
		pause();
		return 0;
	}
	if (argc > 2) /* the file to lock */
		in_process(how, argv[2]);
	in_thread(how);
}
