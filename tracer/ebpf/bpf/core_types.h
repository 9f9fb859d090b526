/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The kernel types the probes touch, and of each only the fields they read.
 * preserve_access_index makes every access a CO-RE relocation, so the layout
 * here need not match any kernel. Names with a ___ suffix are flavours: the
 * loader strips the suffix and matches whichever shape the running kernel has.
 */
#ifndef IOTRACE_CORE_TYPES_H
#define IOTRACE_CORE_TYPES_H

typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;
typedef int s32;
typedef unsigned int u32;
typedef long long s64;
typedef unsigned long long u64;
typedef _Bool bool;
typedef u8 __u8;
typedef u16 __u16;
typedef s16 __s16;
typedef s32 __s32;
typedef u32 __u32;
typedef s64 __s64;
typedef u64 __u64;
typedef u16 __be16;
typedef u32 __be32;
typedef u32 __wsum;

#define NULL ((void *)0)
#define true 1
#define false 0

/* The bpf(2) constants that are used; they are kernel ABI. */
enum {
	BPF_ANY = 0,
	BPF_NOEXIST = 1,
};

enum {
	BPF_RB_NO_WAKEUP = 1,
	BPF_RB_FORCE_WAKEUP = 2,
};

enum {
	BPF_RB_AVAIL_DATA = 0,
};

enum {
	BPF_LOCAL_STORAGE_GET_F_CREATE = 1,
};

enum {
	BPF_F_NO_PREALLOC = 1,
	BPF_F_CURRENT_CPU = 0xffffffff,
};

enum {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_LRU_HASH = 9,
	BPF_MAP_TYPE_RINGBUF = 27,
	BPF_MAP_TYPE_TASK_STORAGE = 29,
};

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

#if defined(__TARGET_ARCH_x86)
struct pt_regs {
	unsigned long r8, r9, r10, dx, si, di, orig_ax, ax;
};
#elif defined(__TARGET_ARCH_arm64)
struct user_pt_regs {
	u64 regs[31];
};
struct pt_regs {
	union {
		struct user_pt_regs user_regs;
		struct {
			u64 regs[31];
		};
	};
	u64 orig_x0;
	s32 syscallno;
};
#endif

typedef struct {
	int counter;
} atomic_t;

struct hlist_node {
	struct hlist_node *next, **pprev;
};

struct list_head {
	struct list_head *next, *prev;
};

struct hlist_head {
	struct hlist_node *first;
};

struct hlist_bl_node {
	struct hlist_bl_node *next, **pprev;
};

struct qstr {
	union {
		struct {
			u32 hash;
			u32 len;
		};
		u64 hash_len;
	};
	const unsigned char *name;
};

struct file_system_type {
	const char *name;
};

struct super_block {
	u32 s_dev;
	unsigned long s_flags;
	unsigned long s_magic;
	struct file_system_type *s_type;
	struct dentry *s_root;
};

struct address_space {
	struct inode *host;
};

struct inode {
	u16 i_mode;
	unsigned int i_flags;
	struct super_block *i_sb;
	struct address_space *i_mapping;
	unsigned long i_ino;
	u32 i_rdev;
	s64 i_size;
	u32 i_generation;
	unsigned int i_nlink;
	struct hlist_head i_dentry;
	struct address_space i_data;
};

struct dentry {
	struct hlist_bl_node d_hash;
	struct dentry *d_parent;
	struct qstr d_name;
	struct inode *d_inode;
	struct super_block *d_sb;
	union {
		struct hlist_node d_alias;
	} d_u;
};

/* In Linux 7.1 the union around it has no name: so says its type information. Commit: unknown. */
struct dentry___flat {
	struct hlist_node d_alias;
};

struct vfsmount {
	struct dentry *mnt_root;
	struct super_block *mnt_sb;
};

struct ns_common {
	unsigned int inum;
};

struct mnt_namespace {
	struct ns_common ns;
};

struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct mnt_namespace *mnt_ns;
	struct vfsmount mnt;
};

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct file {
	u32 f_mode;
	struct address_space *f_mapping;
	struct inode *f_inode;
	const void *f_op;
	unsigned int f_flags;
	struct path f_path;
	s64 f_pos;
	void *private_data;
};

struct vm_area_struct {
	unsigned long vm_start;
	unsigned long vm_pgoff;
	struct file *vm_file;
};

struct in6_addr {
	u8 bytes[16]; /* read as a whole */
};

struct sock_common {
	__be32 skc_daddr;
	__be16 skc_dport;
	unsigned short skc_family;
	int skc_bound_dev_if;
	struct in6_addr skc_v6_daddr;
};

struct socket {
	struct sock_common *sk; /* a struct sock begins with one */
};

struct ovl_path {
	struct dentry *dentry;
};

struct ovl_entry {
	unsigned int __numlower;
	struct ovl_path __lowerstack[1];
};

/* The layers below are here since commit 0af950f57fef ("ovl: move ovl_entry into ovl_inode", v6.5). */
struct ovl_inode {
	struct inode vfs_inode;
	struct dentry *__upperdentry;
	struct ovl_entry *oe;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	atomic_t count;
	struct fdtable *fdt;
};

struct fs_struct {
	struct path pwd;
};

typedef struct {
	s64 counter;
} atomic64_t;

struct mm_struct {
	unsigned long arg_start, arg_end;
	atomic64_t pgtables_bytes;
};

struct signal_struct {
	atomic_t live;
	struct list_head thread_head;
	int group_exit_code;
	unsigned int flags;
	u64 sum_sched_runtime;
};

struct rq;

struct cfs_rq {
	struct rq *rq;
};

struct sched_entity {
	u64 sum_exec_runtime;
	struct cfs_rq *cfs_rq;
};

typedef struct {
	u32 val;
} kuid_t;

struct cred {
	kuid_t uid;
};

struct thread_info {
	unsigned long flags;
#if defined(__TARGET_ARCH_x86)
	u32 status;
#elif defined(__TARGET_ARCH_arm64)
	struct {
		u32 count;
	} preempt;
#endif
};

struct kernfs_node {
	const char *name;
	u64 id; /* the number of the inode */
};

struct cgroup;

struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys_state *parent;
};

struct cgroup_root {
	int hierarchy_id;
};

struct cgroup {
	struct cgroup_subsys_state self;
	struct kernfs_node *kn;
	struct cgroup_root *root;
};

struct css_set {
	struct list_head cgrp_links;
};

struct cgrp_cset_link {
	struct cgroup *cgrp;
	struct list_head cgrp_link;
};

struct task_struct {
	struct thread_info thread_info;
	unsigned int flags;
	unsigned int __state;
	int on_cpu;
	struct sched_entity se;
	struct mm_struct *mm;
	unsigned long nvcsw, nivcsw;
	int exit_code;
	unsigned in_iowait : 1;
	unsigned frozen : 1;
	int pid, tgid;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	struct list_head thread_node;
	char comm[16];
	struct fs_struct *fs;
	struct files_struct *files;
	struct signal_struct *signal;
	const struct cred *cred;
	struct css_set *cgroups;
	void *bpf_storage;
};

/* Commit 2f064a59a11f ("sched: Change task_struct::state", v5.14) renamed it, and made it an int. */
struct task_struct___state {
	long state;
};

struct bpf_iter__task {
	struct task_struct *task;
};

struct linux_binprm {
	const char *filename;
	struct file *file;
};

#pragma clang attribute pop

#endif /* IOTRACE_CORE_TYPES_H */
