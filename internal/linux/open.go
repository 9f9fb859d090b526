package linux

import "github.com/iotrace/iotrace/trace"

// The open(2) flags of Linux (include/uapi/asm-generic/fcntl.h). They are
// written out because lines of a Linux system may be decoded anywhere.
const (
	openWronly   = 0o1
	openRdwr     = 0o2
	openCreat    = 0o100
	openExcl     = 0o200
	openTrunc    = 0o1000
	openAppend   = 0o2000
	openNonblock = 0o4000
	openDsync    = 0o10000
	openSync     = 0o4010000 // holds the bit of O_DSYNC
	Cloexec      = 0o2000000
)

// openDirect is O_DIRECT, the one of them that depends on the architecture.
func openDirect(arch string) uint64 {
	if arch == "arm64" {
		return 0o200000
	}
	return 0o40000
}

// OpenFlags translates the flags of open(2) on Linux, on an architecture as Go calls it.
func OpenFlags(o uint64, arch string) trace.IOFlags {
	f := trace.FlagRead
	switch o & 3 {
	case openWronly:
		f = trace.FlagWrite
	case openRdwr:
		f = trace.FlagRead | trace.FlagWrite
	case 3:
		f = 0 // for ioctl alone (open(2))
	}
	for _, m := range [...]struct {
		bits uint64
		flag trace.IOFlags
	}{
		{openDirect(arch), trace.FlagDirect}, {openSync, trace.FlagSync}, {openDsync, trace.FlagDSync},
		{openAppend, trace.FlagAppend}, {openNonblock, trace.FlagNoWait}, {openCreat, trace.FlagCreate},
		{openTrunc, trace.FlagTrunc}, {openExcl, trace.FlagExcl},
	} {
		if o&m.bits == m.bits {
			f |= m.flag
		}
	}
	if f&trace.FlagSync != 0 {
		f &^= trace.FlagDSync
	}
	return f
}
