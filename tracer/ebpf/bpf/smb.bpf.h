/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What a client of SMB asked of its server. The hooks have numbers, not objects:
 * a command has one that it shares with its reply (mid), a transfer is known by
 * the handle and the place in the file. A transfer is over when its data is there,
 * which the hook of the command's reply comes before. The module may be missing:
 * then there is no such program, and nothing that it costs.
 */
#ifndef IOTRACE_SMB_BPF_H
#define IOTRACE_SMB_BPF_H

#define SMB_READ 8
#define SMB_WRITE 9
#define MAX_COMPOUND 8 /* commands that are sent together */

/*
 * What is asked, until it is answered. Each connection of a session counts its
 * commands, so that the number alone would not do. But of commands that are no
 * transfers the reply is taken by the thread that asks.
 */
struct smb_key {
	u64 session; /* of a transfer: there is none before the first commands are answered */
	u64 number;  /* of the command; of a transfer the handle */
	u64 place;   /* in the file; 0 */
	u32 transfer; /* SMB_READ, SMB_WRITE, or 0 */
	u32 by;      /* thread; of a transfer the tree */
};

struct smb_ask {
	u64 start;
	u32 pid;
	u32 tid;
	u32 file;
	u32 command;
	u8 server[RPC_SERVER];
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 16384);
	__type(key, struct smb_key);
	__type(value, struct smb_ask);
} smb_asks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, u32); /* thread */
	__type(value, u64); /* address of the name of the server that it asks */
} smb_servers SEC(".maps");

/* What a hook says of a transfer. */
struct smb_transfer {
	u64 handle;
	u64 session;
	u64 off;
	u32 tree;
	u32 bytes;
	s32 status;
};

const volatile bool smb_subrequests = false; /* such a hook begins with two numbers of its part of a larger request */

/*
 * The end of each branch differs, so that the compiler does not make one load of
 * the two: the verifier wants the place of an argument to be a constant.
 */
#define ARGUMENTS(first)						\
({									\
	t.handle = ctx[(first)];					\
	t.tree = ctx[(first) + 1];					\
	t.session = ctx[(first) + 2];					\
	t.off = ctx[(first) + 3];					\
	t.bytes = ctx[(first) + 4];					\
	if (failed)							\
		t.status = ctx[(first) + 5];				\
	asm volatile("" : : "i"(first) : "memory");			\
})

static __always_inline struct smb_transfer transfer_of(u64 *ctx, bool failed)
{
	struct smb_transfer t = {};

	if (smb_subrequests)
		ARGUMENTS(3);
	else
		ARGUMENTS(1);
	return t;
}

static __noinline void smb_begins(struct smb_key *key, u32 command)
{
	u64 who = bpf_get_current_pid_tgid(), *name;
	struct smb_ask a = { .start = bpf_ktime_get_ns(), .pid = who >> 32, .tid = who, .command = command };

	name = bpf_map_lookup_elem(&smb_servers, &a.tid);
	if (name)
		bpf_probe_read_kernel_str(a.server, sizeof(a.server), (void *)*name);
	if (key->transfer) {
		struct smb_handle h = { .session = key->session,
					.handle = key->number,
					.tree = key->by,
					.server = hash_of_name(a.server) };
		u32 *file = bpf_map_lookup_elem(&smb_files, &h);

		a.file = file ? *file : 0;
	}
	bpf_map_update_elem(&smb_asks, key, &a, BPF_ANY);
}

/* smb_ends is for a reply. The first of the copies that finds what was asked takes it. Returns false if none does. */
static __noinline bool smb_ends(struct smb_key *key, u64 off, u32 bytes, s32 status)
{
	struct smb_ask a, *found = bpf_map_lookup_elem(&smb_asks, key);
	u64 now = bpf_ktime_get_ns();
	struct rpc *r;

	if (!found)
		return false;
	a = *found;
	if (bpf_map_delete_elem(&smb_asks, key))
		return false;
	r = reserve(REC_RPC, sizeof(*r));
	if (!r)
		return true;
	__builtin_memset(r, 0, sizeof(*r));
	r->rec = REC_RPC;
	r->program = PROGRAM_SMB;
	r->version = a.command;
	r->status = status;
	r->start = r->sent = a.start; /* when it was sent nothing says */
	r->ended = r->replied = now;
	r->pid = a.pid;
	r->tid = (u32)bpf_get_current_pid_tgid();
	r->sends = 1;
	r->off = off;
	r->bytes = bytes;
	r->file = a.file;
	__builtin_memcpy(r->server, a.server, sizeof(r->server));
	submit(r);
	if (a.tid != (u32)bpf_get_current_pid_tgid())
		note(BY_RPC, now);
	return true;
}

