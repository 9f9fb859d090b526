/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The kernel types of pages, bios, requests and asynchronous operations: more of core_types.h. */
#ifndef IOTRACE_CORE_IO_TYPES_H
#define IOTRACE_CORE_IO_TYPES_H

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

/* memory */

struct page {
	unsigned long compound_head;
	struct address_space *mapping;
};

/*
 * "mm: rename the 'compound_head' field in the 'struct page' to 'compound_info'"
 * (v7.1); with commit 8c846c879e22 ("mm: rework compound_head() for power-of-2
 * sizeof(struct page)", v7.1) it may hold a mask that makes the address of the
 * first page of any other.
 */
struct page___info {
	unsigned long compound_info;
};

/*
 * Before commit 7b230db3b8d3 ("mm: Introduce struct folio", v5.16) a page of the
 * page cache says itself where it is in its file.
 */
struct page___index {
	unsigned long index;
};

struct folio {
	unsigned long flags;
	struct address_space *mapping;
	unsigned long index;
	void *private;
	unsigned int _nr_pages;
};

/* Commit 53fbef56e07d ("mm: introduce memdesc_flags_t", v6.18) wraps the flags of a page in a struct. */
typedef struct {
	unsigned long f;
} memdesc_flags_t;

struct folio___wrapped {
	memdesc_flags_t flags;
};

/*
 * Before commit 4996fc547f5b ("mm: let _folio_nr_pages overlay memcg_data in first
 * tail page", v6.15) the size of a large folio had this name.
 */
struct folio___old {
	unsigned int _folio_nr_pages;
};

/* block layer */

struct bio_vec {
	struct page *bv_page;
	unsigned int bv_len, bv_offset;
};

struct bvec_iter {
	u64 bi_sector;
	unsigned int bi_size, bi_idx, bi_bvec_done;
};

/* Linux 7.3 has bi_bvec_done by this name: so says its type information. Commit: unknown. */
struct bvec_iter___offset {
	unsigned int bi_offset;
};

struct gendisk {
	int major, first_minor;
	struct request_queue *queue;
};

struct block_device {
	u64 bd_start_sect;
	struct gendisk *bd_disk;
	u32 bd_dev;
};

/* A journal of jbd2, and what is written to it at once. */
struct journal_s {
	struct block_device *j_fs_dev;
};

struct transaction_s {
	u32 t_tid;
};

/* The log of XFS: the checkpoint that transactions join now, a buffer, and what a transaction has reserved and not used. */
struct xfs_cil_ctx {
	struct list_head iclog_entry;
	struct list_head committing;
};

struct xfs_cil {
	struct xfs_cil_ctx *xc_ctx;
	struct list_head xc_committing;
};

struct xlog {
	struct xfs_cil *l_cilp;
};

struct xlog_in_core {
	struct xlog *ic_log;
	struct list_head ic_callbacks;
};

struct xlog_ticket {
	int t_curr_res;
	int t_unit_res;
};

/* What transactions of XFS change of a file. */
struct xfs_log_item {
	unsigned long li_flags;
};

struct xfs_inode_log_item {
	struct xfs_log_item ili_item;
};

struct xfs_inode {
	struct xfs_inode_log_item *i_itemp;
};

struct bio {
	struct bio *bi_next;
	struct block_device *bi_bdev;
	unsigned int bi_opf;
	unsigned short bi_flags;
	unsigned short bi_ioprio;
	u8 bi_status;
	struct bvec_iter bi_iter;
	void *bi_private;
	unsigned short bi_vcnt;
	struct bio_vec *bi_io_vec;
};

/*
 * Before commit 309dca309fc3 ("block: store a block_device pointer in struct bio",
 * v5.12) a bio had the disk and the number of the partition.
 */
struct bio___disk {
	struct gendisk *bi_disk;
};

struct request_queue {
	const void *mq_ops;
	struct gendisk *disk;
};

struct blk_flush_queue {
	unsigned int flush_running_idx : 1;
	struct list_head flush_queue[2];
};

struct blk_mq_hw_ctx {
	struct blk_flush_queue *fq;
};

struct request {
	struct request_queue *q;
	struct blk_mq_hw_ctx *mq_hctx;
	unsigned int cmd_flags;
	u32 rq_flags;
	unsigned int __data_len;
	u64 __sector;
	u64 start_time_ns;
	struct bio *bio;
	struct bio *biotail;
	struct list_head queuelist;
};

