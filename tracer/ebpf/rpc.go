//go:build linux

package ebpf

import (
	"os"

	"github.com/iotrace/iotrace/trace"
)

// rpcModule is there if the kernel has clients of ONC RPC, built in or loaded.
const rpcModule = "/sys/module/sunrpc"

// lateClients says that the module was loaded during the recording: its probe was not, then.
func (t *Tracer) lateClients() []string {
	if _, err := os.Stat(rpcModule); err != nil || !t.noClients {
		return nil
	}
	return []string{"What clients of NFS asked of their servers is not recorded: the module sunrpc was loaded later."}
}

// rpc takes what a client asked of a server. What it was asked before recording began is left out.
func (d *decoder) rpc(r *iotraceRpc) error {
	e := &d.scratch.rpc
	*e = trace.RPC{
		Start: int64(r.Start) - d.base, Duration: int64(r.Ended - r.Start), PID: r.Pid, TID: r.Tid,
		Protocol: protocolOf(r.Program, r.Version), Procedure: cString(r.Name[:]), Server: cString(r.Server[:]),
		Queued: -1, RTT: -1, File: d.files.id(r.File), Offset: r.Off, Bytes: int64(r.Bytes),
		Out: int64(r.Out), In: int64(r.In), Sends: r.Sends, Status: -min(r.Status, 0),
	}
	if e.Start < 0 {
		return nil
	}
	if e.File == 0 {
		e.Offset = trace.NoOffset
	}
	if r.Sent >= r.Start && r.Sent <= r.Ended {
		e.Queued = int64(r.Sent - r.Start)
		if r.Replied >= r.Sent {
			e.RTT = int64(min(r.Replied, r.Ended) - r.Sent)
		}
	}
	n := d.files.at(e.File)
	e.Foreign = !d.all && !d.asked[r.Pid] && (n == nil || !n.used)
	return d.sink.RPC(e)
}

// Numbers of programs of ONC RPC (include/uapi/linux/nfs.h, include/linux/lockd and sunrpc/msg_prot.h).
const (
	programBind  = 100000
	programNFS   = 100003
	programMount = 100005
	programLock  = 100021
	programACL   = 100227
)

func protocolOf(program, version uint32) trace.Protocol {
	switch program {
	case programNFS:
		switch version {
		case 2:
			return trace.ProtocolNFS2
		case 3:
			return trace.ProtocolNFS3
		case 4:
			return trace.ProtocolNFS4
		}
	case programACL:
		return trace.ProtocolACL
	case programLock:
		return trace.ProtocolLock
	case programMount:
		return trace.ProtocolMount
	case programBind:
		return trace.ProtocolBind
	}
	return trace.ProtocolOther
}
