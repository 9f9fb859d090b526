package workload

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/uring"
)

func init() {
	programs["uring"] = uringOperations
	programs["libaio"] = libaioOperations
	programs["libaio-many"] = libaioMany
}

// Flags of a submission entry that package uring has no use for (linux/io_uring.h).
const (
	sqeLink  = 1 << 2
	sqeAsync = 1 << 4
)

// setFlag sets a flag of an entry; they are its second byte.
func setFlag(e *uring.SQE, flag byte) { (*[64]byte)(unsafe.Pointer(e))[1] |= flag }

// raw prepares an entry of any opcode: opcode, descriptor, offset, address, length.
func raw(e *uring.SQE, op byte, fd int32, off, addr uint64, n uint32, user uint64) {
	b := (*[64]byte)(unsafe.Pointer(e))
	b[0] = op
	*(*int32)(unsafe.Pointer(&b[4])) = fd
	*(*uint64)(unsafe.Pointer(&b[8])) = off
	*(*uint64)(unsafe.Pointer(&b[16])) = addr
	*(*uint32)(unsafe.Pointer(&b[24])) = n
	*(*uint64)(unsafe.Pointer(&b[32])) = user
}

// UringStep is one operation of the workload "uring", in the order of completion.
type UringStep struct {
	Name      string
	Offset    int64 // -1: has none
	Requested int64
	Result    int64
}

// UringSteps is what the workload "uring" does to its file.
var UringSteps = []UringStep{
	{"write", 4096, 8192, 8192},
	{"write", 12288, 512, 512}, // by a kernel worker
	{"fsync", -1, 0, 0},
	{"fdatasync", -1, 0, 0},
	{"read", 4096, 4096, 4096},
	{"readv", 0, 3000, 3000},   // 1000 + 2000 bytes
	{"read", 12288, 4096, 512}, // up to the end of the file
	{"allocate", 0, 65536, 0},
	{"write", 0, 100, 100}, // linked to the next
	{"fsync", -1, 0, 0},
	{"readfixed", 0, 64, 64},
	{"read", 1 << 40, 10, 0},
	{"bad", 0, 10, -int64(unix.EBADF)},
}

// uringOperations FILE does UringSteps, one after the other.
func uringOperations(args []string) error {
	runtime.LockOSThread()
	fd, err := create(args[0])
	if err != nil {
		return err
	}
	wronly, err := unix.Open(args[0], unix.O_WRONLY, 0)
	if err != nil {
		return err
	}
	r, err := uring.New(8)
	if err != nil {
		return err
	}
	defer r.Close()
	fixed, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return err
	}
	if err := first(r.RegisterBuffers([][]byte{fixed}), r.RegisterFiles([]int32{int32(fd)})); err != nil {
		return err
	}
	big, small, tail := make([]byte, 8192), make([]byte, 512), make([]byte, 4096)
	iov := make([]unix.Iovec, 2)
	iov[0].Base, iov[1].Base = &big[0], &big[4096]
	iov[0].SetLen(1000)
	iov[1].SetLen(2000)
	const opFallocate = 17
	steps := []func(e *uring.SQE){
		func(e *uring.SQE) { e.Write(fd, big, 4096, 0, 0) },
		func(e *uring.SQE) { e.Write(fd, small, 12288, 0, 1); setFlag(e, sqeAsync) },
		func(e *uring.SQE) { e.Fsync(fd, false, 2) },
		func(e *uring.SQE) { e.Fsync(fd, true, 3) },
		func(e *uring.SQE) { e.Read(fd, tail, 4096, 0, 4) },
		func(e *uring.SQE) { e.Readv(fd, iov, 0, 0, 5) },
		func(e *uring.SQE) { e.Read(fd, tail, 12288, 0, 6) },
		func(e *uring.SQE) { raw(e, opFallocate, int32(fd), 0, 65536, 0, 7) },
		func(e *uring.SQE) { e.Write(fd, big[:100], 0, 0, 8); setFlag(e, sqeLink) },
		func(e *uring.SQE) { e.Fsync(fd, false, 9) },
		func(e *uring.SQE) { e.ReadFixed(0, fixed[:64], 0, 0, 0, 10); e.FixedFile() },
		func(e *uring.SQE) { e.Read(fd, big[:10], 1<<40, 0, 11) },
		func(e *uring.SQE) { e.Read(wronly, big[:10], 0, 0, 12) },
	}
	err = inRing(r, steps)
	runtime.KeepAlive(iov)
	return first(err, unix.Close(fd))
}

