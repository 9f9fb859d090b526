/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What is kept of a bio or a request from one hook to the next, found by its
 * address. It lies in the slot that follows from the address, which is found
 * without a helper and lies in one cache line; a hash map takes several calls
 * and lines for each step, and a read of 4 KiB takes eight of them. Where the
 * slot is another's, and for LEGACY, which has no atomic operation that tells
 * whether it was free, the entry goes to a hash map. It is never in both.
 */
#ifndef IOTRACE_TABLE_H
#define IOTRACE_TABLE_H

/*
 * TABLE(noun, kept, shift, most) makes a table of 1 << shift slots for struct
 * kept, with room for `most` others, and three functions:
 *
 *   find_noun(address)         the entry, NULL if there is none
 *   keep_noun(address, entry)  enters a copy in place of an older one; false: no room
 *   drop_noun(address)         true for the one of several callers that took it out
 */

/* OTHERS is the hash map of a table. */
#define OTHERS(noun, kept, most)						\
struct {									\
	__uint(type, BPF_MAP_TYPE_HASH);					\
	__uint(max_entries, most);						\
	__type(key, u64);							\
	__type(value, struct kept);						\
} noun##s SEC(".maps");

/* address_hash multiplies the lower half of an address (Knuth, The Art of Computer Programming, 6.4). */
static __always_inline u32 address_hash(u64 address)
{
	u32 lower;

	asm volatile("%0 = %1" : "=w"(lower) : "w"((u32)address));
	return lower * 2654435769u;
}

#ifdef LEGACY

#define TABLE(noun, kept, shift, most)						\
OTHERS(noun, kept, most)							\
static __always_inline struct kept *find_##noun(u64 address)			\
{										\
	return bpf_map_lookup_elem(&noun##s, &address);				\
}										\
static __always_inline bool keep_##noun(u64 address, struct kept *entry)	\
{										\
	return !bpf_map_update_elem(&noun##s, &address, entry, BPF_ANY);	\
}										\
static __always_inline bool drop_##noun(u64 address)				\
{										\
	return !bpf_map_delete_elem(&noun##s, &address);			\
}

#else

#define TAKEN 1 /* an owner that is still to be entered */

/* One cache line. */
struct slot {
	u64 owner; /* address, 0: free */
	u64 entry[7];
} __attribute__((aligned(64)));

/* slot_index is that of an address in a table of 1 << shift slots. */
static __always_inline u32 slot_index(u64 address, u32 shift)
{
	return address_hash(address) >> (32 - shift) & ((1 << shift) - 1);
}

static __always_inline void *find_entry(void *slots, void *others, u32 i, u8 *crowded, u64 address)
{
	struct slot *at = bpf_map_lookup_elem(slots, &i);

	if (at && at->owner == address)
		return at->entry;
	return *crowded ? bpf_map_lookup_elem(others, &address) : NULL;
}

static __always_inline bool keep_entry(void *slots, void *others, u32 i, u8 *crowded, u64 address, void *entry,
				       u32 size)
{
	struct slot *at = bpf_map_lookup_elem(slots, &i);

	if (!at)
		return false;
	if (at->owner != address && ((*crowded && bpf_map_lookup_elem(others, &address)) ||
				     __sync_val_compare_and_swap(&at->owner, 0, TAKEN))) {
		*crowded = 1;
		return !bpf_map_update_elem(others, &address, entry, BPF_ANY);
	}
	__builtin_memcpy(at->entry, entry, size);
	*(volatile u64 *)&at->owner = address;
	return true;
}

static __always_inline bool drop_entry(void *slots, void *others, u32 i, u8 *crowded, u64 address)
{
	struct slot *at = bpf_map_lookup_elem(slots, &i);

	if (at && at->owner == address)
		return __sync_val_compare_and_swap(&at->owner, address, 0) == address;
	return *crowded && !bpf_map_delete_elem(others, &address);
}

/*
 * Once an entry did not get its slot, what is not in that slot is looked for in
 * the hash map too: crowded says so, and is never taken back.
 */
#define SLOTS(noun, kept, shift)						\
_Static_assert(sizeof(struct kept) <= sizeof(((struct slot *)0)->entry), "fits a slot"); \
struct {									\
	__uint(type, BPF_MAP_TYPE_ARRAY);					\
	__uint(max_entries, 1 << (shift));					\
	__type(key, u32);							\
	__type(value, struct slot);						\
} noun##_slots SEC(".maps");							\
u8 noun##_crowded[1 << (shift)] = {};

#define TABLE(noun, kept, shift, most)						\
OTHERS(noun, kept, most)							\
SLOTS(noun, kept, shift)							\
static __always_inline struct kept *find_##noun(u64 address)			\
{										\
	u32 i = slot_index(address, shift);					\
	return find_entry(&noun##_slots, &noun##s, i, &noun##_crowded[i], address); \
}										\
static __always_inline bool keep_##noun(u64 address, struct kept *entry)	\
{										\
	u32 i = slot_index(address, shift);					\
	return keep_entry(&noun##_slots, &noun##s, i, &noun##_crowded[i], address, entry, sizeof(*entry)); \
}										\
static __always_inline bool drop_##noun(u64 address)				\
{										\
	u32 i = slot_index(address, shift);					\
	return drop_entry(&noun##_slots, &noun##s, i, &noun##_crowded[i], address); \
}

#endif

#endif /* IOTRACE_TABLE_H */
