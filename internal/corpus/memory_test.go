//go:build linux

package corpus

import (
	"errors"
	"os"
	"syscall"
	"testing"
	"unsafe"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
)

// readahead is the most that one read of a few bytes brings into memory: twice
// the default of a device (read_ahead_kb), as for a read that looks sequential.
const readahead = 256 << 10

// resident is how much of a file is in memory, as the kernel says (mincore).
func resident(t testing.TB, path string) int64 {
	t.Helper()
	b := mapped(t, path)
	defer syscall.Munmap(b)
	pages := make([]byte, (len(b)+os.Getpagesize()-1)/os.Getpagesize())
	if _, _, err := syscall.Syscall(syscall.SYS_MINCORE, uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)),
		uintptr(unsafe.Pointer(&pages[0]))); err != 0 {
		t.Fatal("asking what is in memory:", err)
	}
	n := int64(0)
	for _, p := range pages {
		n += int64(p&1) * int64(os.Getpagesize())
	}
	return n
}

// hold brings the files that a recording read into memory and keeps them there
// until the test ends: pages that are mapped stay when caches are dropped.
func hold(t testing.TB, p *profile.Profile) {
	t.Helper()
	for _, f := range p.Files {
		s, err := os.Stat(f.Path)
		if err != nil || !s.Mode().IsRegular() || s.Size() == 0 || s.Sys().(*syscall.Stat_t).Dev == 0 {
			continue // a program's own, gone by now, or no file
		}
		if f.FSType != "proc" && f.FSType != "sysfs" {
			b := mapped(t, f.Path)
			t.Cleanup(func() {
				if err := syscall.Munmap(b); err != nil {
					t.Error(err)
				}
			})
			// it was cut meanwhile
			if err := syscall.Madvise(b, madvPopulateRead); err != nil && !errors.Is(err, syscall.EFAULT) {
				t.Fatalf("bringing %s into memory: %v", f.Path, err)
			}
		}
	}
}

const madvPopulateRead = 22 // Linux 5.14

func mapped(t testing.TB, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	b, err := syscall.Mmap(int(f.Fd()), 0, int(s.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		t.Fatalf("mapping %s: %v", path, err)
	}
	return b
}

// TestWrittenToMemory: nothing is written back of what is written to memory alone.
func TestWrittenToMemory(t *testing.T) {
	needPrivilege(t)
	name := "/dev/shm/iotrace-corpus-memory"
	p := attempt(t, "sh", "-c", "head -c 8M /dev/zero > "+name+"; rm "+name)
	for _, c := range p.Verdict.Causes {
		if c.Code == cause.Settling {
			t.Errorf("%s: %s", c.Code, c.Text)
		}
	}
}
