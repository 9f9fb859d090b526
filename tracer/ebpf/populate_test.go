//go:build linux

package ebpf

import (
	"os"
	"testing"
)

// TestPopulate: a call that maps a file and has all of it read waits in many page faults. Each brought in what came
// since the one before, so together they brought in the file once.
func TestPopulate(t *testing.T) {
	needBPF(t)
	needTools(t, "python3")
	d := newDisk(t, imageSize)
	d.format("ext4")
	file := d.mount("ext4", "") + "/data"
	const size = 32 << 20
	if err := os.WriteFile(file, make([]byte, size), 0o600); err != nil {
		t.Fatal(err)
	}
	rec := recordCommand(t, Options{}, nil, "python3", "-c", `import mmap, os, sys
f = os.open(sys.argv[1], os.O_RDONLY); os.fsync(f); os.posix_fadvise(f, 0, 0, os.POSIX_FADV_DONTNEED)
mmap.mmap(f, 0, flags=mmap.MAP_SHARED | mmap.MAP_POPULATE, prot=mmap.PROT_READ)`, file)
	faults, filled := 0, int64(0)
	for i := range rec.Faults {
		if f := &rec.Faults[i]; rec.path(f.File) == file {
			faults++
			filled += f.Filled
		}
	}
	t.Logf("%d faults brought in %d bytes", faults, filled)
	if faults < 2 || filled > size {
		t.Errorf("%d faults brought in %d bytes of %d", faults, filled, size)
	}
}
