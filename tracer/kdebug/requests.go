package kdebug

import (
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// aioKey names a POSIX AIO operation: its control block in its process.
type aioKey struct {
	pid uint32
	cb  uint64
}

type aioOp struct {
	submit int64
	tid    uint32
	op     trace.Op
}

func requestFlags(code uint32) (f trace.ReqFlags) {
	if code&DiskAsync == 0 {
		f |= trace.ReqSync
	}
	if code&DiskMeta != 0 {
		f |= trace.ReqMeta
	}
	if code&DiskThrottle != 0 { // an I/O tier below the first
		f |= trace.ReqBackground
	}
	if code&DiskNoCache != 0 {
		f |= trace.ReqDirect
	}
	return f
}

// diskErrno translates the error of a request; a damaged one becomes EIO.
func diskErrno(arg uint64) int32 {
	n := int64(int32(arg))
	if n < 0 {
		n = 5
	}
	return int32(macos.Errno(n))
}

// device translates a dev_t, major<<24 | minor.
func device(dev uint64) trace.DeviceID {
	return trace.MakeDeviceID(uint32(dev)>>24, uint32(dev)&0xffffff)
}

// pendingIoctl is an ioctl on a disk that a thread is in.
type pendingIoctl struct {
	active bool
	start  uint64
	device trace.DeviceID
	op     trace.ReqOp
}
