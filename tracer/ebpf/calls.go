//go:build linux

package ebpf

import (
	"runtime"

	"github.com/iotrace/iotrace/internal/linux"
	"github.com/iotrace/iotrace/trace"
)

// call is one system call that is recorded.
type call struct {
	nr    int
	name  string // as strace prints it
	op    trace.Op
	shape iotraceShape
}

// shapes are the layouts in bpf/iotrace.h of the shapes of calls. Calls of other
// shapes are not recorded: they only change what a descriptor or a relative path
// stands for, which the kernel is asked for each time. Of those by which a
// descriptor loses its file the probes have to know, for they remember the last ones.
var shapes = map[linux.Shape]iotraceShape{
	linux.ShapeIO:        iotraceShapeSHAPE_RW,
	linux.ShapePIO:       iotraceShapeSHAPE_PRW,
	linux.ShapeVec:       iotraceShapeSHAPE_RWV,
	linux.ShapePVec:      iotraceShapeSHAPE_PRWV,
	linux.ShapePVec2:     iotraceShapeSHAPE_PRWV2,
	linux.ShapeSend:      iotraceShapeSHAPE_SEND,
	linux.ShapeMessage:   iotraceShapeSHAPE_MSG,
	linux.ShapeConnect:   iotraceShapeSHAPE_CONNECT,
	linux.ShapeAccept:    iotraceShapeSHAPE_ACCEPT,
	linux.ShapeCopy:      iotraceShapeSHAPE_COPY_RANGE,
	linux.ShapeSendfile:  iotraceShapeSHAPE_SENDFILE,
	linux.ShapeTee:       iotraceShapeSHAPE_TEE,
	linux.ShapeOpen:      iotraceShapeSHAPE_OPEN,
	linux.ShapeCreat:     iotraceShapeSHAPE_CREAT,
	linux.ShapeOpenAt:    iotraceShapeSHAPE_OPENAT,
	linux.ShapeOpenAt2:   iotraceShapeSHAPE_OPENAT2,
	linux.ShapeClose:     iotraceShapeSHAPE_CLOSE,
	linux.ShapeFcntl:     iotraceShapeSHAPE_FCNTL,
	linux.ShapeIoctl:     iotraceShapeSHAPE_IOCTL,
	linux.ShapeSeek:      iotraceShapeSHAPE_SEEK,
	linux.ShapeFD:        iotraceShapeSHAPE_FD,
	linux.ShapeFDLen:     iotraceShapeSHAPE_FD_LEN,
	linux.ShapeRing:      iotraceShapeSHAPE_RING,
	linux.ShapeFDBuf:     iotraceShapeSHAPE_FD_BUF,
	linux.ShapeFDRange:   iotraceShapeSHAPE_FD_OFF_LEN,
	linux.ShapeAllocate:  iotraceShapeSHAPE_FALLOCATE,
	linux.ShapePath:      iotraceShapeSHAPE_PATH,
	linux.ShapePathLen:   iotraceShapeSHAPE_PATH_LEN,
	linux.ShapeAt:        iotraceShapeSHAPE_AT,
	linux.ShapeTwoPaths:  iotraceShapeSHAPE_RENAME,
	linux.ShapeTwoAt:     iotraceShapeSHAPE_RENAMEAT,
	linux.ShapeSymlink:   iotraceShapeSHAPE_SYMLINK,
	linux.ShapeSymlinkAt: iotraceShapeSHAPE_SYMLINKAT,
	linux.ShapeMmap:      iotraceShapeSHAPE_MMAP,
	linux.ShapeMemory:    iotraceShapeSHAPE_RANGE,
	linux.ShapeNone:      iotraceShapeSHAPE_PLAIN,
	linux.ShapeSubmit:    iotraceShapeSHAPE_IO_SUBMIT,
	linux.ShapeGetEvents: iotraceShapeSHAPE_IO_GETEVENTS,
	linux.ShapeFork:      iotraceShapeSHAPE_FORK,
	linux.ShapeClone:     iotraceShapeSHAPE_CLONE,
	linux.ShapeClone3:    iotraceShapeSHAPE_CLONE3,
	linux.ShapeDup2:      iotraceShapeSHAPE_REPLACE,
	linux.ShapeCloseMany: iotraceShapeSHAPE_REPLACE,
}

// calls is the table of recorded system calls. What it lists is recorded, what
// it does not list costs one table look-up in the kernel and nothing else.
var calls = makeCalls()

func makeCalls() (list []call) {
	for i := range linux.Calls {
		c := &linux.Calls[i]
		nr, there := c.Number(runtime.GOARCH)
		if s, known := shapes[c.Shape]; there && known && c.Op != trace.OpOther {
			list = append(list, call{nr, c.Name, c.Op, s})
		}
	}
	return list
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

// replacing are the numbers of the calls by which descriptors lose their files, and which are not recorded.
func replacing() (list []int) {
	for i := range linux.Calls {
		c := &linux.Calls[i]
		if nr, there := c.Number(runtime.GOARCH); there && shapes[c.Shape] == iotraceShapeSHAPE_REPLACE {
			list = append(list, nr)
		}
	}
	return list
}

// callTable is what the decoder needs per system call number.
type callTable struct {
	names  []string
	index  [iotraceBoundMAX_CALLS]uint16 // number → index into names
	op     [iotraceBoundMAX_CALLS]trace.Op
	shapes [iotraceBoundMAX_CALLS]uint8
}

func newCallTable() *callTable {
	t := &callTable{}
	for i, c := range calls {
		t.names = append(t.names, c.name)
		t.index[c.nr] = uint16(i)
		t.op[c.nr] = c.op
		t.shapes[c.nr] = uint8(c.shape)
	}
	for _, nr := range replacing() {
		t.shapes[nr] = uint8(iotraceShapeSHAPE_REPLACE)
	}
	return t
}
