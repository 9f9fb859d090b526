//go:build linux

package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The direct writes of the workload: at once, one after the other to two files, and as often as makes so many to each.
const (
	atOnce    = 8
	blockSize = 4096
	toEach    = 64
)

// iocb is struct iocb of linux/aio_abi.h.
type iocb struct {
	_      [2]uint64
	opcode uint16
	_      uint16
	fd     uint32
	buf    uint64
	nbytes uint64
	offset int64
	_      [2]uint64
}

const iocbWrite = 1

// direct writes to two files past the page cache, asynchronously: which file a request is of stands in no call that
// is running then.
func direct(dir string) error {
	var fds [2]int
	for i := range fds {
		fd, err := unix.Open(directFile(dir, i), unix.O_WRONLY|unix.O_CREAT|unix.O_DIRECT, 0o600)
		if err != nil {
			return err
		}
		if err := unix.Fallocate(fd, 0, 0, toEach*blockSize); err != nil {
			return err
		}
		fds[i] = fd
	}
	var ctx uintptr
	if _, _, errno := unix.Syscall(unix.SYS_IO_SETUP, atOnce, uintptr(unsafe.Pointer(&ctx)), 0); errno != 0 {
		return fmt.Errorf("io_setup: %w", errno)
	}
	buf, err := unix.Mmap(-1, 0, blockSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return err
	}
	buf[0] = 1
	for n := 0; n < 2*toEach; n += atOnce {
		var cbs [atOnce]iocb
		var list [atOnce]*iocb
		for i := range cbs {
			cbs[i] = iocb{opcode: iocbWrite, fd: uint32(fds[(n+i)%2]), buf: uint64(uintptr(unsafe.Pointer(&buf[0]))),
				nbytes: blockSize, offset: int64((n+i)/2) * blockSize}
			list[i] = &cbs[i]
		}
		if err := together(ctx, &list); err != nil {
			return err
		}
	}
	return errors.Join(unix.Close(fds[0]), unix.Close(fds[1]))
}

// together submits operations and waits for all of them.
func together(ctx uintptr, list *[atOnce]*iocb) error {
	if n, _, errno := unix.Syscall(unix.SYS_IO_SUBMIT, ctx, atOnce, uintptr(unsafe.Pointer(list))); n != atOnce {
		return fmt.Errorf("io_submit: %d of %d: %w", n, atOnce, errno)
	}
	var events [atOnce]struct {
		data, obj uint64
		res, res2 int64
	}
	if n, _, errno := unix.Syscall6(unix.SYS_IO_GETEVENTS, ctx, atOnce, atOnce, uintptr(unsafe.Pointer(&events)), 0,
		0); n != atOnce {
		return fmt.Errorf("io_getevents: %d of %d: %w", n, atOnce, errno)
	}
	for _, e := range events {
		if e.res != blockSize {
			return fmt.Errorf("a write of %d bytes ended with %d", blockSize, e.res)
		}
	}
	return nil
}

func directFile(dir string, i int) string { return filepath.Join(dir, fmt.Sprint("direct", i)) }

// directCheck compares what the requests are said to be of with what was written.
func directCheck() (string, []string, error) {
	p, err := record("64MiB", "direct", workDir)
	if err != nil {
		return "", nil, err
	}
	var written [2]ioCount
	for _, f := range p.Files {
		for i := range written {
			if f.Path == directFile(workDir, i) {
				written[i] = f.Write
			}
		}
	}
	found := fmt.Sprintf("%d and %d bytes of requests have their file", written[0].Bytes, written[1].Bytes)
	if want := int64(toEach * blockSize); written[0].Bytes != want || written[1].Bytes != want {
		return found, nil, fmt.Errorf("of %d each", want)
	}
	return found, nil, nil
}
