/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What a client of NFS asked of its server, and what a server was asked. The kernel counts each RPC for
 * /proc/self/mountstats once it is through with it, and says at that point when it
 * was made, sent last and answered. Whoever waits for it is woken from there on.
 * The modules may be missing: then there is no such program, and nothing that it costs.
 */
#ifndef IOTRACE_RPC_BPF_H
#define IOTRACE_RPC_BPF_H

/* Beginnings of names of procedures, as little-endian numbers. */
#define NAME_READ 0x44414552ULL
#define NAME_READ_PLUS 0x004c505f44414552ULL /* as much of it as is looked at */
#define NAME_WRITE 0x4554495257ULL
#define NAME_COMMIT 0x54494d4d4f43ULL

#define MAX_RPCS_SEEN 4096

/* What a procedure reads or writes. */
struct rpc_data {
	s64 off;
	u32 bytes;
	u32 file;
};

/*
 * data_of_rpc tells which data of which file that is. The arguments of the procedures
 * that move data are part of what the client keeps of the operation. It comes before
 * the record, as it may send the identity of the file.
 */
static __always_inline struct rpc_data data_of_rpc(struct rpc_task *task)
{
	u64 kept = (u64)BPF_CORE_READ(task, tk_calldata), args = (u64)BPF_CORE_READ(task, tk_msg.rpc_argp), name = 0;
	struct nfs_pgio_header *io = (void *)kept;
	struct nfs_commit_data *commit = (void *)kept;
	struct rpc_data d = { .off = -1 };

	if (!bpf_core_type_exists(struct nfs_pgio_header))
		return d;
	bpf_probe_read_kernel_str(&name, sizeof(name), BPF_CORE_READ(task, tk_msg.rpc_proc, p_name));
	if (name == NAME_READ || name == NAME_READ_PLUS || name == NAME_WRITE) {
		if (args != kept + bpf_core_field_offset(struct nfs_pgio_header, args))
			return d;
		d.off = BPF_CORE_READ(io, args.offset);
		d.bytes = BPF_CORE_READ(io, res.count);
		d.file = inode_id(BPF_CORE_READ(io, inode));
	} else if (name == NAME_COMMIT && args == kept + bpf_core_field_offset(struct nfs_commit_data, args)) {
		d.file = inode_id(BPF_CORE_READ(commit, inode));
	}
	return d;
}

static __always_inline void times_of_rpc(struct rpc *r, struct rpc_rqst *sent)
{
	s64 rtt = BPF_CORE_READ(sent, rq_rtt);

	r->sent = BPF_CORE_READ(sent, rq_xtime);
	r->replied = r->sent && rtt > 0 ? r->sent + rtt : 0;
	r->sends = BPF_CORE_READ(sent, rq_ntrans);
	r->out = BPF_CORE_READ(sent, rq_xmit_bytes_sent);
	r->in = BPF_CORE_READ(sent, rq_reply_bytes_recvd);
	r->xid = bpf_ntohl(BPF_CORE_READ(sent, rq_xid));
}

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, MAX_RPCS_SEEN);
	__type(key, u64); /* address of the RPC's task, or of the thread that serves it */
	__type(value, u64); /* when it ended */
} rpcs_seen SEC(".maps");

/* seen_rpc tells whether an earlier copy of the program has seen the end of an RPC, or when it began. */
static __always_inline bool seen_rpc(u64 key, u64 ended)
{
	u64 *before = bpf_map_lookup_elem(&rpcs_seen, &key);

	if (before && *before == ended)
		return true;
	bpf_map_update_elem(&rpcs_seen, &key, &ended, BPF_ANY);
	return false;
}

static __always_inline void end_rpc(struct rpc_task *task, s64 took)
{
	struct rpc_rqst *sent = BPF_CORE_READ(task, tk_rqstp);
	u64 start = BPF_CORE_READ(task, tk_start);
	struct rpc_data d;
	struct rpc *r;

	if (preemptible && seen_rpc((u64)task, start + took))
		return;
	d = data_of_rpc(task);
	r = reserve(REC_RPC, sizeof(*r));
	if (!r)
		return;
	__builtin_memset(r, 0, sizeof(*r));
	r->rec = REC_RPC;
	r->program = BPF_CORE_READ(task, tk_client, cl_prog);
	r->version = BPF_CORE_READ(task, tk_client, cl_vers);
	r->status = BPF_CORE_READ(task, tk_status);
	r->start = start;
	r->ended = start + took;
	r->pid = BPF_CORE_READ(task, tk_owner);
	r->tid = (u32)bpf_get_current_pid_tgid();
	r->off = d.off;
	r->bytes = d.bytes;
	r->file = d.file;
	times_of_rpc(r, sent);
	bpf_probe_read_kernel_str(r->name, sizeof(r->name), BPF_CORE_READ(task, tk_msg.rpc_proc, p_name));
	bpf_probe_read_kernel_str(r->server, sizeof(r->server), BPF_CORE_READ(sent, rq_xprt, servername));
	submit(r);
	note(BY_RPC, start + took);
}

/* end_served is for a reply that a thread of the server has sent. */
static __always_inline void end_served(struct svc_rqst *asked)
{
	u64 start = BPF_CORE_READ(asked, rq_stime), now = bpf_ktime_get_ns();
	struct rpc *r;

	if (!start || start > now || (preemptible && seen_rpc((u64)asked, start)))
		return;
	r = reserve(REC_RPC, sizeof(*r));
	if (!r)
		return;
	__builtin_memset(r, 0, sizeof(*r));
	r->rec = REC_RPC;
	r->served = 1;
	r->program = BPF_CORE_READ(asked, rq_prog);
	r->version = BPF_CORE_READ(asked, rq_vers);
	r->start = start;
	r->ended = now;
	r->pid = bpf_get_current_pid_tgid() >> 32;
	r->tid = (u32)bpf_get_current_pid_tgid();
	r->off = -1;
	r->xid = bpf_ntohl(BPF_CORE_READ(asked, rq_xid));
	if (bpf_core_field_exists(struct svc_procedure, pc_name))
		bpf_probe_read_kernel_str(r->name, sizeof(r->name), BPF_CORE_READ(asked, rq_procinfo, pc_name));
	submit(r);
}

/* A thread that serves an RPC works for whoever asked: what it waits for meanwhile is recorded. */
SEC("tp_btf/svc_process")
int PROBE(svc_process)
{
	struct task_struct *p = CURRENT();

	if (TASK_READ(p, flags) & PF_KTHREAD)
		follow(p, TASK_READ(p, pid), 1);
	return 0;
}

/*
 * The arguments of a module's hook may be missing, as far as the verifier of Linux 7.3
 * knows. As of calls there are copies where hooks are preemptible (syscalls.bpf.h):
 * workers that end RPCs lose the CPU often.
 */
#define RPC_PROBE(suffix)							\
SEC("tp_btf/rpc_stats_latency")							\
int PROBE(rpc_stats_latency##suffix, struct rpc_task *task, s64 backlog, s64 rtt, s64 took)	\
{										\
	if (task)								\
		end_rpc(task, took);						\
	return 0;								\
}										\
SEC("tp_btf/svc_send")								\
int PROBE(svc_send##suffix, struct svc_rqst *asked, int status)			\
{										\
	if (asked && status >= 0)						\
		end_served(asked);						\
	return 0;								\
}

RPC_PROBE()
#ifndef LEGACY
RPC_PROBE(_2)
RPC_PROBE(_3)
RPC_PROBE(_4)
#endif

#endif /* IOTRACE_RPC_BPF_H */
