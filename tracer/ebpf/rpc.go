//go:build linux

package ebpf

import (
	"fmt"
	"os"
	"path"
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// These are there if the kernel has clients of ONC RPC and of SMB, built in or loaded.
const (
	rpcModule = "/sys/module/sunrpc"
	smbModule = "/sys/module/cifs"
)

// clients are those of a protocol.
type clients struct{ of, module string }

// missingClients are those that the kernel does not have.
func missingClients() (list []clients) {
	for _, c := range []clients{{"NFS", rpcModule}, {"SMB", smbModule}} {
		if _, err := os.Stat(c.module); err != nil {
			list = append(list, c)
		}
	}
	return list
}

// lateClients says which modules of those that were missing were loaded during the recording: their probes were not,
// then.
func lateClients(missing []clients) (notes []string) {
	still := missingClients()
	for _, c := range missing {
		if !slices.Contains(still, c) {
			notes = append(notes, fmt.Sprintf(
				"What clients of %s asked of their servers is not recorded: the module %s was loaded later.", c.of,
				path.Base(c.module)))
		}
	}
	return notes
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
	case uint32(iotraceBoundPROGRAM_SMB):
		return trace.ProtocolSMB
	}
	return trace.ProtocolOther
}