// inRing takes the steps one after the other, but for two that are linked, and compares how each ended.
func inRing(r *uring.Ring, steps []func(e *uring.SQE)) error {
	for i := 0; i < len(steps); i++ {
		n := 1
		if i == 8 {
			n = 2 // the link
		}
		for k := range n {
			steps[i+k](r.Next())
		}
		if err := r.Submit(n); err != nil {
			return err
		}
		for k := range n {
			c, ok := r.Take()
			if want := UringSteps[i+k].Result; !ok || int64(c.Res) != want || c.UserData != uint64(i+k) {
				return fmt.Errorf("step %d: completion %+v, want %d", i+k, c, want)
			}
		}
		i += n - 1
	}
	return nil
}

// LibaioBatch is the number of operations that the workload "libaio" submits at once.
const LibaioBatch = 64

// iocb is struct iocb of linux/aio_abi.h.
type iocb struct {
	data      uint64
	key       uint32
	rwFlags   uint32
	opcode    uint16
	priority  int16
	fd        uint32
	buf       uint64
	nbytes    uint64
	offset    int64
	reserved2 uint64
	flags     uint32
	resfd     uint32
}

type ioEvent struct {
	data, obj uint64
	res, res2 int64
}

// libaioOperations FILE submits LibaioBatch writes of 512 bytes at once, of which
// the last one is on a descriptor that is not open, so that it is not taken; then
// one vectored write of 3000 bytes and a read of 100 bytes that ends at 60.
func libaioOperations(args []string) error {
	fd, err := create(args[0])
	if err != nil {
		return err
	}
	var ctx uintptr
	if _, _, errno := unix.Syscall(unix.SYS_IO_SETUP, LibaioBatch, uintptr(unsafe.Pointer(&ctx)), 0); errno != 0 {
		return fmt.Errorf("io_setup: %w", errno)
	}
	buf := make([]byte, 4096)
	cbs, list := make([]iocb, LibaioBatch), make([]*iocb, LibaioBatch)
	for i := range cbs {
		cbs[i] = iocb{opcode: 1, fd: uint32(fd), buf: uint64(uintptr(unsafe.Pointer(&buf[0]))), nbytes: 512,
			offset: int64(i) * 512}
		list[i] = &cbs[i]
	}
	cbs[LibaioBatch-1].fd = 999
	if err := aioRun(ctx, list, LibaioBatch-1, 512); err != nil {
		return err
	}
	iov := make([]unix.Iovec, 2)
	iov[0].Base, iov[1].Base = &buf[0], &buf[2000]
	iov[0].SetLen(1000)
	iov[1].SetLen(2000)
	vectored := iocb{opcode: 8, fd: uint32(fd), buf: uint64(uintptr(unsafe.Pointer(&iov[0]))), nbytes: 2, offset: 100000}
	if err := aioRun(ctx, []*iocb{&vectored}, 1, 3000); err != nil {
		return err
	}
	read := iocb{opcode: 0, fd: uint32(fd), buf: uint64(uintptr(unsafe.Pointer(&buf[0]))), nbytes: 100,
		offset: 103000 - 60}
	if err := aioRun(ctx, []*iocb{&read}, 1, 60); err != nil {
		return err
	}
	runtime.KeepAlive(cbs)
	runtime.KeepAlive(iov)
	return unix.Close(fd)
}

// libaioMany FILE N submits N writes of 512 bytes at once.
func libaioMany(args []string) error {
	fd, err := create(args[0])
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	var ctx uintptr
	if _, _, errno := unix.Syscall(unix.SYS_IO_SETUP, uintptr(n), uintptr(unsafe.Pointer(&ctx)), 0); errno != 0 {
		return fmt.Errorf("io_setup: %w", errno)
	}
	buf := make([]byte, 512)
	list := make([]*iocb, n)
	for i := range list {
		list[i] = &iocb{opcode: 1, fd: uint32(fd), buf: uint64(uintptr(unsafe.Pointer(&buf[0]))), nbytes: 512,
			offset: int64(i) * 512}
	}
	return errors.Join(aioRun(ctx, list, n, 512), unix.Close(fd))
}

// aioRun submits control blocks, of which the first n have to be taken, and collects them.
func aioRun(ctx uintptr, list []*iocb, n, result int) error {
	taken, _, errno := unix.Syscall(unix.SYS_IO_SUBMIT, ctx, uintptr(len(list)), uintptr(unsafe.Pointer(&list[0])))
	if errno != 0 || int(taken) != n {
		return fmt.Errorf("io_submit took %d of %d: %w", taken, len(list), errno)
	}
	events := make([]ioEvent, n)
	for got := 0; got < n; {
		k, _, errno := unix.Syscall6(unix.SYS_IO_GETEVENTS, ctx, 1, uintptr(n-got), uintptr(unsafe.Pointer(&events[got])), 0,
			0)
		if errno != 0 {
			return fmt.Errorf("io_getevents: %w", errno)
		}
		got += int(k)
	}
	for _, e := range events {
		if e.res != int64(result) {
			return fmt.Errorf("result %d, want %d", e.res, result)
		}
	}
	return nil
}
