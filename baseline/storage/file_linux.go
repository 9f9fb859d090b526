package storage

import (
	"fmt"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/rights"
)

// setCache prepares uncached I/O: RWF_DONTCACHE where the file system has it
// (Linux 6.14), else pages are dropped when the step ends.
func (f *File) setCache(c baseline.Cache) error {
	if c != baseline.Uncached {
		return nil
	}
	if dontCache(f) {
		f.Flags = unix.RWF_DONTCACHE
	} else {
		f.Drop = true
	}
	return nil
}

// canDontCache remembers for each file system whether it knows RWF_DONTCACHE.
var canDontCache sync.Map // device number → bool

// dontCache reports whether the file system of a file knows RWF_DONTCACHE. The
// first question asks for one byte with it, on a descriptor of its own, as the file
// may be open for writing alone.
func dontCache(f *File) bool {
	var st unix.Stat_t
	if unix.Fstat(f.FD, &st) != nil {
		return false
	}
	if known, ok := canDontCache.Load(st.Dev); ok {
		return known.(bool)
	}
	fd, err := unix.Open(fmt.Sprintf("/proc/self/fd/%d", f.FD), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	_, err = unix.Preadv2(fd, [][]byte{make([]byte, 1)}, 0, unix.RWF_DONTCACHE)
	canDontCache.Store(st.Dev, err == nil)
	return err == nil
}

// DropPages throws the clean pages of the file out of the cache.
func (f *File) DropPages() error {
	if err := unix.Fadvise(f.FD, 0, 0, unix.FADV_DONTNEED); err != nil {
		return fmt.Errorf("dropping cached pages of %s: %w", f.Path, err)
	}
	return nil
}

// DropCaches empties the page cache of the whole system, as root.
func DropCaches() error {
	err := rights.Root(func() error { return host.SetKernel("/proc/sys/vm/drop_caches", "1") })
	if err != nil {
		return fmt.Errorf("dropping the page cache: %w", err)
	}
	return nil
}

// Pread and its like are the calls of the generator; flags are RWF_ flags. An
// offset of -1 stands for the file position.
func Pread(fd int, p []byte, off int64, flags uint32) (int, error) {
	if flags == 0 {
		if off < 0 {
			return unix.Read(fd, p)
		}
		return unix.Pread(fd, p, off)
	}
	return vectored(unix.SYS_PREADV2, fd, p, off, flags)
}

func Pwrite(fd int, p []byte, off int64, flags uint32) (int, error) {
	if flags == 0 {
		if off < 0 {
			return unix.Write(fd, p)
		}
		return unix.Pwrite(fd, p, off)
	}
	return vectored(unix.SYS_PWRITEV2, fd, p, off, flags)
}

// vectored is preadv2 or pwritev2 with one buffer. On 64-bit systems the low
// half of the offset argument holds all of it.
func vectored(call uintptr, fd int, p []byte, off int64, flags uint32) (int, error) {
	iov := unix.Iovec{Base: unsafe.SliceData(p)}
	iov.SetLen(len(p))
	n, _, errno := unix.Syscall6(call, uintptr(fd), uintptr(unsafe.Pointer(&iov)), 1, uintptr(off), 0, uintptr(flags))
	if errno != 0 {
		return -1, errno
	}
	return int(n), nil
}

// DirectAlignment is the alignment that direct I/O on the open file needs, in
// bytes: 0 if the file system has none or does not say (before Linux 6.1).
func (f *File) DirectAlignment() int64 {
	var st unix.Statx_t
	if err := unix.Statx(f.FD, "", unix.AT_EMPTY_PATH, unix.STATX_DIOALIGN, &st); err != nil {
		return 0
	}
	return int64(st.Dio_offset_align)
}

// setNoCOW decides whether files created in a directory from now on are
// overwritten in place, on file systems that would copy on write (btrfs,
// bcachefs).
func setNoCOW(fd int, on bool) error {
	const noCOW = 0x00800000 // FS_NOCOW_FL
	flags, err := unix.IoctlGetInt(fd, unix.FS_IOC_GETFLAGS)
	if err != nil {
		return err
	}
	flags &^= noCOW
	if on {
		flags |= noCOW
	}
	return unix.IoctlSetPointerInt(fd, unix.FS_IOC_SETFLAGS, flags)
}
