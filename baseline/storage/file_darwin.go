package storage

import (
	"errors"
	"fmt"
	"os/exec"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
)

// noCacheExt is F_NOCACHE_EXT of newer systems: it keeps writes below 16 KiB
// out of the cache too, which F_NOCACHE does not.
const noCacheExt = 112

func (f *File) setCache(c baseline.Cache) error {
	if c == baseline.Buffered {
		return nil
	}
	if _, err := unix.FcntlInt(uintptr(f.FD), unix.F_NOCACHE, 1); err != nil {
		return err
	}
	// Older systems do not know it; the result then carries a warning.
	_, _ = unix.FcntlInt(uintptr(f.FD), noCacheExt, 1)
	return nil
}

// dontCache: F_NOCACHE is all there is.
func dontCache(*File) bool { return false }

// DropPages invalidates the cached pages of the file: macOS has no fadvise, but
// msync with MS_INVALIDATE on a mapping does it.
func (f *File) DropPages() error {
	n, err := f.Size()
	if err != nil || n == 0 {
		return err
	}
	m, err := unix.Mmap(f.FD, 0, int(n), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return fmt.Errorf("dropping cached pages of %s: %w", f.Path, err)
	}
	return errors.Join(unix.Msync(m, unix.MS_INVALIDATE), unix.Munmap(m))
}

// DropCaches empties the page cache of the whole system. It needs root.
func DropCaches() error {
	if out, err := exec.Command("/usr/sbin/purge").CombinedOutput(); err != nil {
		return fmt.Errorf("dropping the page cache: purge: %w: %s", err, out)
	}
	return nil
}

func Pread(fd int, p []byte, off int64, _ uint32) (int, error) {
	if off < 0 {
		return unix.Read(fd, p)
	}
	return unix.Pread(fd, p, off)
}

func Pwrite(fd int, p []byte, off int64, _ uint32) (int, error) {
	if off < 0 {
		return unix.Write(fd, p)
	}
	return unix.Pwrite(fd, p, off)
}

func (f *File) DirectAlignment() int64 { return 1 }

func setNoCOW(int, bool) error { return ErrUnsupported }
