/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Which tasks are recorded, and what each is doing right now. A task is
 * recorded if something is kept of it: finding that costs a few nanoseconds, and
 * children get theirs at fork, before they can run.
 */
#ifndef IOTRACE_TASK_H
#define IOTRACE_TASK_H

#define PF_IO_WORKER 0x10 /* io_uring worker or submission thread; kernel ABI by convention since v5.12 */

/* What a thread is off the CPU for. The numbers between are told apart outside of the kernel. */
enum wait_cause {
	WAIT_IO = 1,
	WAIT_THROTTLE,
	WAIT_CALL,
	WAIT_OTHER,
	WAIT_READY,
	WAIT_STOPPED = 11,
	WAIT_TRACED,
	WAIT_FROZEN,
	WAIT_THAW,
};

/* Why a task is recorded. */
enum standing {
	CHOSEN_ITSELF, /* or descends from one that was */
	IS_MEMBER,
	WAS_MEMBER,    /* that it has left was told; perhaps it is back already */
};

/* The identity of the file a task used last: spares a hash look-up per call. */
struct last_file {
	u64 file;
	u64 dentry;
	u32 id;
	s32 fd;
	u32 epoch;
	u32 closes;
};

/* The same for a file that came without a descriptor, whose close tells the task nothing. */
struct last_open {
	u64 file;
	u64 dentry;
	u64 inode;
	u64 mark; /* of the dentry, its inode and mount, and of the kind of file */
	u32 id;
	u32 epoch;
};

/* A time off the CPU, and what ended it. */
struct off_cpu {
	u64 start;     /* 0: the thread runs */
	u64 woken;     /* when it was woken last, 0: not since it ran */
	u64 completed; /* of the request that woke it */
	u64 ran;       /* how long it had run in all by then */
	u32 waker;     /* thread */
	u8 by;         /* enum waker */
	u8 cause;      /* enum wait_cause */
	u16 nr;        /* as in struct wait, with FIRST_IS_0 */
	u32 arg2;
	u32 arg3;
};

#define FIRST_IS_0 0x4000 /* beyond any number of a call: what it is given first is 0 */

struct task {
	u64 start; /* of the recorded call in flight, 0: none */
	u64 regs;  /* where the registers of its calls lie, 0: it makes none any more */
	u32 slot;  /* index of the slot that this lies in */
	u32 nr;
	u32 filled; /* pages added to the page cache by this call or fault */
	u32 closing; /* identity of the file that the close in flight closes */
	u64 fault_start;
	u64 fault_inode;
	u64 fault_index;
	u64 dio_file; /* struct file of the direct I/O being submitted */
	s64 dio_pos;
	u32 fault_filled; /* `filled` as the fault began */
	u32 fault_waited; /* it has waited, which was recorded */
	u8 throttled;
	u8 entered; /* the entry of a call has been seen */
	u8 left;    /* the exit of the last one has, or was counted as one without an entry */
	u8 member;  /* enum standing */
	u32 moves;  /* as they were when it was looked at last whether it still is one */
	u64 exited; /* that it ends has been seen */
	struct last_file last[2];
	struct last_open last_open;
	struct off_cpu off; /* behind what calls use */
#ifdef LEGACY
	s32 fd; /* of the call in flight */
	u32 pad2;
#endif
};

#ifdef LEGACY

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 32768);
	__type(key, u64); /* struct task_struct * */
	__type(value, struct task);
} tasks SEC(".maps");

static const struct task fresh_task;

static __always_inline struct task *known_task(struct task_struct *p)
{
	u64 key = (u64)p;

	return bpf_map_lookup_elem(&tasks, &key);
}

/* recorded tells of the address of a task whether that is recorded. */
static __always_inline bool recorded(u64 address)
{
	return bpf_map_lookup_elem(&tasks, &address) != NULL;
}

static __always_inline void forget_task(struct task_struct *p)
{
	u64 key = (u64)p;

	bpf_map_delete_elem(&tasks, &key);
}

/* storage_for makes the entry of a task. */
static __always_inline struct task *storage_for(struct task_struct *p)
{
	u64 key = (u64)p;

	bpf_map_update_elem(&tasks, &key, &fresh_task, BPF_NOEXIST);
	return bpf_map_lookup_elem(&tasks, &key);
}

#else

/*
 * What is kept of a task lies in a table, in a slot that follows from the
 * address of the task, so that it is found without a helper: looking up a task's
 * storage takes two or three times as long, at the entry and at the exit of each
 * call. If that slot is another task's, another one is taken, and the
 * storage of the task tells which. Each task that is recorded has that storage:
 * where a task keeps nothing at all, a load says that it is not recorded.
 */
