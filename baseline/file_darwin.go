package baseline

import (
	"errors"
	"fmt"
	"os/exec"

	"golang.org/x/sys/unix"
)

// directFlag: macOS has no flag for direct I/O. F_NOCACHE comes closest.
const directFlag = 0

// noCacheExt is F_NOCACHE_EXT of newer systems: it keeps writes below 16 KiB
// out of the cache too, which F_NOCACHE does not.
const noCacheExt = 112

func (f *file) setCache(c Cache) error {
	if c == Buffered {
		return nil
	}
	if _, err := unix.FcntlInt(uintptr(f.fd), unix.F_NOCACHE, 1); err != nil {
		return err
	}
	// Older systems do not know it; the result then carries a warning.
	_, _ = unix.FcntlInt(uintptr(f.fd), noCacheExt, 1)
	return nil
}

// dontCache: F_NOCACHE is all there is.
func dontCache(string) bool { return false }

// dropPages invalidates the cached pages of the file: macOS has no fadvise, but
// msync with MS_INVALIDATE on a mapping does it.
func (f *file) dropPages() error {
	n, err := f.size()
	if err != nil || n == 0 {
		return err
	}
	m, err := unix.Mmap(f.fd, 0, int(n), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return fmt.Errorf("dropping cached pages of %s: %w", f.path, err)
	}
	return errors.Join(unix.Msync(m, unix.MS_INVALIDATE), unix.Munmap(m))
}

// dropCaches empties the page cache of the whole system. It needs root.
func dropCaches() error {
	if out, err := exec.Command("/usr/sbin/purge").CombinedOutput(); err != nil {
		return fmt.Errorf("dropping the page cache: purge: %w: %s", err, out)
	}
	return nil
}

// fdatasync is fsync on macOS: data goes to the drive, not through its cache.
func fdatasync(fd int) error { return unix.Fsync(fd) }

func pread(fd int, p []byte, off int64, _ uint32) (int, error) {
	if off < 0 {
		return unix.Read(fd, p)
	}
	return unix.Pread(fd, p, off)
}

func pwrite(fd int, p []byte, off int64, _ uint32) (int, error) {
	if off < 0 {
		return unix.Write(fd, p)
	}
	return unix.Pwrite(fd, p, off)
}

func (f *file) directAlignment() int64 { return 1 }

// monotonic is the system's uptime clock in ns: mach_absolute_time, which
// tracers stamp events with, in another unit.
func monotonic() int64 {
	const clockUptimeRaw = 8
	var ts unix.Timespec
	if err := unix.ClockGettime(clockUptimeRaw, &ts); err != nil {
		return 0
	}
	return ts.Nano()
}

func setNoCOW(string, bool) error { return errUnsupported }

// syncFS syncs every file system: macOS knows no sync of one.
func syncFS(int) error { return unix.Sync() }
