// SPDX-License-Identifier: Apache-2.0
/*
 * Processes and threads come to be in many ways. "processes WAY FILE [STATUS]"
 * has one byte written to FILE by somebody made in that way.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *self, *file;
static int status;

static void check(int ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "processes: %s: %s\n", what, strerror(errno));
	_exit(99);
}

static void write_file(void)
{
	int fd = open(file, O_CREAT | O_WRONLY | O_APPEND, 0644);

	check(fd >= 0, file);
	check(write(fd, "x", 1) == 1, "write");
	check(close(fd) == 0, "close");
}

static void reap(pid_t pid)
{
	int s;

	check(pid > 0 && waitpid(pid, &s, 0) == pid && s == 0, "child");
}

static void exec_writer(void)
{
	execl(self, self, "write", file, (char *)NULL);
	_exit(98);
}

static void *thread_write(void *arg)
{
	write_file();
	return arg;
}

static void *thread_exec(void *arg)
{
	exec_writer();
	return arg;
}

static pthread_t main_thread;

static void *thread_write_and_exit(void *arg)
{
	check(pthread_join(main_thread, NULL) == 0, "join");
	write_file();
	exit(status);
	return arg;
}

static sem_t burnt;

static void *burn(void *arg)
{
	struct timespec ts;

	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	} while (ts.tv_sec == 0 && ts.tv_nsec < 60000000);
	return arg;
}

static void *burn_and_exit(void *arg)
{
	check(pthread_join(main_thread, NULL) == 0, "join");
	burn(arg);
	write_file();
	syscall(SYS_exit, 1); /* of this thread, which is the last one */
	return arg;
}

static void *burn_on(void *arg)
{
	burn(arg);
	sem_post(&burnt);
	for (;;)
		pause();
}

static void in_thread(void *(*f)(void *))
{
	pthread_t t;

	check(pthread_create(&t, NULL, f, NULL) == 0, "thread");
	check(pthread_join(t, NULL) == 0, "join");
}

/* Waits for FILE.go, and ends where nobody can make it any more: without the directory. */
static void await_go(void)
{
	char go[4096], dir[4096];

	snprintf(go, sizeof(go), "%s.go", file);
	snprintf(dir, sizeof(dir), "%.*s", (int)(strrchr(file, '/') - file), file);
	while (access(go, F_OK)) {
		check(access(dir, F_OK) == 0, dir);
		usleep(1000);
	}
}

/* Has a child every millisecond; each writes once the pipe FILE.go has a writer. */
static void breed(void)
{
	enum { CHILDREN = 1500 };
	pid_t pids[CHILDREN];
	char go[4096];

	snprintf(go, sizeof(go), "%s.go", file);
	check(mkfifo(go, 0600) == 0, go);
	for (int i = 0; i < CHILDREN; i++) {
		pids[i] = fork();
		check(pids[i] >= 0, "fork");
		if (pids[i] == 0) {
			check(open(go, O_RDONLY) >= 0, go);
			write_file();
			_exit(0);
		}
		usleep(1000);
	}
	for (int i = 0; i < CHILDREN; i++)
		reap(pids[i]);
}

static void run_daemon(void)
{
	pid_t pid = fork();

	check(pid >= 0, "fork");
	if (pid == 0) {
		check(setsid() > 0, "setsid");
		if (fork() > 0)
			_exit(0);
		await_go(); /* whoever started it is gone by then */
		write_file();
		_exit(0);
	}
	reap(pid);
}

int main(int argc, char **argv)
{
	const char *way = argv[1];
	pid_t pid;

	check(argc >= 3, "usage");
	self = argv[0];
	file = argv[2];
	main_thread = pthread_self();
	status = argc > 3 ? atoi(argv[3]) : 0;
	if (!strcmp(way, "write")) {
		write_file();
	} else if (!strcmp(way, "fork")) {
		pid = fork();
		if (pid == 0) {
			write_file();
			_exit(0);
		}
		reap(pid);
	} else if (!strcmp(way, "vfork")) {
		pid = vfork();
		if (pid == 0)
			exec_writer();
		reap(pid);
	} else if (!strcmp(way, "clone3")) {
		struct clone_args args = { .exit_signal = SIGCHLD };
		const char *group = getenv("GROUP"); /* where the child is to begin */

		if (group) {
			args.flags = CLONE_INTO_CGROUP;
			args.cgroup = open(group, O_RDONLY | O_DIRECTORY);
			check((int)args.cgroup >= 0, group);
		}
		pid = syscall(SYS_clone3, &args, sizeof(args));
		if (pid == 0) {
			write_file();
			_exit(0);
		}
		reap(pid);
	} else if (!strcmp(way, "thread")) {
		in_thread(thread_write);
	} else if (!strcmp(way, "exec from a thread")) {
		in_thread(thread_exec);
	} else if (!strcmp(way, "daemon")) {
		run_daemon();
	} else if (!strcmp(way, "thread outlives main")) {
		pthread_t t;

		check(pthread_create(&t, NULL, thread_write_and_exit, NULL) == 0, "thread");
		pthread_exit(NULL);
	} else if (!strcmp(way, "burn")) {
		pthread_t t[3];

		for (int i = 0; i < 3; i++)
			check(pthread_create(&t[i], NULL, burn, NULL) == 0, "thread");
		for (int i = 0; i < 3; i++)
			pthread_join(t[i], NULL);
		burn(NULL);
		write_file();
	} else if (!strcmp(way, "main burns and exits first")) {
		pthread_t t;

		burn(NULL);
		check(pthread_create(&t, NULL, burn_and_exit, NULL) == 0, "thread");
		syscall(SYS_exit, status);
	} else if (!strcmp(way, "exit with threads running")) {
		pthread_t t[3];

		check(sem_init(&burnt, 0, 0) == 0, "semaphore");
		for (int i = 0; i < 3; i++)
			check(pthread_create(&t[i], NULL, burn_on, NULL) == 0, "thread");
		for (int i = 0; i < 3; i++)
			sem_wait(&burnt);
	} else if (!strcmp(way, "breed")) {
		breed();
	} else if (!strcmp(way, "wait, then fork")) {
		/* For tests that attach: begins when FILE.go exists, in a thread and a child. */
		await_go();
		in_thread(thread_write);
		pid = fork();
		if (pid == 0) {
			write_file();
			_exit(0);
		}
		reap(pid);
		write_file();
	} else {
		check(0, "no such way");
	}
	return status;
}