#define SLOT_SHIFT 15
#define MAX_SLOTS (1 << SLOT_SHIFT) /* tasks that can be recorded at the same time; as many for LEGACY */
#define MAX_TRIES 64 /* slots that are tried for a task: with nine tenths taken, one in a thousand finds none */

struct task_slot {
	u64 owner; /* struct task_struct *, 0: free */
	struct task task;
} __attribute__((aligned(64)));

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, MAX_SLOTS);
	__type(key, u32);
	__type(value, struct task_slot);
} task_slots SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, u32); /* index of its slot */
} tasks SEC(".maps");

static __always_inline u32 own_slot(u32 hash)
{
	return hash >> (32 - SLOT_SHIFT);
}

static __always_inline struct task_slot *slot_of(struct task_struct *p)
{
	u32 own, *other;
	struct task_slot *at;

	if (!TASK_POINTER(p, bpf_storage))
		return NULL;
	own = own_slot(address_hash((u64)p));
	at = bpf_map_lookup_elem(&task_slots, &own);
	if (at && at->owner == (u64)p)
		return at;
	other = bpf_task_storage_get(&tasks, p, NULL, 0);
	if (!other)
		return NULL;
	at = bpf_map_lookup_elem(&task_slots, other);
	return at && at->owner == (u64)p ? at : NULL;
}

static __always_inline struct task *known_task(struct task_struct *p)
{
	struct task_slot *at = slot_of(p);

	return at ? &at->task : NULL;
}

/*
 * recorded tells of the address of a task whether that is recorded; not of one whose
 * slot is another's, as the way on needs a pointer that is trusted.
 */
static __always_inline bool recorded(u64 address)
{
	u32 own = own_slot(address_hash(address));
	struct task_slot *at = bpf_map_lookup_elem(&task_slots, &own);

	return at && at->owner == address;
}

/*
 * forget_task frees the slot of a task that is freed itself. Where the kernel did
 * not run this for one (see KNOWN_ISSUES.md), the next task of its address makes up
 * for it, recorded or not: so slots that nobody has do not become more and more.
 */
static __always_inline void forget_task(struct task_struct *p)
{
	u32 own = own_slot(address_hash((u64)p));
	struct task_slot *at = bpf_map_lookup_elem(&task_slots, &own);

	if (!at || at->owner != (u64)p)
		at = slot_of(p);
	if (at)
		at->owner = 0;
}

