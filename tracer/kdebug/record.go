package kdebug

import "encoding/binary"

// RecordSize is the size of a kd_buf on 64-bit systems (bsd/sys/kdebug.h).
const RecordSize = 64

// Record is one kd_buf: what a trace point logged.
type Record struct {
	Time    uint64 // mach ticks; older kernels keep the CPU number in the top byte
	Arg     [4]uint64
	Thread  uint64 // thread ID, the same as in fs_usage and DTrace
	DebugID uint32
	CPU     uint32
}

// timeMask cuts off the top byte of a time stamp (KDBG_TIMESTAMP_MASK): 2^56
// ticks are 95 years at the 24 MHz of Apple silicon.
const timeMask = 1<<56 - 1

// get reads a record from the first RecordSize bytes of b.
func (r *Record) get(b []byte) {
	_ = b[RecordSize-1]
	r.Time = binary.LittleEndian.Uint64(b) & timeMask
	r.Arg[0] = binary.LittleEndian.Uint64(b[8:])
	r.Arg[1] = binary.LittleEndian.Uint64(b[16:])
	r.Arg[2] = binary.LittleEndian.Uint64(b[24:])
	r.Arg[3] = binary.LittleEndian.Uint64(b[32:])
	r.Thread = binary.LittleEndian.Uint64(b[40:])
	r.DebugID = binary.LittleEndian.Uint32(b[48:])
	r.CPU = binary.LittleEndian.Uint32(b[52:])
}

// Append adds the record to b as the kernel would write it.
func (r *Record) Append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, r.Time)
	for _, a := range r.Arg {
		b = binary.LittleEndian.AppendUint64(b, a)
	}
	b = binary.LittleEndian.AppendUint64(b, r.Thread)
	b = binary.LittleEndian.AppendUint32(b, r.DebugID)
	b = binary.LittleEndian.AppendUint32(b, r.CPU)
	return binary.LittleEndian.AppendUint64(b, 0) // unused
}

// A debug ID is class<<24 | subclass<<16 | code<<2 | function.
const (
	FuncStart = 1
	FuncEnd   = 2
	funcMask  = 3
	idMask    = ^uint32(funcMask)
	groupMask = 0xffff0000 // class and subclass
	codeMask  = 0xfffc
)

// The groups (class and subclass) and single trace points of a recording, from
// bsd/kern/trace_codes of xnu-11417.
const (
	GroupLookup   = 0x03010000 // DBG_FSYSTEM, DBG_FSRW
	GroupDisk     = 0x03020000 // DBG_FSYSTEM, DBG_DKRW
	GroupIoctl    = 0x03060000 // DBG_FSYSTEM, DBG_IOCTL
	GroupProc     = 0x04010000 // DBG_BSD, DBG_BSD_PROC
	GroupCall     = 0x040C0000 // DBG_BSD, DBG_BSD_EXCP_SC: system calls
	GroupCallExt  = 0x040E0000 // more of their arguments
	GroupCallExt2 = 0x040F0000
	GroupData     = 0x07000000 // DBG_TRACE, DBG_TRACE_DATA
	GroupString   = 0x07010000
	GroupInfo     = 0x07020000

	Lookup         = 0x03010090 // VFS_LOOKUP
	SpecIoctl      = 0x03060000 // SPEC_ioctl
	TrimExtent     = 0x03060004 // SPEC_trim_extent
	ProcExit       = 0x04010004 // proc_exit
	NewThread      = 0x07000004 // TRACE_DATA_NEWTHREAD
	Exec           = 0x07000008 // TRACE_DATA_EXEC
	ThreadEnd      = 0x0700000C // TRACE_DATA_THREAD_TERMINATE
	ThreadEndPID   = 0x07000010 // TRACE_DATA_THREAD_TERMINATE_PID
	NewThreadName  = 0x07010004 // TRACE_STRING_NEWTHREAD
	ExecName       = 0x07010008 // TRACE_STRING_EXEC
	LostEvents     = 0x07020008 // TRACE_LOST_EVENTS
	RetrogradeSeen = 0x07020014 // TRACE_RETROGRADE_EVENTS
	PastEvents     = 0x07020018 // TRACE_PAST_EVENTS
)

// The bits of a disk trace point's code (bsd/sys/kdebug.h, DKIO_…).
const (
	DiskDone     = 0x01
	DiskRead     = 0x02
	DiskAsync    = 0x04
	DiskMeta     = 0x08
	DiskPaging   = 0x10
	DiskThrottle = 0x20
	DiskPassive  = 0x40
	DiskNoCache  = 0x80
)

// CallID is the debug ID of a system call's trace point.
func CallID(number uint16) uint32 { return GroupCall | uint32(number)<<2 }

// Timebase converts mach ticks to nanoseconds: ticks × Numer / Denom. It is
// 125/3 on Apple silicon and 1/1 on Intel.
type Timebase struct{ Numer, Denom uint32 }

// Frequency returns the time base of a counter with hz ticks a second (sysctl
// hw.tbfrequency).
func Frequency(hz uint64) Timebase {
	n, d := uint64(1e9), hz
	for d != 0 {
		n, d = d, n%d
	}
	if hz == 0 || 1e9/n > 1<<31 || hz/n > 1<<31 {
		return Timebase{1, 1}
	}
	return Timebase{uint32(1e9 / n), uint32(hz / n)}
}

// ns converts a difference of ticks. It splits off the whole multiples of
// Denom first, so that it does not overflow.
func (t Timebase) ns(ticks int64) int64 {
	d := int64(t.Denom)
	return ticks/d*int64(t.Numer) + ticks%d*int64(t.Numer)/d
}

// LookupRecords are the records by which the kernel logs a path that a call
// looked up, at the place and time of another record: the vnode, which is not
// known here, and 24 bytes of the path, then 32 bytes a record.
func LookupRecords(at Record, path string) (records []Record) {
	for i := 0; i < lookupLength(path); i += pieceSize {
		records = append(records, lookupPiece(at, path, i))
	}
	return records
}

// AppendLookup appends those records as they are logged.
func AppendLookup(b []byte, at Record, path string) []byte {
	for i := 0; i < lookupLength(path); i += pieceSize {
		r := lookupPiece(at, path, i)
		b = r.Append(b)
	}
	return b
}

// A path is logged in pieces of this many bytes; the first begins with the vnode.
const pieceSize, vnodeSize = 32, 8

func lookupLength(path string) int { return vnodeSize + len(path) }

// lookupPiece is the record of the piece that begins at some byte.
func lookupPiece(at Record, path string, from int) Record {
	var piece [pieceSize]byte
	r := Record{Time: at.Time, Thread: at.Thread, CPU: at.CPU, DebugID: Lookup}
	if from == 0 {
		r.DebugID |= FuncStart
		copy(piece[vnodeSize:], path)
	} else {
		copy(piece[:], path[from-vnodeSize:])
	}
	if from+pieceSize >= lookupLength(path) {
		r.DebugID |= FuncEnd
	}
	for k := range r.Arg {
		r.Arg[k] = binary.LittleEndian.Uint64(piece[8*k:])
	}
	return r
}
