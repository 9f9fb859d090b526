/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The trees of btrfs: for whom a block of them is written. No block is changed in
 * place, so whoever first changes one takes room for the copy. Some trees are
 * everybody's: that of checksums is divided by how much data was written for whom,
 * those of extents and the like by how many extents were taken, as are the blocks that
 * a thread of the kernel changed first. What is written back later is for whoever wrote
 * to that file last. A superblock is for the blocks that were written before it, the
 * last above all.
 */
#ifndef IOTRACE_BTRFS_BPF_H
#define IOTRACE_BTRFS_BPF_H

#define MAX_TREE_BLOCKS 16384 /* changed and not written yet */
#define MAX_BTRFS 256
#define MANY_EXTENTS 65536   /* older ones count less */
#define MANY_SUMS (1ULL << 20) /* of 4 KiB each */
#define MAX_WRITTEN_FILES 16384
#define BTRFS_INODE_NODATASUM 1
#define BTRFS_ORDERED_NOCOW (1 << 1) /* it takes no room */
#define BTRFS_CSUM_TREE_OBJECTID 7
#define BTRFS_BLOCK_GROUP_SYSTEM 2
#define BTRFS_BLOCK_GROUP_METADATA 4
#define BTRFS_FS_TREE_OBJECTID 5
#define BTRFS_FIRST_FREE_OBJECTID 256

struct tree_block {
	u64 trees; /* the inode whose pages are all blocks of a file system */
	u64 start;
};

struct block_change {
	u64 tree; /* 0: not known */
	u32 who; /* enum changer */
	u32 pad;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, MAX_TREE_BLOCKS);
	__type(key, struct tree_block);
	__type(value, struct block_change);
} tree_blocks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_BTRFS);
	__type(key, u64); /* that inode */
	__type(value, struct changed);
} extents_taken SEC(".maps"), sums_taken SEC(".maps"), blocks_written SEC(".maps"); /* for superblocks */

struct written_file {
	u64 root; /* of its subvolume */
	u64 ino;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, MAX_WRITTEN_FILES);
	__type(key, struct written_file);
	__type(value, u32); /* enum changer */
} last_writers SEC(".maps");

/* take counts what was taken of a tree, the last above all. */
static __always_inline void take(void *map, u64 trees, enum changer who, u64 n, u64 many)
{
	struct changed *c;

	count_changes(map, trees, who, n);
	c = bpf_map_lookup_elem(map, &trees);
	if (!c || c->own + c->others < many)
		return;
	c->own /= 2;
	c->others /= 2;
}

#ifndef LEGACY /* there the inode of an extent may be another structure, and room taken says nothing of its purpose */

/* Whoever writes to a file through the page cache reserves room for what it may take. */
SEC("tp_btf/btrfs_inode_mod_outstanding_extents")
int PROBE(btrfs_inode_mod_outstanding_extents, struct btrfs_root *root, u64 ino, int more)
{
	struct written_file key = { .root = (u64)root, .ino = ino };
	u32 who, *last;

	if (more <= 0) /* room is given back */
		return 0;
	who = changer_of(CURRENT());
	if (who == NOBODY)
		return 0;
	last = bpf_map_lookup_elem(&last_writers, &key);
	if (!last || *last != who)
		bpf_map_update_elem(&last_writers, &key, &who, BPF_ANY);
	return 0;
}