static __always_inline void transfer_begins(u32 command, struct smb_transfer t)
{
	struct smb_key key = { t.session, t.handle, t.off, command, t.tree };

	smb_begins(&key, command);
}

static __always_inline void transfer_ends(u32 command, struct smb_transfer t)
{
	struct smb_key key = { t.session, t.handle, t.off, command, t.tree };

	smb_ends(&key, t.off, t.status ? 0 : t.bytes, t.status);
}

static __always_inline void command_begins(u32 command, u64 mid)
{
	struct smb_key key = { .number = mid, .by = (u32)bpf_get_current_pid_tgid() };

	if (command != SMB_READ && command != SMB_WRITE)
		smb_begins(&key, command);
}

/*
 * Commands that are sent together have numbers that follow each other. If one
 * fails, so do those after it, and the client does not look at their replies.
 */
static __always_inline void command_ends(u64 mid, s32 status)
{
	struct smb_key key = { .number = mid, .by = (u32)bpf_get_current_pid_tgid() };

	for (u32 i = 0; i < MAX_COMPOUND; i++) {
		if (!smb_ends(&key, -1, 0, status) || !status)
			break;
		key.number++;
	}
}

/* A thread asks the server next whose permission it was given to send something. */
#define SMB_SERVER_PROBE(name)						\
SEC("tp_btf/" #name)							\
int PROBE(name, u64 mid, u64 connection, const char *server)		\
{									\
	u32 tid = (u32)bpf_get_current_pid_tgid();			\
	u64 address = (u64)server;					\
									\
	bpf_map_update_elem(&smb_servers, &tid, &address, BPF_ANY);	\
	return 0;							\
}

SMB_SERVER_PROBE(smb3_waitff_credits)
SMB_SERVER_PROBE(smb3_wait_credits)
SMB_SERVER_PROBE(smb3_nblk_credits)

/* There are copies as of other RPCs. */
#define SMB_PROBES(suffix)						\
SEC("tp_btf/smb3_cmd_enter")						\
int PROBE(smb3_cmd_enter##suffix, u32 tree, u64 session, u16 command, u64 mid)	\
{									\
	command_begins(command, mid);					\
	return 0;							\
}									\
SEC("tp_btf/smb3_cmd_done")						\
int PROBE(smb3_cmd_done##suffix, u32 tree, u64 session, u16 command, u64 mid)	\
{									\
	command_ends(mid, 0);					\
	return 0;							\
}									\
SEC("tp_btf/smb3_cmd_err")						\
int PROBE(smb3_cmd_err##suffix, u32 tree, u64 session, u16 command, u64 mid, u32 answer, int status)	\
{									\
	command_ends(mid, status);				\
	return 0;							\
}									\
SEC("tp_btf/smb3_read_enter")						\
int PROBE(smb3_read_enter##suffix)					\
{									\
	transfer_begins(SMB_READ, transfer_of(ctx, false));		\
	return 0;							\
}									\
SEC("tp_btf/smb3_read_done")						\
int PROBE(smb3_read_done##suffix)					\
{									\
	transfer_ends(SMB_READ, transfer_of(ctx, false));		\
	return 0;							\
}									\
SEC("tp_btf/smb3_read_err")						\
int PROBE(smb3_read_err##suffix)					\
{									\
	transfer_ends(SMB_READ, transfer_of(ctx, true));		\
	return 0;							\
}									\
SEC("tp_btf/smb3_write_enter")						\
int PROBE(smb3_write_enter##suffix)					\
{									\
	transfer_begins(SMB_WRITE, transfer_of(ctx, false));		\
	return 0;							\
}									\
SEC("tp_btf/smb3_write_done")						\
int PROBE(smb3_write_done##suffix)					\
{									\
	transfer_ends(SMB_WRITE, transfer_of(ctx, false));		\
	return 0;							\
}									\
SEC("tp_btf/smb3_write_err")						\
int PROBE(smb3_write_err##suffix)					\
{									\
	transfer_ends(SMB_WRITE, transfer_of(ctx, true));		\
	return 0;							\
}

SMB_PROBES()
#ifndef LEGACY
SMB_PROBES(_2)
SMB_PROBES(_3)
SMB_PROBES(_4)
#endif

#endif /* IOTRACE_SMB_BPF_H */
