// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * iotrace's probes: one program per hook, all of them BTF tracepoints. Those
 * are the kernel's stable interface and also load where kprobes, fentry and
 * LSM hooks are refused. The files below are one unit because they share maps;
 * each holds one subject, and those named *.bpf.h have programs.
 */
#include "core_types.h"
#include "core_io_types.h"
#include "core_rpc_types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_endian.h>
#include "flavour.h"
#include "arch.h"
#include "iotrace.h"
#include "maps.h"
#include "table.h"
#include "member.h"
#include "task.h"
#include "user.h"
#include "path.h"
#include "group.h"
#include "wake.h"
#include "daemon.h"
#include "helper.h"
#include "changed.h"
#include "file.h"
#include "smb.h"
#include "open_file.h"
#include "async.bpf.h"
#include "call_buffer.h"
#include "call.h"
#include "peer.h"
#include "rare_calls.h"
#include "uring.bpf.h"
#include "moved.h"
#include "syscalls.bpf.h"
#include "bio.h"
#include "attribution.h"
#include "xfs.bpf.h"
#include "btrfs.bpf.h"
#include "divide.h"
#include "request.h"
#include "bio.bpf.h"
#include "flush.h"
#include "request.bpf.h"
#include "memory.bpf.h"
#include "halt.h"
#include "journal.bpf.h"
#include "rpc.bpf.h"
#include "smb.bpf.h"
#include "wait.bpf.h"
#include "process.bpf.h"
#include "present.bpf.h"
#include "sample.bpf.h"

char LICENSE[] SEC("license") = "Dual MIT/GPL";

/* bpf2go takes the layouts of the records from the object's BTF: keep them in it. */
#define KEEP(type) const struct type *layout_of_##type __attribute__((unused))
#define KEEP_ENUM(type) const enum type *layout_of_##type __attribute__((unused))

KEEP(io);
KEEP(call);
KEEP(ident);
KEEP(async);
KEEP(fault);
KEEP(req);
KEEP(extent);
KEEP(wait);
KEEP(fork);
KEEP(exec);
KEEP(exit);
KEEP(helper);
KEEP(helper_info);
KEEP(commit);
KEEP(rpc);
KEEP(sample);
KEEP(lost_key);
KEEP(rq_info);
KEEP(bio_info);
KEEP_ENUM(bound);
KEEP_ENUM(record);
KEEP_ENUM(half);
KEEP_ENUM(shape);
KEEP_ENUM(ident_flags);
KEEP_ENUM(api);
KEEP_ENUM(evidence);
KEEP_ENUM(req_marks);
KEEP_ENUM(wait_cause);
KEEP_ENUM(waker);
KEEP_ENUM(selection);
KEEP(group);
