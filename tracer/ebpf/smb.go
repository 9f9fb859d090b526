//go:build linux

package ebpf

import (
	"fmt"

	"github.com/iotrace/iotrace/trace"
)

// smbHooks tell when a client of SMB asks, and when it has what it asked for.
var smbHooks = []string{"smb3_cmd_enter", "smb3_cmd_done", "smb3_cmd_err", "smb3_read_enter", "smb3_read_done",
	"smb3_read_err", "smb3_write_enter", "smb3_write_done", "smb3_write_err"}

// smbCopies are the further copies of their programs, by suffix.
func smbCopies(suffixes ...string) (names []string) {
	for _, suffix := range suffixes {
		for _, hook := range smbHooks {
			names = append(names, hook+suffix)
		}
	}
	return names
}

// withSMB adds the last copies to the programs whose runs may be skipped.
func withSMB(skipped map[string]trace.Kind) map[string]trace.Kind {
	for _, name := range smbCopies("_4") {
		skipped[name] = trace.KindRPC
	}
	return skipped
}

// smbCommands are the names of the commands, by number ([MS-SMB2], 2.2.1).
var smbCommands = []string{"NEGOTIATE", "SESSION_SETUP", "LOGOFF", "TREE_CONNECT", "TREE_DISCONNECT", "CREATE", "CLOSE",
	"FLUSH", "READ", "WRITE", "LOCK", "IOCTL", "CANCEL", "ECHO", "QUERY_DIRECTORY", "CHANGE_NOTIFY", "QUERY_INFO",
	"SET_INFO", "OPLOCK_BREAK"}

// procedureOf is the name of what was asked for.
func procedureOf(r *iotraceRpc) string {
	switch {
	case r.Program != uint32(iotraceBoundPROGRAM_SMB):
		return cString(r.Name[:])
	case int(r.Version) < len(smbCommands):
		return smbCommands[r.Version]
	}
	return fmt.Sprintf("command %d", r.Version)
}
