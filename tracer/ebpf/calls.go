//go:build linux

package ebpf

import (
	"runtime"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/linux"
)

// shape mirrors enum shape in bpf/iotrace.h: how the arguments of a call are
// laid out.
type shape uint8

const (
	shapeNone shape = iota
	shapeRW
	shapePRW
	shapeRWV
	shapePRWV
	shapePRWV2
	shapeFD
	shapeFDLen
	shapeFDBuf
	shapeSend
	shapeMsg
	shapeCopyRange
	shapeSendfile
	shapeTee
	shapeClose
	shapeFDOffLen
	shapeFallocate
	shapeSeek
	shapeOpen
	shapeCreat
	shapeOpenat
	shapeOpenat2
	shapePath
	shapePathLen
	shapeAt
	shapeRename
	shapeRenameat
	shapeSymlink
	shapeSymlinkat
	shapeMmap
	shapeRange
	shapeIoctl
	shapeFcntl
	shapePlain
	shapeIOSubmit
	shapeIOGetevents
)

// call is one system call that is recorded.
type call struct {
	nr    int
	name  string // as strace prints it
	op    trace.Op
	shape shape
}

const maxCalls = 512 // MAX_CALLS in bpf/iotrace.h

// shapes are the layouts in bpf/iotrace.h of the shapes of calls. Calls of other
// shapes are not recorded: they only change what a descriptor or a relative path
// stands for, which the kernel is asked for each time.
var shapes = map[linux.Shape]shape{
	linux.ShapeIO: shapeRW, linux.ShapePIO: shapePRW, linux.ShapeVec: shapeRWV, linux.ShapePVec: shapePRWV, linux.ShapePVec2: shapePRWV2,
	linux.ShapeSend: shapeSend, linux.ShapeMessage: shapeMsg, linux.ShapeCopy: shapeCopyRange, linux.ShapeSendfile: shapeSendfile,
	linux.ShapeTee: shapeTee, linux.ShapeOpen: shapeOpen, linux.ShapeCreat: shapeCreat, linux.ShapeOpenAt: shapeOpenat,
	linux.ShapeOpenAt2: shapeOpenat2, linux.ShapeClose: shapeClose, linux.ShapeFcntl: shapeFcntl, linux.ShapeIoctl: shapeIoctl,
	linux.ShapeSeek: shapeSeek, linux.ShapeFD: shapeFD, linux.ShapeFDLen: shapeFDLen, linux.ShapeFDBuf: shapeFDBuf,
	linux.ShapeFDRange: shapeFDOffLen, linux.ShapeAllocate: shapeFallocate, linux.ShapePath: shapePath, linux.ShapePathLen: shapePathLen,
	linux.ShapeAt: shapeAt, linux.ShapeTwoPaths: shapeRename, linux.ShapeTwoAt: shapeRenameat, linux.ShapeSymlink: shapeSymlink,
	linux.ShapeSymlinkAt: shapeSymlinkat, linux.ShapeMmap: shapeMmap, linux.ShapeMemory: shapeRange, linux.ShapeNone: shapePlain,
	linux.ShapeSubmit: shapeIOSubmit, linux.ShapeGetEvents: shapeIOGetevents,
}

// calls is the table of recorded system calls. What it lists is recorded, what
// it does not list costs one table look-up in the kernel and nothing else.
var calls = makeCalls()

func makeCalls() (list []call) {
	for i := range linux.Calls {
		c := &linux.Calls[i]
		nr, there := c.Number(runtime.GOARCH)
		if s, recorded := shapes[c.Shape]; there && recorded {
			list = append(list, call{nr, c.Name, c.Op, s})
		}
	}
	return list
}

// uringOps are the io_uring opcodes (linux/io_uring.h) that are recorded.
var uringOps = map[uint8]trace.Op{
	1:  trace.OpRead,      // READV
	2:  trace.OpWrite,     // WRITEV
	3:  trace.OpSync,      // FSYNC
	4:  trace.OpRead,      // READ_FIXED
	5:  trace.OpWrite,     // WRITE_FIXED
	8:  trace.OpSyncRange, // SYNC_FILE_RANGE
	17: trace.OpAllocate,  // FALLOCATE
	18: trace.OpOpen,      // OPENAT
	19: trace.OpClose,     // CLOSE
	21: trace.OpStat,      // STATX
	22: trace.OpRead,      // READ
	23: trace.OpWrite,     // WRITE
	24: trace.OpAdvise,    // FADVISE
	28: trace.OpOpen,      // OPENAT2
	30: trace.OpSplice,    // SPLICE
	33: trace.OpTee,       // TEE
	35: trace.OpRename,    // RENAMEAT
	36: trace.OpUnlink,    // UNLINKAT
	37: trace.OpMkdir,     // MKDIRAT
	38: trace.OpSymlink,   // SYMLINKAT
	39: trace.OpLink,      // LINKAT
	55: trace.OpTruncate,  // FTRUNCATE
	60: trace.OpRead,      // READV_FIXED
	61: trace.OpWrite,     // WRITEV_FIXED
}

// aioOps are the opcodes of libaio control blocks (linux/aio_abi.h).
var aioOps = map[uint8]trace.Op{
	0: trace.OpRead,     // PREAD
	1: trace.OpWrite,    // PWRITE
	2: trace.OpSync,     // FSYNC
	3: trace.OpDataSync, // FDSYNC
	7: trace.OpRead,     // PREADV
	8: trace.OpWrite,    // PWRITEV
}

// callTable is what the decoder needs per system call number.
type callTable struct {
	names  []string
	index  [maxCalls]uint16 // number → index into names
	op     [maxCalls]trace.Op
	shapes [maxCalls]uint8
}

func newCallTable() *callTable {
	t := &callTable{}
	for i, c := range calls {
		t.names = append(t.names, c.name)
		t.index[c.nr] = uint16(i)
		t.op[c.nr] = c.op
		t.shapes[c.nr] = uint8(c.shape)
	}
	return t
}
