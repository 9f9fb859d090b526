/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The journal of ext4 (jbd2): for whom a transaction is written. A handle says at
 * its end how many blocks it changed that no other of its transaction had changed
 * before; what all of them changed is what goes to the journal. Threads of the
 * kernel write back for everybody, so theirs count for nobody. All handles have
 * ended before the flushing of a commit, which comes before all of its requests.
 */
#ifndef IOTRACE_JOURNAL_BPF_H
#define IOTRACE_JOURNAL_BPF_H

#define MAX_TRANSACTIONS 512 /* two for each mounted file system */

struct changed {
	u64 own; /* as in struct commit */
	u64 others;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_TRANSACTIONS);
	__type(key, u64); /* device and number of the transaction */
	__type(value, struct changed);
} transactions SEC(".maps");

static __always_inline u64 transaction_key(u32 dev, u32 number)
{
	return (u64)dev << 32 | number;
}

static __always_inline bool works_for_recorded(struct task_struct *p)
{
	struct helper_info *h;

	if (current_task(p))
		return true;
	h = helper_of(p);
	return h && h->daemon;
}

SEC("tp_btf/jbd2_handle_stats")
int PROBE(jbd2_handle_stats, u32 dev, u32 number, u32 type, u32 line, int interval, int sync, int requested,
	  int dirtied)
{
	struct task_struct *p = CURRENT();
	u64 key = transaction_key(dev, number);
	struct changed fresh = {}, *c;

	if (dirtied <= 0 || TASK_READ(p, flags) & PF_KTHREAD || TASK_READ(p, tgid) == recorder)
		return 0;
	c = bpf_map_lookup_elem(&transactions, &key);
	if (!c) {
		bpf_map_update_elem(&transactions, &key, &fresh, BPF_NOEXIST);
		c = bpf_map_lookup_elem(&transactions, &key);
		if (!c)
			return 0; /* no room: it counts as one that is not known */
	}
	__sync_fetch_and_add(works_for_recorded(p) ? &c->own : &c->others, dirtied);
	return 0;
}

SEC("tp_btf/jbd2_commit_flushing")
int PROBE(jbd2_commit_flushing, struct journal_s *journal, struct transaction_s *transaction)
{
	u64 key = transaction_key(BPF_CORE_READ(journal, j_fs_dev, bd_dev), BPF_CORE_READ(transaction, t_tid));
	struct changed *c = bpf_map_lookup_elem(&transactions, &key);
	struct commit *r = reserve(REC_COMMIT, sizeof(*r));

	if (r) {
		__builtin_memset(r, 0, sizeof(*r));
		r->rec = REC_COMMIT;
		r->time = bpf_ktime_get_ns();
		r->tid = (u32)bpf_get_current_pid_tgid();
		if (c) {
			r->own = c->own;
			r->others = c->others;
		}
		submit(r);
	}
	if (c)
		bpf_map_delete_elem(&transactions, &key);
	return 0;
}

#endif /* IOTRACE_JOURNAL_BPF_H */
