//go:build linux

package ebpf

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// TestZeros writes and reads blocks that are zeros, have a header, have data, or are small.
func TestZeros(t *testing.T) {
	needBPF(t)
	needTools(t, "python3")
	const program = `import os, sys
f = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
for b in bytes(65536), b"x" * 4096 + bytes(61440), bytes(49152) + b"x" * 16384, os.urandom(65536), bytes(16384):
    os.write(f, b)
os.pwrite(f, bytes(65536), 4096)
os.writev(f, [bytes(65536)])
os.pread(f, 65536, 4096)
os.ftruncate(f, 1 << 20); os.pread(f, 65536, 900000)`
	file := t.TempDir() + "/file"
	rec := recordCommand(t, Options{}, nil, "/usr/bin/python3", "-c", program, file)
	var got []bool
	for i := range rec.Syscalls {
		if s := &rec.Syscalls[i]; s.Op.MovesData() && rec.path(s.File) == file {
			got = append(got, s.Flags&trace.FlagZeros != 0)
		}
	}
	// What vectors point at is not looked at.
	if want := []bool{true, true, false, false, false, true, false, true, true}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
