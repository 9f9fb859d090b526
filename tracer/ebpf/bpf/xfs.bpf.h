/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The log of XFS: for whom a write of it is. A transaction takes from its
 * reservation what it adds to the log that none before it had added, and gives
 * the rest back in the context of whoever made it. What was added since the last
 * checkpoint was written goes out with the next. The last buffer of a checkpoint
 * has callbacks. Once data is written, threads of the kernel change its file: for
 * whoever changed that file last. One that only they added to, for nobody who is
 * known, is divided as those before it, the last above all.
 */
#ifndef IOTRACE_XFS_BPF_H
#define IOTRACE_XFS_BPF_H

#define MAX_LOGS 256
#define MAX_LOG_BUFFERS 2048 /* eight of each log */
#define MAX_CHANGED_FILES 16384
#define MAX_WORKERS 1024 /* threads of the kernel in the middle of such a transaction */

struct xfs_inode;

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
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_LOGS);
	__type(key, u64); /* address of the log */
	__type(value, struct changed); /* bytes that are not written yet, and those that are */
} logs SEC(".maps"), logged SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, MAX_LOG_BUFFERS);
	__type(key, u64); /* address of the buffer, which its bio has too */
	__type(value, struct changed);
} log_writes SEC(".maps");

/* A write sets the time of a file in the context of whoever writes, once each tick. */
SEC("tp_btf/xfs_update_time")
int PROBE(xfs_update_time, struct xfs_inode *inode)
{
	u64 key = (u64)inode;
	u32 who = changer_of(CURRENT()), *last;

	if (who == NOBODY)
		return 0;
	last = bpf_map_lookup_elem(&file_changers, &key);
	if (!last || *last != who)
		bpf_map_update_elem(&file_changers, &key, &who, BPF_ANY);
	return 0;
}

/* changes_file notes for whom a thread of the kernel makes the transaction that it is about to end. */
static __always_inline int changes_file(struct xfs_inode *inode)
{
	u64 worker = (u64)CURRENT(), key = (u64)inode;
	u32 *who;

	if (changer_of(CURRENT()) != NOBODY)
		return 0;
	who = bpf_map_lookup_elem(&file_changers, &key);
	if (who)
		bpf_map_update_elem(&workers_for, &worker, who, BPF_ANY);
	else
		bpf_map_delete_elem(&workers_for, &worker);
	return 0;
}

SEC("tp_btf/xfs_unwritten_convert")
int PROBE(xfs_unwritten_convert, struct xfs_inode *inode)
{
	return changes_file(inode);
}

SEC("tp_btf/xfs_setfilesize")
int PROBE(xfs_setfilesize, struct xfs_inode *inode)
{
	return changes_file(inode);
}

static __always_inline void gives_back(struct xlog *log, struct xlog_ticket *ticket, bool ends)
{
	s32 used = UNTRUSTED(struct xlog_ticket, ticket)->t_unit_res - ticket->t_curr_res;
	u64 worker = (u64)CURRENT();
	u32 who = changer_of(CURRENT()), *for_whom;

	if (who == NOBODY) {
		for_whom = bpf_map_lookup_elem(&workers_for, &worker);
		if (for_whom)
			who = *for_whom;
		if (for_whom && ends)
			bpf_map_delete_elem(&workers_for, &worker);
	}
	if (who != NOBODY && used > 0)
		count_changes(&logs, (u64)log, who, used);
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

/* end_checkpoint moves what was added to what is written. */
static __always_inline void end_checkpoint(u64 log, struct changed *c, struct changed *now)
{
	struct changed *past;

	__sync_fetch_and_add(&c->own, -now->own);
	__sync_fetch_and_add(&c->others, -now->others);
	count_changes(&logged, log, RECORDED, now->own);
	count_changes(&logged, log, OTHERS, now->others);
	past = bpf_map_lookup_elem(&logged, &log);
	if (past) {
		past->own /= 2;
		past->others /= 2;
	}
}

/* The bio of a buffer follows at once on this task. */
SEC("tp_btf/xlog_iclog_write")
int PROBE(xlog_iclog_write, struct xlog_in_core *iclog)
{
	u64 buffer = (u64)iclog, log = (u64)UNTRUSTED(struct xlog_in_core, iclog)->ic_log, first;
	struct changed *c = bpf_map_lookup_elem(&logs, &log), *past, now = {};

	if (c)
		now = *c;
	if (now.own || now.others) {
		bpf_map_update_elem(&log_writes, &buffer, &now, BPF_ANY);
		first = (u64)UNTRUSTED(struct xlog_in_core, iclog)->ic_callbacks.next;
		if (first != buffer + bpf_core_field_offset(struct xlog_in_core, ic_callbacks)) /* the rest follows */
			end_checkpoint(log, c, &now);
		return 0;
	}
	past = bpf_map_lookup_elem(&logged, &log);
	if (past)
		bpf_map_update_elem(&log_writes, &buffer, past, BPF_ANY);
	else
		bpf_map_delete_elem(&log_writes, &buffer); /* of a buffer that had this address before */
	return 0;
}

#endif /* IOTRACE_XFS_BPF_H */
