//go:build linux

package ebpf

import (
	"os"

	"github.com/iotrace/iotrace/trace"
)

// rpcModule is there if the kernel has clients of ONC RPC, built in or loaded.
const rpcModule = "/sys/module/sunrpc"

// lateClients says that the module was loaded during the recording: its probe was not, then.
func lateClients() []string {
	if _, err := os.Stat(rpcModule); err != nil {
		return nil
	}
	return []string{"What clients of NFS asked of their servers is not recorded: the module sunrpc was loaded later."}
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
