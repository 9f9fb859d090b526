/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Configuration, maps, and the way out: emit() hands a record to the reader or
 * counts it as lost. Only frequent calls have another one (call_buffer.h), and
 * come this way where that is full.
 */
#ifndef IOTRACE_MAPS_H
#define IOTRACE_MAPS_H

/* Set by the loader before the programs are verified. */
const volatile u8 shapes[MAX_CALLS] = {};          /* enum shape by system call number */
const volatile u8 uring_ops[MAX_URING_OPS] = {};   /* 1: record this io_uring opcode */
const volatile char names[MAX_NAMES][COMM_LEN] = {}; /* record processes that exec into one of these */
const volatile u32 num_names = 0;
const volatile u32 launch = 0;     /* record this process from its next exec on */
const volatile u32 recorder = 0;   /* our own process: never recorded */
const volatile u32 own_mounts = 0; /* number of our mount namespace */
const volatile bool all = false;   /* record every process */
const volatile bool by_pid = false; /* look at the targets map */
const volatile bool by_group = false; /* look at the groups map */
const volatile bool by_user = false; /* look at the users map */
const volatile bool by_device = false; /* look at the devices map */
const volatile bool preemptible = false; /* hooks leave preemption on */
const volatile u32 bio_pinned_bit = 32; /* BIO_PAGE_PINNED, 32: unknown to this kernel */
const volatile u32 bio_cloned_bit = 1; /* BIO_CLONED */
const volatile u32 page_shift = 12;
const volatile u32 page_head_bit = 6; /* PG_head */
const volatile u32 page_swapbacked_bit = 63; /* PG_swapbacked */

/* Set once all probes are in place: what begins later has to be seen from its beginning. */
u64 begun = ~0ULL;

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 64 << 20);
} events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 32768);
	__type(key, u32);
	__type(value, u8);
} targets SEC(".maps"); /* process IDs to record, and enum selection */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_MEMBERSHIPS);
	__type(key, struct group);
	__type(value, u8);
} groups SEC(".maps"); /* record who is in one of these control groups, or below it */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_MEMBERSHIPS);
	__type(key, u32);
	__type(value, u8);
} users SEC(".maps"); /* record whose real user this is */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_DEVICES);
	__type(key, u32);
	__type(value, u8);
} devices SEC(".maps"); /* record the requests of these disks alone */

static __always_inline bool left_out(u32 dev)
{
	return by_device && !bpf_map_lookup_elem(&devices, &dev);
}

/* Counts how often somebody left a control group: whoever is recorded as a member then looks whether it still is one. */
u32 moves = 1;

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, LOSSES);
	__type(key, u32);
	__type(value, u64);
} lost SEC(".maps"); /* by enum record */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct lost_key);
	__type(value, u64);
} lost_slices SEC(".maps"); /* the same, by CPU and slice of time */

/* count_lost_many is for events of which there are more than can be looked at. */
static __noinline void count_lost_many(u32 kind, u64 count)
{
	struct lost_key key = {
		.kind = kind,
		.cpu = bpf_get_smp_processor_id(),
		.slice = bpf_ktime_get_ns() >> SLICE_SHIFT,
	};
	u64 *n;

	n = bpf_map_lookup_elem(&lost, &kind);
	if (n)
		__sync_fetch_and_add(n, count);
	n = bpf_map_lookup_elem(&lost_slices, &key);
	if (n)
		__sync_fetch_and_add(n, count);
	else
		bpf_map_update_elem(&lost_slices, &key, &count, BPF_NOEXIST);
}

/* count_lost is the slow path of a full buffer or a full map. */
static __always_inline void count_lost(u32 kind)
{
	count_lost_many(kind, 1);
}

/*
 * end_missed is for a request or bio whose completion was not seen, and what is
 * kept of it by now about another. One from before all probes were in place is not
 * part of the recording: while probes are attached, completions are skipped.
 */
static __always_inline void end_missed(u64 since)
{
	if (since > begun)
		count_lost(REC_REQUEST);
}

/*
 * The reader polls every few milliseconds; no record ever wakes it. A wake-up
 * per record costs more than the record (+1.05 µs against +0.35 µs).
 */
#define SUBMIT_FLAGS BPF_RB_NO_WAKEUP

/*
 * The kernel skips a program that is running on the CPU already. Before Linux
 * 7.2 only an interrupt could come in between, for hooks had preemption turned
 * off; now another task can, whose run would be skipped, or which would use a
 * per-CPU buffer that is in use. So the programs turn preemption off while they
 * work. A task may still lose the CPU in the last instructions of a program:
 * what is skipped then is counted (see missed).
 */
extern void bpf_preempt_disable(void) __ksym __weak;
extern void bpf_preempt_enable(void) __ksym __weak;

static __always_inline void keep_cpu(void)
{
	if (preemptible && bpf_preempt_disable)
		bpf_preempt_disable();
}

static __always_inline void let_cpu_go(void)
{
	if (preemptible && bpf_preempt_enable)
		bpf_preempt_enable();
}

/* PROBE is BPF_PROG of libbpf with preemption turned off. */
#define PROBE(name, args...)						\
name(unsigned long long *ctx);						\
static __always_inline int ____##name(unsigned long long *ctx, ##args);	\
int name(unsigned long long *ctx)					\
{									\
	keep_cpu();							\
	_Pragma("GCC diagnostic push")					\
	_Pragma("GCC diagnostic ignored \"-Wint-conversion\"")		\
	____##name(___bpf_ctx_cast(args));				\
	_Pragma("GCC diagnostic pop")					\
	let_cpu_go();							\
	return 0;							\
}									\
static __always_inline int ____##name(unsigned long long *ctx, ##args)

/*
 * missed counts a call of which only the beginning or only the end was seen.
 * The reader believes it as far as the kernel says that it has skipped runs:
 * calls that seccomp refuses have no beginning either.
 */
static __noinline void missed(u32 what)
{
	u64 *n = bpf_map_lookup_elem(&lost, &what);

	if (n)
		__sync_fetch_and_add(n, 1);
}

static __always_inline void *reserve(u32 kind, u64 size)
{
	void *r = bpf_ringbuf_reserve(&events, size, 0);

	if (!r)
		count_lost(kind);
	return r;
}

static __always_inline void submit(void *r)
{
	bpf_ringbuf_submit(r, SUBMIT_FLAGS);
}

/* emit copies a record of variable length. Returns false if it was lost. */
static __always_inline bool emit(u32 kind, void *r, u64 size)
{
	if (bpf_ringbuf_output(&events, r, size, SUBMIT_FLAGS)) {
		count_lost(kind);
		return false;
	}
	return true;
}

#endif /* IOTRACE_MAPS_H */
