/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The journal of ext4 (jbd2): for whom a transaction is written. A handle says at
 * its end how many blocks it changed that no other of its transaction had changed
 * before; what all of them changed is what goes to the journal. All handles have
 * ended before the flushing of a commit, which comes before all of its requests.
 */
#ifndef IOTRACE_JOURNAL_BPF_H
#define IOTRACE_JOURNAL_BPF_H

#define MAX_TRANSACTIONS 512 /* two for each mounted file system */

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

SEC("tp_btf/jbd2_handle_stats")
int PROBE(jbd2_handle_stats, u32 dev, u32 number, u32 type, u32 line, int interval, int sync, int requested,
	  int dirtied)
{
	enum changer who;

	if (dirtied <= 0)
		return 0;
	who = changer_of(CURRENT());
	if (who != NOBODY)
		count_changes(&transactions, transaction_key(dev, number), who, dirtied);
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
