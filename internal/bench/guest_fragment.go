//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	block  = 2 << 20   // bytes: a huge page, half of the largest block that can be free
	margin = 512 << 20 // bytes that are left as they are, for everything else on the machine
)

// Fragment makes the memory of a virtual machine its own, where KeepMemory is needed too: it uses all of it once, so
// that the host has given it, and then frees some, every second block of 2 MiB. No free block is large enough to go
// back to the host then, so page cache costs the same each time. What is not to be free stays in use until release is
// called. A minute for 20 GiB.
func Fragment(ctx context.Context, free int64) (release func(), err error) {
	if _, err := os.Stat(reporting); err != nil {
		return func() {}, nil
	}
	available, err := Meminfo("MemAvailable")
	if err != nil {
		return nil, err
	}
	size := (available - margin) / block * block
	if free > size/2 {
		return nil, fmt.Errorf("leaving %d MiB of memory free in fragments: only half of %d MiB can be", free>>20, size>>20)
	}
	region, err := unix.Mmap(-1, 0, int(size), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_NORESERVE)
	if err != nil {
		return nil, fmt.Errorf("taking %d MiB of memory: %w", size>>20, err)
	}
	release = func() { unix.Munmap(region) }
	unix.Madvise(region, unix.MADV_HUGEPAGE) // small pages do as well, more slowly
	for i := 0; i < len(region); i += os.Getpagesize() {
		if i%block == 0 && ctx.Err() != nil {
			release()
			return nil, ctx.Err()
		}
		region[i] = 1
	}
	first := int64(-uintptr(unsafe.Pointer(&region[0])) % block)
	for at := first; at < 2*free-block; at += 2 * block {
		if err := unix.Madvise(region[at:at+block], unix.MADV_DONTNEED); err != nil {
			release()
			return nil, fmt.Errorf("freeing memory: %w", err)
		}
	}
	return release, nil
}

// Meminfo is a field of /proc/meminfo, in bytes.
func Meminfo(field string) (int64, error) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		var kib int64
		if n, _ := fmt.Sscanf(line, field+": %d kB", &kib); n == 1 {
			return kib << 10, nil
		}
	}
	return 0, fmt.Errorf("/proc/meminfo has no %s", field)
}
