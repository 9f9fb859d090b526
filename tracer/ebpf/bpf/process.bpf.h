/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Processes: who belongs to the recording, and what they are called. */
#ifndef IOTRACE_PROCESS_BPF_H
#define IOTRACE_PROCESS_BPF_H

#define MAX_ARGS 4096
#define SIGNAL_GROUP_EXIT 4

struct exec_scratch {
	struct exec exec;
	char text[MAX_PATH + MAX_ARGS];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct exec_scratch);
} exec_scratches SEC(".maps");

static __always_inline bool wanted_name(struct task_struct *p)
{
	char comm[COMM_LEN] = {};

	if (!num_names)
		return false;
	bpf_probe_read_kernel_str(comm, sizeof(comm), &p->comm);
	for (u32 i = 0; i < MAX_NAMES; i++) {
		bool same = i < num_names;

		for (int j = 0; j < COMM_LEN; j++) {
			if (comm[j] != names[i][j]) {
				same = false;
				break;
			}
			if (!comm[j])
				break;
		}
		if (same)
			return true;
	}
	return false;
}

/* The kernel says this of a process once, by its main thread, and of a thread that is moved alone. */
SEC("tp_btf/cgroup_attach_task")
int PROBE(cgroup_attach_task, struct cgroup *to, const char *path, struct task_struct *p, bool whole)
{
	bool in;

	if (!may_belong(p))
		return 0;
	if (TASK_READ(p, pid) == TASK_READ(p, tgid))
		tell_group((u64)p, 1);
	if (!by_group)
		return 0;
	/* Itself, as a number: what is SHARED takes no pointers. */
	in = wanted_group((u64)BPF_CORE_READ(to, self.cgroup)) || is_member(p);
	if (!in)
		__sync_fetch_and_add(&moves, 1);
	moved(p, known_task(p), in, whole);
	return 0;
}

static __always_inline int forked(struct task_struct *parent, struct task_struct *child)
{
	bool grouped = false;
	struct task *from;
	u8 why;

#ifdef LEGACY
	forget_task(child); /* if it has the address of one whose end was not seen */
#endif
	clear_stack(child);
	from = current_task(parent);
	if (from && !from->member)
		why = CHOSEN;
	else if (is_member(child)) /* it may begin in another group than its parent's */
		why = MEMBER;
	else
		return 0;
	if (known_task(child) || !adopt(child, why))
		return 0;
	if (child->pid == child->tgid && TASK_POINTER(child, cgroups) != TASK_POINTER(parent, cgroups)) {
		keep_cpu();
		grouped = tell_group((u64)child, 0);
		let_cpu_go();
	}
	tell_as(REC_FORK, child, parent->tgid, parent->pid, grouped);
	return 0;
}

/* The copies are for preemptible hooks, as those of system calls. */
SEC("tp_btf/sched_process_fork")
int BPF_PROG(sched_process_fork, struct task_struct *parent, struct task_struct *child)
{
	return forked(parent, child);
}

#ifndef LEGACY
SEC("tp_btf/sched_process_fork")
int BPF_PROG(sched_process_fork_2, struct task_struct *parent, struct task_struct *child)
{
	return forked(parent, child);
}
#endif

SEC("tp_btf/sched_process_exec")
int PROBE(sched_process_exec, struct task_struct *p, int old_pid, struct linux_binprm *bprm)
{
	unsigned long start, end;
	struct exec_scratch *s;
	struct exec *r;
	struct task *t;
	u32 zero = 0, at, n;
	bool chosen;
	long len;

	t = current_task(p);
	chosen = (launch && (u32)p->tgid == launch) || wanted_name(p);
	if (!t && (chosen || is_member(p)))
		t = adopt(p, chosen ? CHOSEN : MEMBER);
	if (!t)
		return 0;
	if (chosen)
		t->member = CHOSEN_ITSELF;
	forget_fds(p, t); /* those that are closed on exec */
	s = bpf_map_lookup_elem(&exec_scratches, &zero);
	if (!s)
		return 0;
	tell_group((u64)p, 0);
	r = &s->exec;
	__builtin_memset(r, 0, sizeof(*r));
	r->rec = REC_EXEC;
	r->time = bpf_ktime_get_ns();
	r->pid = p->tgid;
	r->parent = BPF_CORE_READ(p, real_parent, tgid);
	r->uid = BPF_CORE_READ(p, cred, uid.val);
	BPF_CORE_READ_STR_INTO(&r->comm, p, comm);
	r->file = place_id(BPF_CORE_READ(bprm, file, f_path.dentry), BPF_CORE_READ(bprm, file, f_path.mnt));
	len = bpf_probe_read_kernel_str(s->text, MAX_PATH, bprm->filename);
	if (len > 0)
		r->len1 = len;
	start = TASK_POINTER(p, mm, arg_start);
	end = TASK_POINTER(p, mm, arg_end);
	n = end - start;
	if (n > MAX_ARGS - 1)
		n = MAX_ARGS - 1;
	at = r->len1;
	if (at > MAX_PATH)
		return 0;
	if (n && !bpf_probe_read_user(s->text + at, n, (void *)start))
		r->len2 = n;
	n = r->len1 + r->len2;
	if (n > MAX_PATH + MAX_ARGS)
		return 0;
	emit(REC_EXEC, r, sizeof(*r) + n);
	return 0;
}

