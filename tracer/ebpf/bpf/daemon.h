/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Daemons that serve the files of a FUSE file system: they have its device open. */
#ifndef IOTRACE_DAEMON_H
#define IOTRACE_DAEMON_H

#define FUSE_DEVICE (10 << 20 | 229) /* /dev/fuse (Documentation/admin-guide/devices.txt), as the kernel keeps it */
#define MAX_DAEMON_FDS 32 /* daemons open it as they start */

struct daemon_walk {
	struct file **files;
	u32 found;
};

static int look_for_fuse(u32 i, struct daemon_walk *w)
{
	struct file *f = NULL;

	if (bpf_probe_read_kernel(&f, sizeof(f), &w->files[i]) || !f)
		return 0;
	w->found = BPF_CORE_READ(f, f_inode, i_rdev) == FUSE_DEVICE;
	return w->found;
}

static int fuse_callback(u32 i, void *walk)
{
	return look_for_fuse(i, walk);
}

/* serves_files tells whether a task has the device open. Not of p as a trusted task. */
SHARED bool serves_files(u64 task)
{
	struct task_struct *p = (void *)task;
	struct daemon_walk w = {};
	u32 n;

	w.files = BPF_CORE_READ(p, files, fdt, fd);
	n = BPF_CORE_READ(p, files, fdt, max_fds);
	if (n > MAX_DAEMON_FDS)
		n = MAX_DAEMON_FDS;
	LOOP(MAX_DAEMON_FDS, n, fuse_callback, &w);
	return w.found;
}

#endif /* IOTRACE_DAEMON_H */
