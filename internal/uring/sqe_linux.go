package uring

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

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

// RegisterBuffers pins buffers for ReadFixed and WriteFixed: the kernel then
// maps them once and not per operation. Pinned memory counts against
// RLIMIT_MEMLOCK unless the caller is privileged.
func (r *Ring) RegisterBuffers(bufs [][]byte) error {
	iov := make([]unix.Iovec, len(bufs))
	for i, b := range bufs {
		iov[i].Base = unsafe.SliceData(b)
		iov[i].SetLen(len(b))
	}
	if err := r.register(registerBuffers, unsafe.Pointer(unsafe.SliceData(iov)), len(iov)); err != nil {
		return fmt.Errorf("registering %d buffers with io_uring: %w", len(bufs), err)
	}
	return nil
}

// RegisterFiles registers descriptors for FixedFile.
func (r *Ring) RegisterFiles(fds []int32) error {
	if err := r.register(registerFiles, unsafe.Pointer(unsafe.SliceData(fds)), len(fds)); err != nil {
		return fmt.Errorf("registering %d files with io_uring: %w", len(fds), err)
	}
	return nil
}

func (r *Ring) register(op uintptr, arg unsafe.Pointer, n int) error {
	_, _, errno := unix.Syscall6(unix.SYS_IO_URING_REGISTER, uintptr(r.fd), op, uintptr(arg), uintptr(n), 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}