#define MAX_THREADS BOUND(8192, 512)

struct threads {
	struct list_head *node, *head;
	u64 cpu;
};

static long add_thread(u32 i, struct threads *l)
{
	struct list_head *node = l->node;
	struct task_struct *p;

	if (!node || node == l->head)
		return 1;
	p = (void *)node - bpf_core_field_offset(struct task_struct, thread_node);
	l->cpu += BPF_CORE_READ(p, se.sum_exec_runtime);
	l->node = BPF_CORE_READ(node, next);
	return 0;
}

/*
 * The CPU time of a process whose last thread exits. Other threads may be on
 * their way out still, and the main thread stays a zombie until the process is
 * reaped; in one critical section each leaves the list and its time is added to
 * that of the threads that are gone. If one did while the list was read, it is
 * read again.
 */
static __always_inline u64 cpu_of_group(struct task_struct *p)
{
	void *signal = TASK_POINTER(p, signal);
	struct list_head *head = signal + bpf_core_field_offset(struct signal_struct, thread_head);
	struct threads l = { .head = head };
	u64 gone = 0;

	for (int i = 0; i < 4; i++) {
		gone = BPF_CORE_READ(p, signal, sum_sched_runtime);
		l.cpu = 0;
		l.node = BPF_CORE_READ(head, next);
		LOOP(MAX_THREADS, MAX_THREADS, add_thread, &l);
		if (gone == BPF_CORE_READ(p, signal, sum_sched_runtime))
			break;
	}
	return gone + l.cpu;
}

/* The status of a process whose last thread exits. */
static __always_inline void exit_of_group(struct exit *r, struct task_struct *p)
{
	u32 tgid = p->tgid;

	r->group = 1;
	if (TASK_POINTER(p, signal, flags) & SIGNAL_GROUP_EXIT)
		r->status = TASK_POINTER(p, signal, group_exit_code);
	else
		r->status = TASK_POINTER(p, group_leader, exit_code);
	r->cpu = cpu_of_group(p);
	if (by_pid)
		bpf_map_delete_elem(&targets, &tgid); /* the number may go to another process */
}

static __always_inline int exited(struct task_struct *p)
{
	struct task *t = current_task(p); /* one that has made no call is known by now, too */
	struct exit *r;

	if (!t || t->exited)
		return 0;
	t->exited = 1;
	t->start = 0;
	t->regs = 0;
	r = reserve(REC_EXIT, sizeof(*r));
	if (!r)
		return 0;
	__builtin_memset(r, 0, sizeof(*r));
	r->rec = REC_EXIT;
	r->status = p->exit_code;
	r->time = bpf_ktime_get_ns();
	if (TASK_POINTER(p, signal, live.counter) == 0)
		exit_of_group(r, p);
	r->pid = p->tgid;
	r->tid = p->pid;
	BPF_CORE_READ_STR_INTO(&r->comm, p, comm);
	submit(r);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(sched_process_exit, struct task_struct *p)
{
	return exited(p);
}

#ifndef LEGACY
SEC("tp_btf/sched_process_exit")
int BPF_PROG(sched_process_exit_2, struct task_struct *p)
{
	return exited(p);
}
#endif

/* The address of a task is used again once this has been said of it. */
SEC("tp_btf/sched_process_free")
int BPF_PROG(sched_process_free, struct task_struct *p)
{
	forget_task(p);
	forget_helper(p);
	return 0;
}

#endif /* IOTRACE_PROCESS_BPF_H */
