package machine

import (
	"github.com/iotrace/iotrace/trace"
)

// The open(2) flags of Linux (include/uapi/asm-generic/fcntl.h). They are
// written out because lines of a Linux system may be decoded anywhere.
const (
	linuxWronly   = 0o1
	linuxRdwr     = 0o2
	linuxCreat    = 0o100
	linuxExcl     = 0o200
	linuxTrunc    = 0o1000
	linuxAppend   = 0o2000
	linuxNonblock = 0o4000
	linuxDsync    = 0o10000
	linuxSync     = 0o4010000 // holds the bit of O_DSYNC
	LinuxCloexec  = 0o2000000
)

// linuxDirect is O_DIRECT, the one of them that depends on the architecture.
func linuxDirect(arch string) uint64 {
	if arch == "arm64" {
		return 0o200000
	}
	return 0o40000
}

// LinuxOpenFlags translates the flags of open(2) on Linux, on an architecture as Go calls it.
func LinuxOpenFlags(o uint64, arch string) trace.IOFlags {
	f := trace.FlagRead
	switch o & 3 {
	case linuxWronly:
		f = trace.FlagWrite
	case linuxRdwr:
		f = trace.FlagRead | trace.FlagWrite
	case 3:
		f = 0 // for ioctl alone (open(2))
	}
	for _, m := range [...]struct {
		bits uint64
		flag trace.IOFlags
	}{
		{linuxDirect(arch), trace.FlagDirect}, {linuxSync, trace.FlagSync}, {linuxDsync, trace.FlagDSync},
		{linuxAppend, trace.FlagAppend}, {linuxNonblock, trace.FlagNoWait}, {linuxCreat, trace.FlagCreate},
		{linuxTrunc, trace.FlagTrunc}, {linuxExcl, trace.FlagExcl},
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
