/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Page cache, page faults, and throttling. A fault has no tracepoint at its end;
 * it counts as finished when the thread runs again after having waited for I/O
 * (wait.bpf.h). Faults that did not wait are not recorded.
 */
#ifndef IOTRACE_MEMORY_BPF_H
#define IOTRACE_MEMORY_BPF_H

/*
 * How many pages a folio has. It is read without helpers, as the verifier allows
 * for an argument of a tracepoint: this runs for each folio of a buffered copy.
 */
static __always_inline u32 folio_pages(struct folio *folio)
{
	struct folio___wrapped *wrapped = (void *)folio;
	struct folio___old *old = (void *)folio;
	unsigned long flags;
	u32 n = 0;

#ifdef LEGACY
	if (!bpf_core_type_exists(struct folio))
		return 1;
#endif
	if (bpf_core_field_exists(wrapped->flags.f))
		flags = wrapped->flags.f;
	else
		flags = folio->flags;
	if (!(flags >> page_head_bit & 1))
		return 1;
	if (bpf_core_field_exists(folio->_nr_pages))
		n = folio->_nr_pages;
	else if (bpf_core_field_exists(old->_folio_nr_pages))
		n = old->_folio_nr_pages;
	return n ? n : 1;
}

SEC("tp_btf/mm_filemap_add_to_page_cache")
int PROBE(mm_filemap_add_to_page_cache, struct folio *folio)
{
	struct task *t = known_task(CURRENT());

	if (t)
		t->filled += folio_pages(folio);
	return 0;
}

SEC("tp_btf/mm_filemap_fault")
int PROBE(mm_filemap_fault, struct address_space *mapping, unsigned long index)
{
	struct task *t = current_task(CURRENT());

	if (!t)
		return 0;
	t->fault_start = bpf_ktime_get_ns();
	t->fault_inode = (u64)UNTRUSTED(struct address_space, mapping)->host;
	t->fault_index = index;
	t->fault_waited = 0;
	if (!t->start)
		t->filled = 0;
	t->fault_filled = t->filled;
	return 0;
}

static __always_inline void throttled(s64 pause)
{
	struct task *t = known_task(CURRENT());

	if (t)
		t->throttled = pause > 0;
}

/*
 * Just before a writer is put to sleep because too much is dirty. Linux 6.16
 * passes the throttle control as one argument; before, its parts were arguments
 * of their own and the pause was the 11th. Commit: unknown.
 */
SEC("tp_btf/balance_dirty_pages")
int PROBE(balance_dirty_pages, struct bdi_writeback *wb, struct dirty_throttle_control *dtc, unsigned long ratelimit,
	  unsigned long task_ratelimit, unsigned long dirtied, unsigned long period, long pause)
{
	throttled(pause);
	return 0;
}

SEC("tp_btf/balance_dirty_pages")
int PROBE(balance_dirty_pages_parts, struct bdi_writeback *wb, unsigned long thresh, unsigned long bg_thresh,
	  unsigned long dirty, unsigned long bdi_thresh, unsigned long bdi_dirty, unsigned long ratelimit,
	  unsigned long task_ratelimit, unsigned long dirtied, unsigned long period, long pause)
{
	throttled(pause);
	return 0;
}

static __always_inline void send_fault(struct task *t, u32 pid, u32 tid, u64 now)
{
	struct fault *r;
	u32 file = inode_id((struct inode *)t->fault_inode);

	r = reserve(REC_FAULT, sizeof(*r));
	if (!r)
		return;
	__builtin_memset(r, 0, sizeof(*r));
	r->rec = REC_FAULT;
	r->filled = t->filled - t->fault_filled;
	r->start = t->fault_start;
	r->dur = now - t->fault_start;
	r->pid = pid;
	r->tid = tid;
	r->off = t->fault_index << page_shift;
	r->file = file;
	submit(r);
}

#endif /* IOTRACE_MEMORY_BPF_H */
