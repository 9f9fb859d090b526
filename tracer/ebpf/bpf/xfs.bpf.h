/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The log of XFS: for whom a write of it is. A transaction takes from its
 * reservation what it adds to the log that none before it had added, and gives
 * the rest back in the context of whoever made it, still a part of the checkpoint
 * that it joined. The last buffer of a checkpoint leads to it. As data is written back, threads of the kernel change its file:
 * for whoever changed that file last. A checkpoint that only they added to, for
 * nobody who is known, is divided as those before it, the last above all.
 *
 * A file that is closed gives back the room beyond its end that was kept for more.
 * A checkpoint that has nothing else makes nothing safe that was written.
 */
#ifndef IOTRACE_XFS_BPF_H
#define IOTRACE_XFS_BPF_H

#define MAX_LOGS 256
#define MAX_CHECKPOINTS 4096 /* of all logs, until they are written */
#define MAX_LOG_BUFFERS 2048 /* eight of each log */
#define MAX_CHANGED_FILES 16384
#define MAX_WORKERS 1024 /* threads of the kernel in the middle of such a transaction */
#define INODE_CHANGED (1 << 3) /* XFS_LI_DIRTY: by the transaction that it is in */

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, MAX_CHANGED_FILES);
	__type(key, u64); /* address of the inode */
	__type(value, u32); /* enum changer */
} file_changers SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, MAX_WORKERS);
	__type(key, u64); /* address of the thread */
	__type(value, u32); /* for whom it works */
} workers_for SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, MAX_CHECKPOINTS);
	__type(key, u64); /* address of the checkpoint */
	__type(value, struct changed); /* bytes added to it */
} checkpoints SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_LOGS);
	__type(key, u64); /* address of the log */
	__type(value, struct changed); /* bytes of its checkpoints so far, each half as much as the next */
} logged SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, MAX_LOG_BUFFERS);
	__type(key, u64); /* address of the buffer, which its bio has too */
	__type(value, struct changed);
} log_writes SEC(".maps");

/* How many transactions joined a checkpoint. */
struct joined {
	u32 spare; /* that give back room beyond the end of a file */
	u32 more;  /* others */
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, MAX_CHECKPOINTS);
	__type(key, u64); /* address of the checkpoint */
	__type(value, struct joined);
} joined_by SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, MAX_WORKERS);
	__type(key, u64); /* address of a thread in the middle of such a transaction */
	__type(value, u8);
} giving_room SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, MAX_LOG_BUFFERS);
	__type(key, u64); /* address of a buffer that has nothing else */
	__type(value, u8);
} spare_writes SEC(".maps");

/*
 * changes_file notes who changes a file or, of a thread of the kernel, for whom it
 * makes the transaction that it is in or about to begin.
 */
static __always_inline int changes_file(struct xfs_inode *inode)
{
	u64 worker = (u64)CURRENT(), key = (u64)inode;
	u32 who = changer_of(CURRENT()), *last = bpf_map_lookup_elem(&file_changers, &key);

	if (who != NOBODY) {
		if (!last || *last != who)
			bpf_map_update_elem(&file_changers, &key, &who, BPF_ANY);
		return 0;
	}
	if (last)
		bpf_map_update_elem(&workers_for, &worker, last, BPF_ANY);
	else
		bpf_map_delete_elem(&workers_for, &worker);
	return 0;
}

/*
 * A write sets the time of a file, once each tick, and reserves room, both in the
 * context of whoever writes. Threads that write back allocate the room, and change
 * the file once its data is there.
 */
