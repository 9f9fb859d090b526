/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What recorded threads spend their CPU time on. A clock strikes on each CPU, and
 * whoever runs there is asked where it is: in which mapped file, or where in the
 * kernel. What the address means is found out at the end of the recording. The
 * mapping has to be asked for at once, as the process may be gone soon.
 */
#ifndef IOTRACE_SAMPLE_BPF_H
#define IOTRACE_SAMPLE_BPF_H

#ifndef LEGACY /* bpf_find_vma came with v5.17 */

/* A mapped file at an address. */
struct mapped {
	u64 at; /* place in the file */
	u64 inode;
	u64 name; /* address of its last name */
	u32 dev;
};

static long in_mapping(struct task_struct *p, struct vm_area_struct *area, struct mapped *m)
{
	struct file *f = BPF_CORE_READ(area, vm_file);

	if (!f)
		return 0;
	m->at = m->at - BPF_CORE_READ(area, vm_start) + ((u64)BPF_CORE_READ(area, vm_pgoff) << page_shift);
	m->inode = BPF_CORE_READ(f, f_inode, i_ino);
	m->dev = BPF_CORE_READ(f, f_inode, i_sb, s_dev);
	m->name = (u64)BPF_CORE_READ(f, f_path.dentry, d_name.name);
	return 0;
}

/* It comes in an interrupt, maybe in the middle of another program: it uses nothing that these do. */
SEC("perf_event")
int sampled(u64 *registers)
{
	struct mapped m = { .at = registers[IP] };
	struct task_struct *p = CURRENT();
	struct sample *r;
	struct task *t;

	if (!TASK_READ(p, pid))
		return 0;
	t = known_task(p);
	if (!t)
		return 0;
	if ((s64)m.at >= 0) /* else of the kernel */
		bpf_find_vma(p, m.at, in_mapping, &m, 0);
	r = bpf_ringbuf_reserve(&events, sizeof(*r), 0);
	if (!r)
		return 0; /* any sample may be left out */
	__builtin_memset(r, 0, sizeof(*r));
	r->rec = REC_SAMPLE;
	r->user = (s64)registers[IP] >= 0;
	r->nr = t->start && !r->user ? t->nr : NO_CALL;
	r->pid = TASK_READ(p, tgid);
	r->at = m.at;
	r->inode = m.inode;
	r->dev = m.dev;
	BPF_CORE_READ_STR_INTO(&r->comm, p, group_leader, comm);
	if (m.name)
		bpf_probe_read_kernel_str(r->name, sizeof(r->name), (void *)m.name);
	submit(r);
	return 0;
}

#endif

#endif /* IOTRACE_SAMPLE_BPF_H */
