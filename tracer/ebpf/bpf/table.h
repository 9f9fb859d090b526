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

/*
 * Once an entry did not get its slot, what is not in that slot is looked for in
 * the hash map too: crowded says so, and is never taken back.
 */
#define TABLE(noun, kept, shift, most)						\
OTHERS(noun, kept, most)							\
struct noun##_slot {								\
	u64 owner; /* address, 0: free */					\
	struct kept entry;							\
} __attribute__((aligned(64)));							\
_Static_assert(sizeof(struct noun##_slot) == 64, "one cache line");		\
struct {									\
	__uint(type, BPF_MAP_TYPE_ARRAY);					\
	__uint(max_entries, 1 << (shift));					\
	__type(key, u32);							\
	__type(value, struct noun##_slot);					\
} noun##_slots SEC(".maps");							\
u8 noun##_crowded[1 << (shift)] = {};						\
static __always_inline struct noun##_slot *noun##_slot(u64 address, u8 **crowded) \
{										\
	u32 i = address_hash(address) >> (32 - (shift)), key = i;		\
										\
	*crowded = &noun##_crowded[i & ((1 << (shift)) - 1)];			\
	return bpf_map_lookup_elem(&noun##_slots, &key);			\
}										\
static __always_inline struct kept *find_##noun(u64 address)			\
{										\
	u8 *crowded;								\
	struct noun##_slot *at = noun##_slot(address, &crowded);		\
										\
	if (at && at->owner == address)						\
		return &at->entry;						\
	return *crowded ? bpf_map_lookup_elem(&noun##s, &address) : NULL;	\
}										\
static __always_inline bool keep_##noun(u64 address, struct kept *entry)	\
{										\
	u8 *crowded;								\
	struct noun##_slot *at = noun##_slot(address, &crowded);		\
										\
	if (!at)								\
		return false;							\
	if (at->owner != address &&						\
	    ((*crowded && bpf_map_lookup_elem(&noun##s, &address)) ||		\
	     __sync_val_compare_and_swap(&at->owner, 0, TAKEN))) {		\
		*crowded = 1;							\
		return !bpf_map_update_elem(&noun##s, &address, entry, BPF_ANY); \
	}									\
	at->entry = *entry;							\
	*(volatile u64 *)&at->owner = address;					\
	return true;								\
}										\
static __always_inline bool drop_##noun(u64 address)				\
{										\
	u8 *crowded;								\
	struct noun##_slot *at = noun##_slot(address, &crowded);		\
										\
	if (at && at->owner == address)						\
		return __sync_val_compare_and_swap(&at->owner, address, 0) == address; \
	return *crowded && !bpf_map_delete_elem(&noun##s, &address);		\
}

#endif

#endif /* IOTRACE_TABLE_H */
