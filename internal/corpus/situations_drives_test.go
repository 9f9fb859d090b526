//go:build linux

package corpus

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/internal/testenv"
)

// Situations in which one waits for a drive, for which no rule was made or changed.
var ofDrives = []situation{
	{"aio of the C library on one file", "each read takes 5 ms", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 5 * time.Millisecond}, 64)
		return in(dir, fmt.Sprint("fio --name=x --filename=file --rw=randread --bs=4k --direct=1 "+
			"--ioengine=posixaio "+
			"--iodepth=16 --size=64m --number_ios=", 200*n))
	}, is(cause.DeviceLatency), false},
	{"removing a file in many pieces", "each read takes 4 ms", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 4 * time.Millisecond}, 1)
		run(t, "sh", "-c", python(`f = os.open("%s/big", os.O_RDWR | os.O_CREAT)
for i in range(40000): os.pwrite(f, b"x", i * 8192)
os.sync()`, dir))
		remount(t, dir)
		return in(dir, "rm big")
	}, is(cause.Names, cause.DeviceLatency), false},
	{"direct synchronous writes into reserved room", "each write takes 6 ms; xfs", func(t testing.TB,
		n int) []string {
		dir := formatted(t, 6*time.Millisecond, "noatime", "mkfs.xfs", "-q", "-f")
		run(t, "fallocate", "-l", "32M", dir+"/room")
		return in(dir, fmt.Sprint("dd if=/dev/zero of=room conv=notrunc oflag=direct,dsync bs=16k count=", 60*n))
	}, is(cause.Sync, cause.DeviceLatency), false},
	{"a mapping behind a limit", "blkio, 10 MB/s", func(t testing.TB, n int) []string {
		dir := limitedDevice(t, "read_bps_device", 10_000_000)
		fill(t, filepath.Join(dir, "file"), 16*n<<20)
		remount(t, dir)
		return in(dir, python(`f = open("file", "rb"); m = mmap.mmap(f.fileno(), 0, prot=1); print(sum(m[::4096]))`))
	}, is(cause.LimitAbove), false},
	{"direct reads beside syncs of others", "one request at a time, 4 ms", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 4 * time.Millisecond, Write: 4 * time.Millisecond, Alone: true}, 16)
		for i := range 4 {
			background(t, dir, python(`f = os.open("theirs%d", os.O_WRONLY | os.O_CREAT | os.O_DSYNC)
while True: os.pwrite(f, b"x" * 65536, random.randrange(64) << 16)`, i))
			exists(t, fmt.Sprintf("%s/theirs%d", dir, i))
		}
		return in(dir, fmt.Sprint("dd if=file of=/dev/null bs=4k iflag=direct count=", 100*n))
	}, is(cause.OtherUsers), false},
	{"a directory that another changes", "each write takes 10 ms; chattr +D; both make files", func(t testing.TB,
		n int) []string {
		dir := slowDir(t)
		run(t, "sh", "-c", "mkdir "+dir+"/d; chattr +D "+dir+"/d")
		for i := range 3 {
			background(t, dir+"/d", fmt.Sprintf("i=0; while :; do i=$((i+1)); : > x%d.$i; done", i))
		}
		return in(dir+"/d", python(`for i in range(%d): os.symlink("a", "s%%d" %% i)`, 20*n))
	}, is(cause.Sync, cause.BlockedInCall, cause.OtherUsers), false},
	{"a substitution of bash", "40 MB/s; sha256sum <(cat file)", func(t testing.TB, n int) []string {
		return []string{"bash", "-c", "cd " + rated(t, 40_000_000, 48*n) + "; sha256sum <(cat file)"}
	}, is(cause.DeviceBandwidth), false},
	{"the page cache is dropped by another", "40 MB/s; read five times; echo 3 > drop_caches", func(t testing.TB,
		n int) []string {
		dir := rated(t, 40_000_000, 16)
		background(t, "/", "while :; do sleep .1; echo 1 > /proc/sys/vm/drop_caches; done")
		return in(dir, "for i in 1 2 3 4 5; do cksum file; done")
	}, is(cause.CacheDropped), false},
	{"dropped by another program", "40 MB/s; fadvise of another process; read five times", func(t testing.TB,
		n int) []string {
		dir := rated(t, 40_000_000, 16)
		background(t, dir, python(`f = os.open("file", os.O_RDONLY)
while True: time.sleep(.05); os.posix_fadvise(f, 0, 0, os.POSIX_FADV_DONTNEED)`))
		return in(dir, "for i in 1 2 3 4 5; do cksum file; done")
	}, is(cause.CacheDropped), false},
	{"a compressed image", "squashfs, xz; from memory", func(t testing.TB, n int) []string {
		needPrograms(t, "mksquashfs")
		from := workDir(t)
		run(t, "sh", "-c", fmt.Sprintf("seq %d > %s/text", 6_000_000*n, from))
		run(t, "mksquashfs", from, from+"/../image.sq", "-comp", "xz", "-quiet", "-no-progress")
		image := filepath.Join(from, "../image.sq")
		t.Cleanup(func() { run(t, "rm", image) })
		at := workDir(t)
		run(t, "mount", "-o", "loop", image, at)
		t.Cleanup(func() { run(t, "umount", at) })
		return in(at, "cat text > /dev/null")
	}, is(cause.Compression, cause.OwnCPU), false},
	{"threads that append and sync one file", "each write takes 8 ms; eight threads", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Write: 8 * time.Millisecond}, 1)
		return in(dir, python(`import threading
f = os.open("log", os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_SYNC)
def work():
    for i in range(%d): os.write(f, b"x" * 500)
ts = [threading.Thread(target=work) for i in range(8)]
[x.start() for x in ts]; [x.join() for x in ts]`, 8*n))
	}, is(cause.Sync), false},
	{"modules of python, cold", "each read takes 5 ms", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 5 * time.Millisecond}, 1)
		run(t, "sh", "-c", fmt.Sprintf("cd %s; for i in $(seq %d); do echo a=$i > mod$i.py; done; "+
			"python3 -m compileall -q .", dir, 100*n))
		remount(t, dir)
		return in(dir, python(`import sys; sys.path.insert(0, ".")
for i in range(1, %d): __import__("mod%%d" %% i)`, 100*n))
	}, is(cause.DeviceLatency, cause.Names, cause.ProgramStart), false},
	{"two files compared", "40 MB/s; cmp", func(t testing.TB, n int) []string {
		dir := rated(t, 40_000_000, 24*n)
		run(t, "sh", "-c", "cp "+dir+"/file "+dir+"/copy && sync")
		remount(t, dir)
		return in(dir, "cmp file copy")
	}, is(cause.DeviceBandwidth, cause.DeviceLatency), false},
	{"a file read from its end", "each read takes 5 ms; tac", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 5 * time.Millisecond}, 1)
		run(t, "sh", "-c", fmt.Sprintf("seq %d > %s/text", 200_000*n, dir))
		remount(t, dir)
		return in(dir, "tac text > /dev/null")
	}, is(cause.DeviceLatency), false},
	{"a copy in the kernel", "ext4; copy_file_range; 40 MB/s", func(t testing.TB, n int) []string {
		return in(rated(t, 40_000_000, 48*n), python(`f = os.open("file", os.O_RDONLY)
g = os.open("new", os.O_WRONLY | os.O_CREAT)
while os.copy_file_range(f, g, 1 << 20): pass
os.fsync(g)`))
	}, is(cause.DeviceBandwidth, cause.DeviceLatency), false},
	{"a commit for each row", "each write takes 6 ms; SQLite, WAL, synchronous=FULL", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Write: 6 * time.Millisecond}, 1)
		return in(dir, python(`import sqlite3
c = sqlite3.connect("db", isolation_level=None); c.execute("pragma journal_mode=wal")
c.execute("pragma synchronous=full"); c.execute("create table t(a)")
for i in range(%d): c.execute("insert into t values(?)", (i,))`, 50*n))
	}, is(cause.Sync), false},
	{"a daemon of FUSE that reads slowly", "each read takes 8 ms below it", func(t testing.TB,
		n int) []string {
		needPrograms(t, "bindfs")
		dir := device(t, &testenv.Model{Read: 8 * time.Millisecond}, 1)
		run(t, "sh", "-c", fmt.Sprintf("cd %s; for i in $(seq %d); do mkdir d$i; echo x > d$i/a; done", dir, 60*n))
		remount(t, dir)
		at := workDir(t)
		run(t, "bindfs", dir, at)
		t.Cleanup(func() { run(t, "umount", at) })
		return in(at, "cat d*/a > /dev/null")
	}, is(cause.UserSpaceFS, cause.DeviceLatency, cause.Names), false},
	{"splice through a pipe", "20 MB/s", func(t testing.TB, n int) []string {
		return in(rated(t, 20_000_000, 24*n), python(`r, w = os.pipe(); f = os.open("file", os.O_RDONLY)
g = os.open("/dev/null", os.O_WRONLY)
while True:
    k = os.splice(f, w, 65536)
    if not k: break
    os.splice(r, g, k)`))
	}, is(cause.DeviceBandwidth, cause.DeviceLatency), false},
	{"eight direct writes at a time", "one request at a time, 4 ms; io_uring", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Write: 4 * time.Millisecond, Alone: true}, 32)
		return in(dir, fmt.Sprint("fio --name=x --filename=file --rw=randwrite --bs=4k --direct=1 "+
			"--ioengine=io_uring "+
			"--iodepth=8 --size=32m --number_ios=", 300*n))
	}, is(cause.DeviceBandwidth), false},
	{"stores to a mapping", "40 MB/s; msync at the end", func(t testing.TB, n int) []string {
		dir := rated(t, 40_000_000, 1)
		return in(dir, python(`f = open("new", "w+b"); f.truncate(%d << 20); m = mmap.mmap(f.fileno(), 0)
b = os.urandom(1 << 20)
for i in range(%[1]d): m[i << 20:i + 1 << 20] = b
m.flush()`, 48*n))
	}, is(cause.DeviceBandwidth, cause.Sync), false},
	{"four programs that read", "one request at a time, 3 ms; xargs -P4", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 3 * time.Millisecond, Alone: true}, 64)
		return in(dir, fmt.Sprintf("seq 4 | xargs -P4 -I{} dd if=file of=/dev/null bs=4k iflag=direct "+
			"skip={}000 count=%d", 100*n))
	}, is(cause.DeviceBandwidth), false},
	{"syncs of btrfs", "each write takes 5 ms", func(t testing.TB, n int) []string {
		dir := formatted(t, 5*time.Millisecond, "noatime", "mkfs.btrfs", "-q", "-f")
		return in(dir, python(`for i in range(%d):
    f = os.open("f%%d" %% i, os.O_WRONLY | os.O_CREAT); os.write(f, b"x" * 9000); os.fsync(f); os.close(f)`, 30*n))
	}, is(cause.Sync), false},
	{"touches of a mapping with much readahead", "40 MB/s; blockdev --setra 8192", func(t testing.TB,
		n int) []string {
		dir := rated(t, 40_000_000, 200)
		run(t, "blockdev", "--setra", "8192", source(t, dir))
		return in(dir, python(`f = open("file", "rb"); m = mmap.mmap(f.fileno(), 0, prot=1)
for i in range(%d): m[random.randrange(len(m))]`, 12*n))
	}, is(cause.MappedReads, cause.DeviceBandwidth), false},
	{"directories made, all synced at the end", "each write takes 6 ms; mkdir -p, sync", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Write: 6 * time.Millisecond}, 1)
		return in(dir, fmt.Sprintf("for i in $(seq %d); do mkdir -p a$i/b/c; sync -f .; done", 20*n))
	}, is(cause.Sync), false},
	{"a sparse copy of zeros", "from memory", func(t testing.TB, n int) []string {
		f := filepath.Join(workDir(t), "zeros")
		run(t, "dd", "if=/dev/zero", "of="+f, "bs=1M", fmt.Sprint("count=", 200*n), "conv=fsync", "status=none")
		return []string{"chrt", "-f", "1", "cp", "--sparse=always", f, workDir(t) + "/new"}
	}, is(cause.PageCache, cause.OwnCPU), false},
	{"a large file and its sync", "40 MB/s; dd conv=fdatasync", func(t testing.TB, n int) []string {
		return in(rated(t, 40_000_000, 1), fmt.Sprint("dd if=/dev/zero of=new bs=1M conv=fdatasync count=", 60*n))
	}, is(cause.DeviceBandwidth), false},
	{"readahead asked for", "40 MB/s; readahead(2), then reads", func(t testing.TB, n int) []string {
		return in(rated(t, 40_000_000, 40*n), python(`import ctypes
c = ctypes.CDLL(None); f = os.open("file", os.O_RDONLY)
for i in range(0, %d << 20, 1 << 20):
    c.readahead(f, ctypes.c_long(i), ctypes.c_size_t(1 << 20)); os.pread(f, 1 << 20, i)`, 40*n))
	}, is(cause.DeviceBandwidth, cause.DeviceLatency), false},
	{"find -delete", "each read takes 3 ms; xfs", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 3 * time.Millisecond, FileSystem: "xfs"}, 1)
		run(t, "python3", "-c", fmt.Sprintf(`import os
for d in range(%d):
    os.mkdir("%s/d%%d" %% d)
    for i in range(20): open("%[2]s/d%%d/%%d" %% (d, i), "w").write("x")`, 100*n, dir))
		remount(t, dir)
		return in(dir, "find d* -delete")
	}, is(cause.Names, cause.DeviceLatency), false},
}
