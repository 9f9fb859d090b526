package uring

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// SQE is struct io_uring_sqe: one operation to be submitted.
type SQE struct {
	opcode   uint8
	flags    uint8
	ioprio   uint16
	fd       int32
	off      uint64
	addr     uint64
	len      uint32
	opFlags  uint32
	userData uint64
	bufIndex uint16
	_        uint16
	_        int32
	_        [2]uint64
}

// Read prepares a read into buf at offset off. flags are RWF_ flags; user
// comes back in the completion. The same holds for the methods that follow.
func (e *SQE) Read(fd int, buf []byte, off int64, flags uint32, user uint64) {
	e.rw(opRead, fd, unsafe.Pointer(unsafe.SliceData(buf)), len(buf), off, flags, user)
}

// Write prepares a write of buf at offset off.
func (e *SQE) Write(fd int, buf []byte, off int64, flags uint32, user uint64) {
	e.rw(opWrite, fd, unsafe.Pointer(unsafe.SliceData(buf)), len(buf), off, flags, user)
}

// ReadFixed prepares a read into buf, which lies within the registered buffer
// number index.
func (e *SQE) ReadFixed(fd int, buf []byte, index uint16, off int64, flags uint32, user uint64) {
	e.rw(opReadFixed, fd, unsafe.Pointer(unsafe.SliceData(buf)), len(buf), off, flags, user)
	e.bufIndex = index
}

// WriteFixed prepares a write of buf, which lies within the registered buffer
// number index.
func (e *SQE) WriteFixed(fd int, buf []byte, index uint16, off int64, flags uint32, user uint64) {
	e.rw(opWriteFixed, fd, unsafe.Pointer(unsafe.SliceData(buf)), len(buf), off, flags, user)
	e.bufIndex = index
}

// Readv prepares a read into the buffers of iov.
func (e *SQE) Readv(fd int, iov []unix.Iovec, off int64, flags uint32, user uint64) {
	e.rw(opReadv, fd, unsafe.Pointer(unsafe.SliceData(iov)), len(iov), off, flags, user)
}

// Fsync prepares an fsync, or with dataOnly an fdatasync. It is not ordered
// with the other operations of the ring.
func (e *SQE) Fsync(fd int, dataOnly bool, user uint64) {
	e.opcode, e.fd, e.userData = opFsync, int32(fd), user
	if dataOnly {
		e.opFlags = fsyncDatasync
	}
}

// FixedFile makes the prepared operation take its fd as an index into the
// registered files.
func (e *SQE) FixedFile() { e.flags |= sqeFixedFile }

func (e *SQE) rw(op uint8, fd int, p unsafe.Pointer, n int, off int64, flags uint32, user uint64) {
	e.opcode, e.fd, e.off = op, int32(fd), uint64(off)
	e.addr, e.len, e.opFlags = uint64(uintptr(p)), uint32(n), flags
	e.userData = user
}
