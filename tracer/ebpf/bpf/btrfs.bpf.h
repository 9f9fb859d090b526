/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The trees of btrfs: for whom a block of them is written. No block is changed in
 * place, so whoever first changes one takes room for the copy. The trees of extents,
 * checksums and the like are everybody's: their blocks are divided by how many extents
 * were taken by whom, as are those that a thread of the kernel changed first. A
 * superblock is for the blocks that were written before it, the last above all.
 */
#ifndef IOTRACE_BTRFS_BPF_H
#define IOTRACE_BTRFS_BPF_H

#define MAX_TREE_BLOCKS 16384 /* changed and not written yet */
#define MAX_BTRFS 256
#define MANY_EXTENTS 65536 /* older ones count less */
#define BTRFS_BLOCK_GROUP_SYSTEM 2
#define BTRFS_BLOCK_GROUP_METADATA 4
#define BTRFS_FS_TREE_OBJECTID 5
#define BTRFS_FIRST_FREE_OBJECTID 256

struct tree_block {
	u64 trees; /* the inode whose pages are all blocks of a file system */
	u64 start;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, MAX_TREE_BLOCKS);
	__type(key, struct tree_block);
	__type(value, u32); /* enum changer */
} tree_blocks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_BTRFS);
	__type(key, u64); /* that inode */
	__type(value, struct changed);
} extents_taken SEC(".maps"), blocks_written SEC(".maps"); /* for superblocks */

static __always_inline void take_extent(u64 trees, enum changer who)
{
	struct changed *c;

	count_changes(&extents_taken, trees, who, 1);
	c = bpf_map_lookup_elem(&extents_taken, &trees);
	if (!c || c->own + c->others < MANY_EXTENTS)
		return;
	c->own /= 2;
	c->others /= 2;
}

SEC("tp_btf/btrfs_reserve_extent")
int PROBE(btrfs_reserve_extent, struct btrfs_block_group *group, struct find_free_extent_ctl *found)
{
	u32 who = changer_of(CURRENT());
	struct tree_block key = {
		.trees = (u64)BPF_CORE_READ(group, fs_info, btree_inode),
		.start = UNTRUSTED(struct find_free_extent_ctl, found)->search_start,
	};

	if (who != NOBODY && !found->for_treelog)
		take_extent(key.trees, who);
	if (!(UNTRUSTED(struct btrfs_block_group, group)->flags &
	      (BTRFS_BLOCK_GROUP_METADATA | BTRFS_BLOCK_GROUP_SYSTEM)))
		return 0;
	if (who == NOBODY)
		bpf_map_delete_elem(&tree_blocks, &key); /* of a block that was here before */
	else
		bpf_map_update_elem(&tree_blocks, &key, &who, BPF_ANY);
	return 0;
}

/* everybodys tells whether a block is of a tree that holds what is of all files. */
static __always_inline bool everybodys(struct page *head)
{
	struct extent_buffer *block = NULL;
	u64 owner = 0;
	void *data;

	if (!bpf_core_field_exists(block->addr))
		return false;
	block = BPF_CORE_READ((struct folio *)head, private);
	data = BPF_CORE_READ(block, addr);
	if (!data)
		return false;
	bpf_probe_read_kernel(&owner, sizeof(owner), data + bpf_core_field_offset(struct btrfs_header, owner));
	return owner != BTRFS_FS_TREE_OBJECTID && owner < BTRFS_FIRST_FREE_OBJECTID; /* those of logs are negative */
}

/* share_of_block tells who changed a block, in parts of all of it. */
static __always_inline void share_of_block(struct tree_block *key, struct page *head, struct changed *taken,
					   struct changed *of)
{
	u32 *who = bpf_map_lookup_elem(&tree_blocks, key);

	if (who && !everybodys(head)) {
		of->own = *who == RECORDED ? WHOLE : 0;
	} else if (taken->own + taken->others) {
		of->own = taken->own * WHOLE / (taken->own + taken->others);
	} else {
		return;
	}
	of->others = WHOLE - of->own;
	count_changes(&blocks_written, key->trees, RECORDED, of->own);
	count_changes(&blocks_written, key->trees, OTHERS, of->others);
}

/* share_of_super tells for whom a superblock is. What else is written to a drive leads to no file system that is known. */
static __always_inline bool share_of_super(struct bio *bio, struct changed *of)
{
	struct btrfs_device *device = READ(struct bio, bio, bi_private);
	u64 trees = (u64)BPF_CORE_READ(device, fs_info, btree_inode);
	struct changed *written = bpf_map_lookup_elem(&blocks_written, &trees);

	if (!written)
		return false;
	*of = *written;
	written->own /= 2; /* what was written last counts most */
	written->others /= 2;
	return true;
}

/* changed_block tells who changed what a bio holds, if that is a block of a tree. False if it is not known. */
static __always_inline bool changed_block(struct bio *bio, struct changed *of)
{
	struct bio_vec *vec = READ(struct bio, bio, bi_io_vec) + READ(struct bio, bio, bi_iter.bi_idx);
	struct page *page = BPF_CORE_READ(vec, bv_page), *head;
	struct tree_block key;
	struct changed *taken;

	if (!page || !bpf_core_type_exists(struct extent_buffer))
		return false;
	head = head_of(page);
	key.trees = page_mapping(head);
	if (!key.trees || key.trees & MAPPING_FLAGS)
		return false;
	key.trees -= bpf_core_field_offset(struct inode, i_data);
	taken = bpf_map_lookup_elem(&extents_taken, &key.trees);
	if (!taken)
		return share_of_super(bio, of);
	key.start = page_index(head) << page_shift;
	share_of_block(&key, head, taken, of);
	return true;
}

#endif /* IOTRACE_BTRFS_BPF_H */
