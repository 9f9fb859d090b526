/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Two objects are made of these sources. The usual one needs what Linux 5.17
 * has. LEGACY is for kernels down to 5.10: it does without bpf_loop (v5.17),
 * bpf_task_pt_regs (v5.15), storage at tasks for tracing programs (v5.13),
 * atomic operations that return a value (v5.12), and bpf_get_current_task_btf
 * (v5.11). The loader chooses by what the kernel's type information lists.
 */
#ifndef IOTRACE_FLAVOUR_H
#define IOTRACE_FLAVOUR_H

#ifdef LEGACY

/* The task is an address without a type: what hangs on it is read by helper. */
#define CURRENT() ((struct task_struct *)bpf_get_current_task())
#define TASK_READ(p, ...) BPF_CORE_READ(p, __VA_ARGS__)
#define TASK_POINTER TASK_READ
#define PID_TGID(p) bpf_get_current_pid_tgid()

/*
 * A function that is visible outside is verified once, whatever it is called
 * with, and not again for each call. It takes and returns numbers only.
 */
#define SHARED __noinline

/*
 * The verifier follows every turn of a loop and has to see a constant that it
 * ends at; the compiler must not see that it ends anyway, or it drops that.
 */
#define LOOP(bound, n, step, state)					\
({									\
	u64 turns = 0, most = (n);					\
	asm volatile("" : "+r"(most));					\
	if (most > (bound))						\
		most = (bound);						\
	_Pragma("clang loop unroll(disable)")				\
	while (turns < most) {						\
		if (step(turns, state)) {				\
			turns++;					\
			break;						\
		}							\
		turns++;						\
		asm volatile("" : "+r"(turns));				\
	}								\
	turns;								\
})

#define BOUND(usual, legacy) legacy
#define CAN_CAST false

#else

#define CURRENT() bpf_get_current_task_btf()
#define TASK_READ(p, ...) ___arrow(p, ##__VA_ARGS__)
/* For members that are pointers, and for what hangs on them: see UNTRUSTED. */
#define TASK_POINTER(p, ...) ___arrow(UNTRUSTED(struct task_struct, p), ##__VA_ARGS__)
#define PID_TGID(p) ((u64)(p)->tgid << 32 | (u32)(p)->pid) /* of the running task, without a call */
#define SHARED static __noinline
#define LOOP(bound, n, step, state) bpf_loop(n, step, state, 0)
#define BOUND(usual, legacy) usual
#define CAN_CAST bpf_rdonly_cast

#endif

/*
 * Pointers that come out of arrays have no type, so the verifier lets them be
 * read only through a helper call. bpf_rdonly_cast (v6.2) gives them one, which
 * turns each read into a single load: a third of the cost of recording a call.
 */
extern void *bpf_rdonly_cast(const void *obj, u32 btf_id) __ksym __weak;

#define TYPED(type, p) ((type *)bpf_rdonly_cast((const void *)(p), bpf_core_type_id_kernel(type)))

/*
 * UNTRUSTED is an argument of a hook as such a pointer. Of what hangs on a trusted
 * one the verifier looks up by name among all types of the kernel whether it can
 * be trusted too (btf_nested_type_is_trusted, v6.3): up to half a millisecond for
 * each load on each way through the program.
 */
#define UNTRUSTED(type, p) (CAN_CAST ? TYPED(type, p) : (p))

/* READ follows members from such a pointer, as BPF_CORE_READ does, on the frequent ways. */
#define READ(type, p, ...)						\
	(CAN_CAST ? ___arrow(TYPED(type, p), ##__VA_ARGS__) : BPF_CORE_READ((type *)(p), ##__VA_ARGS__))

#endif /* IOTRACE_FLAVOUR_H */
