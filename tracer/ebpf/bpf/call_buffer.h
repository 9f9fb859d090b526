/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Where the frequent calls go: memory that each CPU has to itself and the reader
 * has mapped, so that nothing is shared with other CPUs, neither a lock nor a
 * cache line. All other records, and calls that find their CPU's buffer full, go
 * to the ring buffer; the reader brings the two in order (call_buffers.go).
 *
 * Nothing interrupts a writer: system calls return in process context only, and
 * programs there keep their CPU (see keep_cpu). LEGACY does without, for lack of
 * an atomic operation that orders the stores of a record on arm64.
 */
#ifndef IOTRACE_CALL_BUFFER_H
#define IOTRACE_CALL_BUFFER_H

#define BPF_F_MMAPABLE (1 << 10)

#ifdef LEGACY

struct call_cursor;

static __always_inline struct io *call_slot(struct call_cursor **cursor)
{
	*cursor = NULL;
	return NULL;
}

static __always_inline void call_written(struct call_cursor *cursor)
{
}

#else

/* How many calls fit into the buffer of a CPU: a power of two. */
const volatile u32 call_slots = 1;

/* Counts of calls, each on a cache line of its own: one is written here, the other by the reader. */
struct call_cursor {
	u64 written;
	u64 pad[7];
	u64 taken;
	u64 pad2[7];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* as many as there are CPUs */
	__type(key, u32);
	__type(value, struct call_cursor);
} call_cursors SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* call_slots for each CPU */
	__type(key, u32);
	__type(value, struct io);
} call_buffers SEC(".maps");

/* call_slot is where the next call on this CPU is to be written, NULL if the buffer is full. */
static __always_inline struct io *call_slot(struct call_cursor **cursor)
{
	u32 cpu = bpf_get_smp_processor_id(), at;
	struct call_cursor *c = bpf_map_lookup_elem(&call_cursors, &cpu);

	*cursor = c;
	if (!c || c->written - *(volatile u64 *)&c->taken >= call_slots)
		return NULL;
	at = cpu * call_slots + ((u32)c->written & (call_slots - 1));
	return bpf_map_lookup_elem(&call_buffers, &at);
}

/* call_written hands the call to the reader: what it consists of is stored before the count is. */
static __always_inline void call_written(struct call_cursor *cursor)
{
#ifdef __TARGET_ARCH_x86
	asm volatile("" ::: "memory"); /* stores stay in order */
	*(volatile u64 *)&cursor->written = cursor->written + 1;
#else
	u64 before = __sync_fetch_and_add(&cursor->written, 1); /* a full barrier, for its result is used */

	asm volatile("" : : "r"(before));
#endif
}

#endif

#endif /* IOTRACE_CALL_BUFFER_H */
