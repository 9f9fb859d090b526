package uring

import (
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Ring is one submission queue with its completion queue.
type Ring struct {
	fd   int
	mem  []byte // both rings, shared with the kernel
	sqes []byte // the submission entries, shared with the kernel

	sqHead, sqTail *uint32
	sqMask         uint32
	sqEntries      uint32
	entries        unsafe.Pointer // first SQE
	tail           uint32         // entries handed out by Next
	submitted      uint32         // entries the kernel has been told of

	cqHead, cqTail *uint32
	cqMask         uint32
	cqes           unsafe.Pointer // first CQE
}

// New sets up a ring for depth outstanding operations (1 to 32768). The
// calling goroutine must be locked to its thread and stay the only user of the
// ring. An error that wraps ErrUnavailable means that threads must do the work.
func New(depth int) (*Ring, error) {
	if depth < 1 || depth > 32768 {
		return nil, fmt.Errorf("setting up io_uring: depth %d is not between 1 and 32768", depth)
	}
	fd, p, err := setup(uint32(depth))
	if err != nil {
		return nil, err
	}
	r := &Ring{fd: fd}
	if err := r.mmap(p); err != nil {
		return nil, errors.Join(fmt.Errorf("mapping io_uring: %w", err), r.Close())
	}
	return r, nil
}

// setup asks for the cheapest kind of ring first and, where the kernel does
// not know it (EINVAL), for a plain one.
func setup(depth uint32) (int, *params, error) {
	var errno unix.Errno
	for _, flags := range []uint32{setupSingleIssuer | setupDeferTaskrun, setupCoopTaskrun, 0} {
		p := &params{flags: flags | setupCQSize, cqEntries: depth}
		var fd uintptr
		fd, _, errno = unix.Syscall(unix.SYS_IO_URING_SETUP, uintptr(depth), uintptr(unsafe.Pointer(p)), 0)
		if errno == 0 {
			if p.features&featSingleMmap == 0 || p.features&featNoDrop == 0 {
				unix.Close(int(fd))
				return -1, nil, fmt.Errorf("setting up io_uring: %w (needs Linux 5.6)", ErrUnavailable)
			}
			return int(fd), p, nil
		}
		if errno != unix.EINVAL {
			break
		}
	}
	switch errno {
	case unix.ENOSYS, unix.EPERM, unix.EACCES, unix.EINVAL:
		return -1, nil, fmt.Errorf("setting up io_uring: %w: %w (kernel.io_uring_disabled or a seccomp filter may forbid it)",
			ErrUnavailable, errno)
	}
	return -1, nil, fmt.Errorf("setting up io_uring for %d entries: %w", depth, errno)
}

func (r *Ring) mmap(p *params) error {
	sqSize := p.sq.array + p.sqEntries*4
	cqSize := p.cq.cqes + p.cqEntries*uint32(unsafe.Sizeof(CQE{}))
	var err error
	const protection, flags = unix.PROT_READ | unix.PROT_WRITE, unix.MAP_SHARED | unix.MAP_POPULATE
	r.mem, err = unix.Mmap(r.fd, offSQRing, int(max(sqSize, cqSize)), protection, flags)
	if err != nil {
		return err
	}
	r.sqes, err = unix.Mmap(r.fd, offSQEs, int(p.sqEntries*uint32(unsafe.Sizeof(SQE{}))), protection, flags)
	if err != nil {
		return err
	}
	at := func(off uint32) *uint32 { return (*uint32)(unsafe.Pointer(&r.mem[off])) }
	r.sqHead, r.sqTail = at(p.sq.head), at(p.sq.tail)
	r.sqMask, r.sqEntries = *at(p.sq.ringMask), *at(p.sq.ringEntries)
	r.entries = unsafe.Pointer(&r.sqes[0])
	r.cqHead, r.cqTail = at(p.cq.head), at(p.cq.tail)
	r.cqMask = *at(p.cq.ringMask)
	r.cqes = unsafe.Pointer(&r.mem[p.cq.cqes])
	r.tail = atomic.LoadUint32(r.sqTail)
	r.submitted = r.tail
	// The index array lets a queue submit entries out of order. Ours never
	// does, so entry i stays at index i for good.
	for i := range r.sqEntries {
		*at(p.sq.array + 4*i) = i
	}
	return nil
}

// Next returns the next free submission entry, cleared, or nil if the queue is
// full. The entry is handed over by the next Submit.
func (r *Ring) Next() *SQE {
	if r.tail-atomic.LoadUint32(r.sqHead) == r.sqEntries {
		return nil
	}
	e := (*SQE)(unsafe.Add(r.entries, uintptr(r.tail&r.sqMask)*unsafe.Sizeof(SQE{})))
	*e = SQE{}
	r.tail++
	return e
}

// Submit hands the prepared entries to the kernel and waits until at least
// wait completions can be taken. Buffers and vectors of the entries must stay
// where they are until their completion. With wait 0 it does not wait, but what
// has completed meanwhile can be taken: the cheapest kind of ring puts
// completions into its queue only when a call asks for them.
//
// The wait keeps its processor of the Go runtime: GOMAXPROCS should be larger
// than the number of rings. A call that the runtime knows of would lose the
// processor to the scheduler's monitor in every wait once the loop around it
// has run for 10 ms, and get it back by two futex calls, at up to twice the CPU
// time per operation. The signal by which the runtime stops the world or
// preempts interrupts the wait, so neither has to sit it out.
func (r *Ring) Submit(wait int) error {
	atomic.StoreUint32(r.sqTail, r.tail)
	for {
		n, _, errno := unix.RawSyscall6(unix.SYS_IO_URING_ENTER,
			uintptr(r.fd), uintptr(r.tail-r.submitted), uintptr(wait), enterGetEvents, 0, 0)
		switch errno {
		case 0:
			r.submitted += uint32(n)
		case unix.EINTR:
			// Nothing was submitted and too little has completed.
		case unix.EAGAIN, unix.EBUSY:
			if r.Ready() == 0 {
				return fmt.Errorf("submitting to io_uring: %w", errno)
			}
			return nil // room is made by taking completions; the rest goes with the next Submit
		default:
			return fmt.Errorf("submitting to io_uring: %w", errno)
		}
		if r.submitted == r.tail && r.Ready() >= wait {
			return nil
		}
	}
}

// Ready is the number of completions that can be taken.
func (r *Ring) Ready() int { return int(atomic.LoadUint32(r.cqTail) - *r.cqHead) }

// Take returns the oldest completion; ok is false if there is none.
func (r *Ring) Take() (c CQE, ok bool) {
	head := *r.cqHead // only we write it
	if head == atomic.LoadUint32(r.cqTail) {
		return CQE{}, false
	}
	c = *(*CQE)(unsafe.Add(r.cqes, uintptr(head&r.cqMask)*unsafe.Sizeof(CQE{})))
	atomic.StoreUint32(r.cqHead, head+1)
	return c, true
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

// Close frees the ring. Operations still outstanding are cancelled by the
// kernel at a time of its choosing: take their completions first if their
// buffers are to be used again.
func (r *Ring) Close() error {
	var errs []error
	if r.sqes != nil {
		errs = append(errs, unix.Munmap(r.sqes))
	}
	if r.mem != nil {
		errs = append(errs, unix.Munmap(r.mem))
	}
	errs = append(errs, unix.Close(r.fd))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("closing io_uring: %w", err)
	}
	return nil
}
