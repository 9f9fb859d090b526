/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The types of clients of network file systems, all of them of modules: more of core_types.h. */
#ifndef IOTRACE_CORE_RPC_TYPES_H
#define IOTRACE_CORE_RPC_TYPES_H

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

/* sunrpc */

struct rpc_procinfo {
	const char *p_name;
};

struct rpc_message {
	const struct rpc_procinfo *rpc_proc;
	void *rpc_argp;
};

struct rpc_clnt {
	u32 cl_prog;
	u32 cl_vers;
};

struct rpc_xprt {
	const char *servername;
};

struct rpc_rqst {
	struct rpc_xprt *rq_xprt;
	unsigned long rq_xmit_bytes_sent;
	unsigned long rq_reply_bytes_recvd;
	s64 rq_rtt;
	s64 rq_xtime;
	int rq_ntrans;
	u32 rq_xid; /* big-endian */
};

struct rpc_task {
	int tk_status;
	struct rpc_message tk_msg;
	void *tk_calldata;
	struct rpc_clnt *tk_client;
	struct rpc_rqst *tk_rqstp;
	s64 tk_start;
	int tk_owner;
};

struct svc_procedure {
	const char *pc_name; /* from Linux 5.11 on */
};

struct svc_rqst {
	const struct svc_procedure *rq_procinfo;
	u32 rq_xid; /* big-endian */
	u32 rq_prog;
	u32 rq_vers;
	s64 rq_stime;
};

/* nfs */

struct nfs_pgio_args {
	u64 offset;
};

struct nfs_pgio_res {
	u32 count;
};

struct nfs_pgio_header {
	struct inode *inode;
	struct nfs_pgio_args args;
	struct nfs_pgio_res res;
};

struct nfs_commitargs {
	u64 offset;
};

struct nfs_commit_data {
	struct inode *inode;
	struct nfs_commitargs args;
};

/* cifs */

struct TCP_Server_Info {
	char *hostname;
};

struct cifs_ses {
	u64 Suid;
	struct TCP_Server_Info *server;
};

struct cifs_tcon {
	struct cifs_ses *ses;
	u32 tid;
};

struct tcon_link {
	struct cifs_tcon *tl_tcon;
};

struct cifs_fid {
	u64 persistent_fid;
};

struct cifsFileInfo {
	struct cifs_fid fid;
	struct tcon_link *tlink;
};

#pragma clang attribute pop

#endif /* IOTRACE_CORE_RPC_TYPES_H */
