//go:build linux

package ebpf

import (
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/linux"
	"github.com/iotrace/iotrace/trace"
)

// shapeFlags are the flags that follow from a call's shape alone.
var shapeFlags = [1 << 8]trace.IOFlags{
	iotraceShapeSHAPE_PRW:   trace.FlagPositioned,
	iotraceShapeSHAPE_RWV:   trace.FlagVectored,
	iotraceShapeSHAPE_PRWV:  trace.FlagPositioned | trace.FlagVectored,
	iotraceShapeSHAPE_PRWV2: trace.FlagPositioned | trace.FlagVectored,
	iotraceShapeSHAPE_MSG:   trace.FlagVectored,
}

// fileFlags translates the flags of an open file.
func fileFlags(f uint32) trace.IOFlags {
	var out trace.IOFlags
	if f&unix.O_DIRECT != 0 {
		out |= trace.FlagDirect
	}
	if f&unix.O_SYNC == unix.O_SYNC {
		out |= trace.FlagSync
	} else if f&unix.O_DSYNC != 0 {
		out |= trace.FlagDSync
	}
	if f&unix.O_APPEND != 0 {
		out |= trace.FlagAppend
	}
	if f&unix.O_NONBLOCK != 0 {
		out |= trace.FlagNoWait
	}
	return out
}

// movedZeros is MOVED_ZEROS of bpf/iotrace.h.
const movedZeros = 1 << 31

// callFlags translates the RWF_ flags of a single read or write (linux/fs.h).
func callFlags(rwf uint32) trace.IOFlags {
	var out trace.IOFlags
	if rwf&unix.RWF_DSYNC != 0 {
		out |= trace.FlagDSync
	}
	if rwf&unix.RWF_SYNC != 0 {
		out |= trace.FlagSync
	}
	if rwf&unix.RWF_NOWAIT != 0 {
		out |= trace.FlagNoWait
	}
	if rwf&unix.RWF_APPEND != 0 {
		out |= trace.FlagAppend
	}
	if rwf&unix.RWF_HIPRI != 0 {
		out |= trace.FlagPolled
	}
	if rwf&rwfDontCache != 0 {
		out |= trace.FlagNoCache
	}
	return out
}

const rwfDontCache = 0x80 // RWF_DONTCACHE, Linux 6.14

func openFlags(f uint32) trace.IOFlags {
	out := fileFlags(f)
	switch f & unix.O_ACCMODE {
	case unix.O_RDONLY:
		out |= trace.FlagRead
	case unix.O_WRONLY:
		out |= trace.FlagWrite
	default:
		out |= trace.FlagRead | trace.FlagWrite
	}
	if f&unix.O_CREAT != 0 {
		out |= trace.FlagCreate
	}
	if f&unix.O_TRUNC != 0 {
		out |= trace.FlagTrunc
	}
	if f&unix.O_EXCL != 0 {
		out |= trace.FlagExcl
	}
	return out
}

// refine sets what the plain table cannot: operations and flags that depend on
// an argument, and the file behind an address.
func (d *decoder) refine(s *trace.Syscall, r *iotraceCall) {
	switch iotraceShape(d.calls.shapes[r.Nr]) {
	case iotraceShapeSHAPE_OPEN, iotraceShapeSHAPE_OPENAT, iotraceShapeSHAPE_OPENAT2:
		s.Flags = openFlags(r.Aux)
	case iotraceShapeSHAPE_CREAT:
		s.Flags = trace.FlagWrite | trace.FlagCreate | trace.FlagTrunc
	case iotraceShapeSHAPE_FALLOCATE:
		s.Op = allocateOp(r.Aux)
	case iotraceShapeSHAPE_SEEK:
		s.Offset = max(s.Offset, trace.NoOffset) // a failed call left its errno there
		if r.Aux == unix.SEEK_DATA || r.Aux == unix.SEEK_HOLE {
			s.Flags |= trace.FlagHole
		}
	case iotraceShapeSHAPE_RENAMEAT:
		if r.Aux&unix.RENAME_EXCHANGE != 0 && r.Nr == unix.SYS_RENAMEAT2 {
			s.Flags |= trace.FlagExchange
		}
	case iotraceShapeSHAPE_IOCTL:
		s.Op = linux.IoctlOp(r.Aux)
	case iotraceShapeSHAPE_MMAP:
		d.mapped(s, r.Aux)
	case iotraceShapeSHAPE_RANGE:
		address := uint64(r.Off2)
		s.File, s.Offset = d.mappings.at(s.PID, address)
		if s.Offset2 = trace.NoOffset; s.Op == trace.OpAdvise {
			s.Offset2 = int64(r.Aux) // the advice, as of fadvise64
		}
	case iotraceShapeSHAPE_CLONE, iotraceShapeSHAPE_CLONE3:
		s.Op = linux.CloneOp(uint64(r.Aux))
	case iotraceShapeSHAPE_FD_OFF_LEN:
		if r.Nr != unix.SYS_READAHEAD {
			s.Offset2 = int64(r.Aux) // the advice of fadvise64, the flags of sync_file_range
		}
	}
	if s.Op == trace.OpSpawn {
		s.Requested = 0 // no page table is copied
	}
}

// allocateOp tells the modes of fallocate that take data away.
func allocateOp(mode uint32) trace.Op {
	if mode&(unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_ZERO_RANGE|unix.FALLOC_FL_COLLAPSE_RANGE) != 0 {
		return trace.OpPunch
	}
	return trace.OpAllocate
}

func (d *decoder) mapped(s *trace.Syscall, aux uint32) {
	prot, flags := aux&0xff, aux>>8
	if prot&unix.PROT_READ != 0 {
		s.Flags |= trace.FlagRead
	}
	if prot&unix.PROT_WRITE != 0 {
		s.Flags |= trace.FlagWrite
	}
	if prot&unix.PROT_EXEC != 0 {
		s.Flags |= trace.FlagExec
	}
	if flags&unix.MAP_SHARED != 0 {
		s.Flags |= trace.FlagShared
	}
	if s.Result > 0 || s.Result < -4095 {
		d.mappings.add(s.PID, mapping{uint64(s.Result), uint64(s.Requested), s.Offset, s.File})
		s.Buffer, s.Result = uint64(s.Result), 0
	}
}
