/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The handles that clients of SMB have for files. The hooks of the client tell a
 * file only by the number that its server gave it at the open, so each open file
 * is remembered by that as it is first used.
 */
#ifndef IOTRACE_SMB_H
#define IOTRACE_SMB_H

#define CIFS_SUPER_MAGIC 0xff534d42

struct smb_handle {
	u64 session;
	u64 handle;
	u32 tree;
	u32 server; /* hash of its name: some servers number sessions, trees and handles from 1 */
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 16384);
	__type(key, struct smb_handle);
	__type(value, u32); /* number of the file */
} smb_files SEC(".maps");

/* hash_of_name is a hash of the beginning of a server's name. */
static __always_inline u32 hash_of_name(const void *name)
{
	u64 half[2] = {};

	bpf_probe_read_kernel_str(half, sizeof(half), name);
	return address_hash(half[0]) ^ address_hash(half[0] >> 32) * 3 ^ address_hash(half[1]) * 5 ^
	       address_hash(half[1] >> 32) * 7;
}

/* remember_handle ties an open file's handle to the file's number. It is verified by itself, and takes no pointer therefore. */
__noinline int remember_handle(u64 file, u32 id)
{
	struct file *f = (void *)file;
	struct cifsFileInfo *open;
	struct smb_handle h = {};
	struct cifs_tcon *tcon;

	if (!bpf_core_type_exists(struct cifsFileInfo) || BPF_CORE_READ(f, f_inode, i_sb, s_magic) != CIFS_SUPER_MAGIC)
		return 0;
	open = BPF_CORE_READ(f, private_data);
	if (!open)
		return 0;
	tcon = BPF_CORE_READ(open, tlink, tl_tcon);
	h.session = BPF_CORE_READ(tcon, ses, Suid);
	h.handle = BPF_CORE_READ(open, fid.persistent_fid);
	h.tree = BPF_CORE_READ(tcon, tid);
	h.server = hash_of_name(BPF_CORE_READ(tcon, ses, server, hostname));
	return bpf_map_update_elem(&smb_files, &h, &id, BPF_ANY);
}

#endif /* IOTRACE_SMB_H */
