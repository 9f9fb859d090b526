package replay

import (
	"errors"
	"os"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

// unwritten is how many pages of a file are not on the device yet; the test is skipped where the kernel does not tell.
func unwritten(t *testing.T, f *os.File) uint64 {
	t.Helper()
	const cachestat = 451 // since Linux 6.5
	var all [2]uint64     // offset and length; 0 is to the end
	var pages struct{ cached, dirty, writeback, evicted, recently uint64 }
	_, _, errno := unix.Syscall6(cachestat, f.Fd(), uintptr(unsafe.Pointer(&all)), uintptr(unsafe.Pointer(&pages)), 0, 0,
		0)
	if errors.Is(errno, unix.ENOSYS) {
		t.Skip("cachestat needs Linux 6.5")
	}
	if errno != 0 {
		t.Fatal(errno)
	}
	return pages.dirty + pages.writeback
}

// A synchronous write leaves nothing to be written, another one does.
func TestPwriteWaits(t *testing.T) {
	for _, c := range []struct {
		sync trace.IOFlags
		left bool
	}{{0, true}, {trace.FlagDSync, false}, {trace.FlagSync | trace.FlagDSync, false}} {
		f, err := os.CreateTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var st unix.Statfs_t
		if err := unix.Fstatfs(int(f.Fd()), &st); err != nil || st.Type == unix.TMPFS_MAGIC {
			t.Skip("the directory for tests is in memory", err)
		}
		if n, err := pwrite(int(f.Fd()), make([]byte, 64<<10), 4096, c.sync); n != 64<<10 || err != nil {
			t.Fatal(n, err)
		}
		if left := unwritten(t, f); (left > 0) != c.left {
			t.Errorf("flags %v: %d pages are left to be written", c.sync, left)
		}
	}
}