#define FILE_PROBE(name)						\
SEC("tp_btf/" #name)							\
int PROBE(name, struct xfs_inode *inode)				\
{									\
	return changes_file(inode);					\
}

FILE_PROBE(xfs_update_time)
FILE_PROBE(xfs_iext_insert)
FILE_PROBE(xfs_bmap_post_update)
FILE_PROBE(xfs_unwritten_convert)
FILE_PROBE(xfs_setfilesize)

static __always_inline struct xfs_cil *cil_of(struct xlog *log)
{
	return UNTRUSTED(struct xlog, log)->l_cilp;
}

/*
 * A file is made shorter, or what lies beyond its end is given back. A truncation
 * sets the size first, in the same transaction; then it has changed the file here.
 */
SEC("tp_btf/xfs_itruncate_extents_start")
int PROBE(xfs_itruncate_extents_start, struct xfs_inode *inode)
{
	struct xfs_inode_log_item *item = READ(struct xfs_inode, inode, i_itemp);
	u64 task = (u64)CURRENT();
	u8 yes = 1;

	if (item && !(READ(struct xfs_inode_log_item, item, ili_item.li_flags) & INODE_CHANGED))
		bpf_map_update_elem(&giving_room, &task, &yes, BPF_ANY);
	return 0;
}

/* joins counts a transaction of this task that has joined a checkpoint. */
static __always_inline void joins(u64 checkpoint, bool ends)
{
	struct joined fresh = {}, *j = bpf_map_lookup_elem(&joined_by, &checkpoint);
	u64 task = (u64)CURRENT();
	bool spare = bpf_map_lookup_elem(&giving_room, &task);

	if (!j) {
		bpf_map_update_elem(&joined_by, &checkpoint, &fresh, BPF_NOEXIST);
		j = bpf_map_lookup_elem(&joined_by, &checkpoint);
	}
	if (j)
		__sync_fetch_and_add(spare ? &j->spare : &j->more, 1);
	if (spare && ends)
		bpf_map_delete_elem(&giving_room, &task);
}

static __always_inline void gives_back(struct xlog *log, struct xlog_ticket *ticket, bool ends)
{
	s32 used = UNTRUSTED(struct xlog_ticket, ticket)->t_unit_res - ticket->t_curr_res;
	u64 worker = (u64)CURRENT(), checkpoint = (u64)READ(struct xfs_cil, cil_of(log), xc_ctx);
	u32 who = changer_of(CURRENT()), *for_whom;

	if (used >= 0) /* else it is the log's own, for a checkpoint, and what transactions gave it is left over */
		joins(checkpoint, ends); /* which waits for it to get here */
	if (who == NOBODY) {
		for_whom = bpf_map_lookup_elem(&workers_for, &worker);
		if (for_whom)
			who = *for_whom;
		if (for_whom && ends)
			bpf_map_delete_elem(&workers_for, &worker);
	}
	if (who != NOBODY && used > 0)
		count_changes(&checkpoints, checkpoint, who, used);
}

SEC("tp_btf/xfs_log_ticket_ungrant")
int PROBE(xfs_log_ticket_ungrant, struct xlog *log, struct xlog_ticket *ticket)
{
	gives_back(log, ticket, true);
	return 0;
}

SEC("tp_btf/xfs_log_ticket_regrant")
int PROBE(xfs_log_ticket_regrant, struct xlog *log, struct xlog_ticket *ticket)
{
	gives_back(log, ticket, false);
	return 0;
}

/* end_checkpoint adds a checkpoint that is written to what its log has had. */
static __always_inline void end_checkpoint(u64 log, u64 checkpoint, struct changed *c)
{
	struct changed *past;

	count_changes(&logged, log, RECORDED, c->own);
	count_changes(&logged, log, OTHERS, c->others);
	past = bpf_map_lookup_elem(&logged, &log);
	if (past) {
		past->own /= 2;
		past->others /= 2;
	}
	bpf_map_delete_elem(&checkpoints, &checkpoint);
}

/* checkpoint_in returns which checkpoint a buffer is of: the first that ends in it, or the last that began. */
static __always_inline u64 checkpoint_in(struct xlog_in_core *iclog, bool *ends)
{
	struct xfs_cil *cil = cil_of(UNTRUSTED(struct xlog_in_core, iclog)->ic_log);
	u64 entry = (u64)UNTRUSTED(struct xlog_in_core, iclog)->ic_callbacks.next;

	*ends = entry != (u64)iclog + bpf_core_field_offset(struct xlog_in_core, ic_callbacks);
	if (*ends)
		return entry - bpf_core_field_offset(struct xfs_cil_ctx, iclog_entry);
	entry = (u64)READ(struct xfs_cil, cil, xc_committing.next);
	return entry - bpf_core_field_offset(struct xfs_cil_ctx, committing);
}

/* note_spare notes whether a buffer has one checkpoint, its end included, that gives back room and does nothing else. */
static __always_inline void note_spare(struct xlog_in_core *iclog, u64 checkpoint, bool ends)
{
	struct list_head *head = (void *)iclog + bpf_core_field_offset(struct xlog_in_core, ic_callbacks);
	struct joined *j = bpf_map_lookup_elem(&joined_by, &checkpoint);
	u64 buffer = (u64)iclog;
	u8 yes = 1;

	if (ends && j && j->spare && !j->more &&
	    READ(struct list_head, head, next) == READ(struct list_head, head, prev))
		bpf_map_update_elem(&spare_writes, &buffer, &yes, BPF_ANY);
	else
		bpf_map_delete_elem(&spare_writes, &buffer);
	if (ends)
		bpf_map_delete_elem(&joined_by, &checkpoint);
}

/* The bio of a buffer follows at once on this task. */
SEC("tp_btf/xlog_iclog_write")
int PROBE(xlog_iclog_write, struct xlog_in_core *iclog)
{
	u64 buffer = (u64)iclog, log = (u64)UNTRUSTED(struct xlog_in_core, iclog)->ic_log, checkpoint;
	struct changed *c;
	bool ends;

	checkpoint = checkpoint_in(iclog, &ends);
	note_spare(iclog, checkpoint, ends);
	c = bpf_map_lookup_elem(&checkpoints, &checkpoint);
	if (c && ends) {
		bpf_map_update_elem(&log_writes, &buffer, c, BPF_ANY);
		end_checkpoint(log, checkpoint, c);
		return 0;
	}
	if (!c)
		c = bpf_map_lookup_elem(&logged, &log);
	if (c)
		bpf_map_update_elem(&log_writes, &buffer, c, BPF_ANY);
	else
		bpf_map_delete_elem(&log_writes, &buffer); /* of a buffer that had this address before */
	return 0;
}

#endif /* IOTRACE_XFS_BPF_H */