/*
 * commit f3fa33acca9f ("block: remove the ->rq_disk field in struct request",
 * v5.17) moved the disk from the request to its queue.
 */
struct request___old {
	struct gendisk *rq_disk;
};

/*
 * Before commit 81ada09cc25e ("blk-flush: reuse rq queuelist in flush state machine",
 * v6.6) requests in the flush machinery were linked by a member of their own.
 */
struct request___flush {
	struct {
		struct list_head list;
	} flush;
};

struct btrfs_fs_info {
	struct inode *btree_inode;
};

struct btrfs_root {
	struct btrfs_fs_info *fs_info;
};

struct btrfs_inode {
	struct btrfs_root *root;
	u32 flags;
	struct inode vfs_inode;
};

struct btrfs_delayed_ref_node {
	u64 bytenr;
	u64 ref_root;
};

struct btrfs_ordered_extent {
	u64 disk_num_bytes;
	unsigned long flags;
};

/* The inode is here since commit d0e5cb2be770 ("btrfs: add a btrfs_inode pointer to struct btrfs_bio", v6.3). */
struct btrfs_bio {
	struct btrfs_inode *inode;
	u64 file_offset;
	void *private;
	struct bio bio;
};

struct btrfs_device {
	struct btrfs_fs_info *fs_info;
};

struct btrfs_block_group {
	struct btrfs_fs_info *fs_info;
	u64 flags;
};

struct find_free_extent_ctl {
	u64 search_start;
	bool for_treelog;
};

struct extent_buffer {
	void *addr;
};

struct btrfs_header {
	u64 owner;
} __attribute__((packed));

/* asynchronous I/O */

struct kiocb {
	struct file *ki_filp;
	s64 ki_pos;
	int ki_flags;
};

struct iomap_dio {
	struct kiocb *iocb;
	s64 size;
	struct {
		struct task_struct *waiter;
	} submit;
};

struct blkdev_dio {
	union {
		struct kiocb *iocb;
	};
	struct bio bio;
};

struct filename {
	const char *name;
};

/* io_uring's operations on names. */
struct io_rename {
	int old_dfd;
	int new_dfd;
	struct filename *oldpath;
	struct filename *newpath;
	int flags;
};

struct io_link {
	int old_dfd;
	int new_dfd;
	struct filename *oldpath;
	struct filename *newpath;
};

struct io_unlink {
	int dfd;
	struct filename *filename;
};

struct io_mkdir {
	int dfd;
	struct filename *filename;
};

/* Since Linux 7.0 an operation keeps a name that is not complete yet. Commit: unknown. */
struct delayed_filename {
	struct filename *__incomplete_filename;
};

struct io_rename___delayed {
	struct delayed_filename oldpath;
	struct delayed_filename newpath;
};

struct io_link___delayed {
	struct delayed_filename oldpath;
	struct delayed_filename newpath;
};

struct io_unlink___delayed {
	struct delayed_filename filename;
};

struct io_mkdir___delayed {
	struct delayed_filename filename;
};

struct io_rw {
	struct kiocb kiocb;
	u64 addr;
	u32 len;
	u32 flags;
};

struct io_sync {
	s64 len;
	s64 off;
	int flags;
	int mode;
};

struct io_sr_msg {
	int len;
};

struct io_connect {
	void *addr; /* in the program's memory */
	int addr_len;
};

struct io_fadvise {
	u64 offset;
	u64 len;
};

/* Since commit b4bb1900c12e ("io_uring: add support for ftruncate", v6.9). */
struct io_ftrunc {
	s64 len;
};

struct io_cqe {
	u64 user_data;
	s32 res;
	int fd;
};

struct io_cmd_data {
	u8 data[56];
};

struct io_kiocb {
	union {
		struct file *file;
		struct io_cmd_data cmd;
	};
	u8 opcode;
	struct io_cqe cqe;
};

struct io_uring_cqe {
	u64 user_data;
	s32 res;
};

struct io_ring_ctx {
	unsigned int flags;
};

struct iov_iter;
struct bdi_writeback;
struct dirty_throttle_control;

#pragma clang attribute pop

#endif /* IOTRACE_CORE_IO_TYPES_H */
