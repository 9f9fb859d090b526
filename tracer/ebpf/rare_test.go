//go:build linux

package ebpf

import (
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

// Calls that a workload makes rarely, and that take long or say what is to come: each with what it was asked for.
func TestRareCalls(t *testing.T) {
	needBPF(t)
	needTools(t, "python3", "umount")
	d := newDisk(t, 64<<20)
	d.format("ext4")
	dir := d.mount("ext4", "")
	const program = `import ctypes, mmap, os, socket, subprocess, sys
libc, d = ctypes.CDLL(None, use_errno=True), sys.argv[1]
fd = os.open(d + "/file", os.O_RDWR | os.O_CREAT)
os.write(fd, b"x" * 65536)
libc.sync_file_range(fd, ctypes.c_long(4096), ctypes.c_long(8192), 7)
os.posix_fadvise(fd, 0, 32768, os.POSIX_FADV_WILLNEED)
libc.readahead(fd, ctypes.c_long(8192), ctypes.c_long(16384))
m = mmap.mmap(fd, 65536)
m.madvise(mmap.MADV_RANDOM, 4096, 12288)
mmap.mmap(-1, 65536).madvise(mmap.MADV_RANDOM)
libc.syncfs(fd)
m.close()
os.close(fd)
l = socket.socket(socket.AF_UNIX); l.bind(d + "/socket"); l.listen()
c = socket.socket(socket.AF_UNIX); c.connect(d + "/socket")
a, _ = l.accept(); a.sendall(b"x" * 100); c.recv(1000)
for s in (a, c, l): s.close()
sys.exit(subprocess.run(["umount", d]).returncode)`
	rec := recordCommand(t, Options{}, nil, "/usr/bin/python3", "-c", program, dir)
	file := dir + "/file"
	for _, want := range []struct {
		name             string
		op               trace.Op
		path             string // "": not compared
		offset, bytes    int64
		second, returned int64 // advice or flags, -1: none; -1: a descriptor
	}{
		{"sync_file_range", trace.OpSyncRange, file, 4096, 8192, 7, 0},
		{"fadvise64", trace.OpAdvise, file, 0, 32768, unix.FADV_WILLNEED, 0},
		{"readahead", trace.OpAdvise, file, 8192, 16384, -1, 0},
		{"madvise", trace.OpAdvise, file, 4096, 12288, unix.MADV_RANDOM, 0},
		{"syncfs", trace.OpSyncFS, file, -1, 0, -1, 0},
		{"connect", trace.OpConnect, "", -1, 0, -1, 0},
		{"accept4", trace.OpAccept, "", -1, 0, -1, -1},
		{"sendto", trace.OpWrite, "", -1, 100, -1, 100},
		{"recvfrom", trace.OpRead, "", -1, 1000, -1, 100},
		{"umount2", trace.OpUnmount, dir, -1, 0, -1, 0},
	} {
		calls := slices.DeleteFunc(slices.Clone(rec.Syscalls),
			func(s trace.Syscall) bool { return rec.call(&s) != want.name })
		if len(calls) != 1 {
			t.Errorf("%s: %d calls, want 1: %+v", want.name, len(calls), calls)
			continue
		}
		s := calls[0]
		if s.Op != want.op || s.Offset != want.offset || s.Requested != want.bytes || s.Offset2 != want.second ||
			s.Result != want.returned && (want.returned >= 0 || s.Result < 0) || want.path != "" &&
			rec.path(s.File) != want.path {
			t.Errorf("%s became %+v of %q, want %+v", want.name, s, rec.path(s.File), want)
		}
	}
}

// What a ring is asked for beside reads and writes of files has its own name, and what it moves.
func TestRareOperationsOfRings(t *testing.T) {
	needBPF(t)
	if legacyProbes {
		t.Skip("the probes for old kernels have no operations of io_uring")
	}
	rec := recordCommand(t, Options{}, nil, compile(t, "uring"), workDir(t)+"/file")
	got := map[trace.Op]trace.AsyncOp{}
	for _, a := range rec.AsyncOps {
		got[a.Op] = a
	}
	for _, want := range []struct {
		op               trace.Op
		requested, moved int64
	}{
		{trace.OpTimeout, 0, 0}, {trace.OpRead, 64, 5}, {trace.OpDataSync, 0, 0}, {trace.OpPoll, 0, 0},
	} {
		a, there := got[want.op]
		if !there || a.API != trace.APIUring || a.Requested != want.requested || a.Bytes() != want.moved {
			t.Errorf("%v is %+v (%t), want %+v", want.op, a, there, want)
		}
	}
	if a := got[trace.OpTimeout]; a.Complete-a.Submit < 20e6 {
		t.Errorf("the timeout of 20 ms took %d ns", a.Complete-a.Submit)
	}
	if len(rec.AsyncOps) != 4 {
		t.Errorf("%d operations, want 4: %+v", len(rec.AsyncOps), rec.AsyncOps)
	}
}