/* An extent of data, as it is written or before: its place is known, and its checksums follow. */
SEC("tp_btf/btrfs_ordered_extent_add")
int PROBE(btrfs_ordered_extent_add, struct btrfs_inode *inode, struct btrfs_ordered_extent *extent)
{
	struct written_file key = {
		.root = (u64)READ(struct btrfs_inode, inode, root),
		.ino = READ(struct btrfs_inode, inode, vfs_inode.i_ino),
	};
	u64 trees = (u64)READ(struct btrfs_inode, inode, root, fs_info, btree_inode);
	u32 who = changer_of(CURRENT()), *last;

	if (who == NOBODY) {
		last = bpf_map_lookup_elem(&last_writers, &key);
		if (!last)
			return 0;
		who = *last;
	}
	if (!(UNTRUSTED(struct btrfs_ordered_extent, extent)->flags & BTRFS_ORDERED_NOCOW))
		take(&extents_taken, trees, who, 1, MANY_EXTENTS);
	if (!(READ(struct btrfs_inode, inode, flags) & BTRFS_INODE_NODATASUM))
		take(&sums_taken, trees, who,
		     (UNTRUSTED(struct btrfs_ordered_extent, extent)->disk_num_bytes + 4095) >> 12, MANY_SUMS);
	return 0;
}

/* Room that was just taken for a block: this says for which tree, unless it is one of a log. */
SEC("tp_btf/add_delayed_tree_ref")
int PROBE(add_delayed_tree_ref, struct btrfs_fs_info *info, struct btrfs_delayed_ref_node *ref)
{
	struct tree_block key = {
		.trees = (u64)READ(struct btrfs_fs_info, info, btree_inode),
		.start = UNTRUSTED(struct btrfs_delayed_ref_node, ref)->bytenr,
	};
	struct block_change *block = bpf_map_lookup_elem(&tree_blocks, &key);

	if (block)
		block->tree = UNTRUSTED(struct btrfs_delayed_ref_node, ref)->ref_root;
	return 0;
}

#endif

SEC("tp_btf/btrfs_reserve_extent")
int PROBE(btrfs_reserve_extent, struct btrfs_block_group *group, struct find_free_extent_ctl *found)
{
	struct block_change block = { .who = changer_of(CURRENT()) };
	struct tree_block key = {
		.trees = (u64)BPF_CORE_READ(group, fs_info, btree_inode),
		.start = UNTRUSTED(struct find_free_extent_ctl, found)->search_start,
	};

	if (!(UNTRUSTED(struct btrfs_block_group, group)->flags &
	      (BTRFS_BLOCK_GROUP_METADATA | BTRFS_BLOCK_GROUP_SYSTEM)))
		return 0;
	if (block.who != NOBODY && !found->for_treelog)
		take(&extents_taken, key.trees, block.who, 1, MANY_EXTENTS);
	bpf_map_update_elem(&tree_blocks, &key, &block, BPF_ANY);
	return 0;
}

/* owner_of is the tree that a block is of; 0 if it is not known. */
static __always_inline u64 owner_of(struct page *head)
{
	struct extent_buffer *block = NULL;
	u64 owner = 0;
	void *data;

	if (!bpf_core_field_exists(block->addr))
		return 0;
	block = BPF_CORE_READ((struct folio *)head, private);
	data = BPF_CORE_READ(block, addr);
	if (data)
		bpf_probe_read_kernel(&owner, sizeof(owner), data + bpf_core_field_offset(struct btrfs_header, owner));
	return owner;
}

/* everybodys tells whether a tree holds what is of all files. */
static __always_inline bool everybodys(u64 tree)
{
	return tree && tree != BTRFS_FS_TREE_OBJECTID &&
	       tree < BTRFS_FIRST_FREE_OBJECTID; /* those of logs are negative */
}

/* share_of_block tells who changed a block, in parts of all of it. */
static __always_inline void share_of_block(struct tree_block *key, struct page *head, struct changed *taken,
					   struct changed *of)
{
	struct block_change *block = bpf_map_lookup_elem(&tree_blocks, key);
	u64 tree = block && block->tree ? block->tree : owner_of(head);
	struct changed *sums;

	if (tree == BTRFS_CSUM_TREE_OBJECTID) {
		sums = bpf_map_lookup_elem(&sums_taken, &key->trees);
		if (sums)
			taken = sums;
	}
	if (block && block->who != NOBODY && !everybodys(tree)) {
		of->own = block->who == RECORDED ? WHOLE : 0;
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