/* storage_for gives a task a slot, also one that a task of this address had whose end was not seen. */
static __always_inline struct task *storage_for(struct task_struct *p)
{
	u32 *index = bpf_task_storage_get(&tasks, p, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	u32 hash = address_hash((u64)p), i = own_slot(hash);
	struct task_slot *at;

	if (!index)
		return NULL;
#pragma clang loop unroll(disable)
	for (u32 tries = 0; tries < MAX_TRIES; tries++) {
		at = bpf_map_lookup_elem(&task_slots, &i);
		if (!at)
			break;
		if (at->owner != (u64)p && __sync_val_compare_and_swap(&at->owner, 0, TAKEN)) {
			i = (i + (hash >> 6 | 1)) & (MAX_SLOTS - 1); /* an odd step comes to all */
			continue;
		}
		__builtin_memset(&at->task, 0, sizeof(at->task));
		at->task.slot = *index = i;
		*(volatile u64 *)&at->owner = (u64)p;
		return &at->task;
	}
	bpf_task_storage_delete(&tasks, p);
	return NULL;
}

#endif

static __always_inline u32 tgid_of(u64 pid_tgid)
{
	return pid_tgid >> 32;
}

/*
 * The slots of tasks by where their kernel stacks are. The registers that a hook
 * at a system call is given lie on the stack, so they tell who makes the call
 * without a helper, which costs more by its return (8 ns where processors are
 * kept from guessing where to) than by what it does. Of stacks with the same hash
 * the one is found on which a call was made last; tasks of the others are
 * asked who they are. Calls on a stack of no hash that is there are let go.
 */
#ifdef LEGACY /* bpf_task_pt_regs came with v5.15 */

static __always_inline void enter_stack(struct task_struct *p, struct task *t)
{
}

static __always_inline void clear_stack(struct task_struct *p)
{
}

#else

#define STACK_SHIFT 14 /* stacks are of 16 KiB at least, and aligned to their size */
#define MAX_STACKS (1 << 13)

u32 stack_slots[MAX_STACKS] = {}; /* 1 + the index of a slot, 0: of no task that is recorded; never taken back */

/* slot_on takes the lower half of an address, which is all that the verifier lets be computed with. */
static __always_inline u32 *slot_on(u64 regs)
{
	u32 stack;

	asm volatile("%0 = %1" : "=w"(stack) : "w"((u32)regs));
	stack >>= STACK_SHIFT;
	stack ^= stack >> 5;
	asm volatile("" : "+r"(stack)); /* bounded last, where the verifier of v6.8 still knows it */
	return &stack_slots[stack & (MAX_STACKS - 1)];
}

/* slot_at is the slot that is found there, perhaps of another task; NULL if there is none. */
static __always_inline struct task_slot *slot_at(u64 regs)
{
	u32 index = *slot_on(regs) - 1;

	return bpf_map_lookup_elem(&task_slots, &index);
}

static __always_inline void enter_registers(u64 regs, struct task *t)
{
	t->regs = regs;
	*slot_on(regs) = t->slot + 1;
}

static __always_inline void enter_stack(struct task_struct *p, struct task *t)
{
	enter_registers(bpf_task_pt_regs(p), t);
}

/* clear_stack forgets who had the stack of a new task before, if no probe saw that one exit. */
static __always_inline void clear_stack(struct task_struct *p)
{
	u64 regs = bpf_task_pt_regs(p);
	struct task_slot *at = slot_at(regs);

	if (at && at->task.regs == regs)
		at->task.regs = 0;
}

#endif

static __noinline struct task *adopt(struct task_struct *p, u8 why)
{
	struct task *t = storage_for(p);

	if (t) {
		t->member = why == MEMBER ? IS_MEMBER : CHOSEN_ITSELF;
		enter_stack(p, t);
	} else {
		count_lost(REC_FORK);
	}
	return t;
}

/* let_go ends the recording of the running task. */
static __always_inline void let_go(struct task_struct *p, struct task *t)
{
	t->start = 0;
	t->regs = 0;
	t->member = CHOSEN_ITSELF; /* whoever gets the slot next */
#ifdef LEGACY
	forget_task(p);
#else
	struct task_slot *at;
	u32 index = t->slot;

	at = bpf_map_lookup_elem(&task_slots, &index);
	if (at)
		at->owner = 0;
#endif
}

/* stays lets the running task go if it has left the group that made it part of the recording. */
static __always_inline bool stays(struct task_struct *p, struct task *t)
{
	u32 now = moves;

	if (!by_group || !t->member || (t->moves == now && t->member == IS_MEMBER))
		return true;
	t->moves = now;
	if (is_member(p)) {
		t->member = IS_MEMBER;
		return true;
	}
	let_go(p, t);
	return false;
}

/*
 * current_task returns the state of the running task if it is recorded. The
 * slow paths are for modes that select tasks that were running before, and for
 * io_uring's workers, which appear without a fork event.
 */
static __always_inline struct task *current_task(struct task_struct *p)
{
	struct task *t = known_task(p), *leader;
	u8 why = CHOSEN;
	u32 tgid;

	if (t)
		return stays(p, t) ? t : NULL;
	if (TASK_READ(p, flags) & PF_IO_WORKER) {
		leader = known_task(TASK_READ(p, group_leader));
		if (!leader)
			return NULL;
		return adopt(p, leader->member ? MEMBER : CHOSEN);
	}
	if (!all && !by_pid)
		return NULL;
	tgid = TASK_READ(p, tgid);
	if (tgid == recorder)
		return NULL;
	if (!all) {
		why = selected(p, tgid);
		if (!why)
			return NULL;
	}
	return adopt(p, why);
}

/*
 * calling_task returns the state of the task that makes a call, if it is
 * recorded, and the task itself (see UNTRUSTED).
 */
#ifdef LEGACY

static __always_inline struct task *calling_task(struct pt_regs *regs, bool enters, struct task_struct **p)
{
	struct task *t;

	*p = CURRENT();
	if (enters)
		return current_task(*p);
	t = known_task(*p);
	return t && stays(*p, t) ? t : NULL;
}

#else

static __always_inline struct task *calling_task(struct pt_regs *regs, bool enters, struct task_struct **p)
{
	struct task_slot *at = slot_at((u64)regs);
	struct task_struct *caller;
	struct task *t;

	if (at && at->task.regs == (u64)regs) {
		*p = CAN_CAST ? TYPED(struct task_struct, at->owner) : CURRENT();
		return stays(*p, &at->task) ? &at->task : NULL;
	}
	if (!at && !(enters && (all || by_pid)))
		return NULL;
	caller = CURRENT();
	t = enters ? current_task(caller) : known_task(caller);
	if (t && !enters && !stays(caller, t))
		t = NULL;
	if (t)
		enter_registers((u64)regs, t);
	*p = UNTRUSTED(struct task_struct, caller);
	return t;
}

#endif

#endif /* IOTRACE_TASK_H */
