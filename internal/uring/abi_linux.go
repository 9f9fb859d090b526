package uring

import "golang.org/x/sys/unix"

// Constants of include/uapi/linux/io_uring.h that the package uses.
const (
	opReadv      = 1
	opFsync      = 3
	opReadFixed  = 4
	opWriteFixed = 5
	opRead       = 22 // Linux 5.6
	opWrite      = 23

	setupCQSize       = 1 << 3
	setupCoopTaskrun  = 1 << 8  // Linux 5.19
	setupSingleIssuer = 1 << 12 // Linux 6.0
	setupDeferTaskrun = 1 << 13 // Linux 6.1

	featSingleMmap = 1 << 0 // Linux 5.4
	featNoDrop     = 1 << 1

	enterGetEvents = 1 << 0

	registerBuffers = 0
	registerFiles   = 2

	sqeFixedFile = 1 << 0

	fsyncDatasync = 1 << 0

	offSQRing = 0
	offSQEs   = 0x10000000
)

// params is struct io_uring_params.
type params struct {
	sqEntries    uint32
	cqEntries    uint32
	flags        uint32
	sqThreadCPU  uint32
	sqThreadIdle uint32
	features     uint32
	wqFD         uint32
	_            [3]uint32
	sq           sqOffsets
	cq           cqOffsets
}

// sqOffsets is struct io_sqring_offsets.
type sqOffsets struct {
	head, tail, ringMask, ringEntries, flags, dropped, array, _ uint32
	_                                                           uint64
}

// cqOffsets is struct io_cqring_offsets.
type cqOffsets struct {
	head, tail, ringMask, ringEntries, overflow, cqes, flags, _ uint32
	_                                                           uint64
}

// CQE is struct io_uring_cqe: one operation that has completed.
type CQE struct {
	UserData uint64
	Res      int32 // bytes, or -errno
	Flags    uint32
}

// Undone reports whether the kernel gave an operation back without having tried it: it could not start the thread that
// one needs which would block (io_uring/io-wq.c), for a limit of processes or signals in the way. Nobody else cancels
// here; a call does what is left.
func (c CQE) Undone() bool { return c.Res == -int32(unix.ECANCELED) }
