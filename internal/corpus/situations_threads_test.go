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

// Kinds of situations that people ask about in public, each with another member than the one that was seen.
var ofThreads = []situation{
	{"files renamed safely", "each write takes 10 ms; the directory is synced after each rename", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Write: 10 * time.Millisecond}, 1)
		return in(dir, python(`d = os.open(".", os.O_RDONLY)
for i in range(%d): open("t", "w").write("x" * 900); os.rename("t", "r%%d" %% i); os.fsync(d)`, 60*n))
	}, is(cause.Sync), false},
	{"large direct reads, one at a time", "each request takes 8 ms; preadv of 2 MiB", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 8 * time.Millisecond}, 96*n)
		return in(dir, python(`f = os.open("file", os.O_RDONLY | os.O_DIRECT); m = mmap.mmap(-1, 2 << 20)
for i in range(%d): os.preadv(f, [m], i << 21)`, 48*n))
	}, is(cause.DeviceLatency), false},
	{"syncs of a ring", "each write takes 10 ms; io_uring, fdatasync after each write", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Write: 10 * time.Millisecond}, 4)
		run(t, "fio", "--version") // its libraries are in memory
		return in(dir, fmt.Sprint("fio --name=x --filename=file --rw=write --bs=4k --ioengine=io_uring --iodepth=1 "+
			"--fdatasync=1 --size=4m --number_ios=", 60*n))
	}, is(cause.Sync), false},
	{"reading only from now on", "40 MB/s; mount -o remount,ro with 60 MB in memory", func(t testing.TB, n int) []string {
		dir := rated(t, 40_000_000, 1)
		return in(dir, fmt.Sprintf("dd if=/dev/zero of=new bs=1M count=%d && mount -o remount,ro .", 60*n))
	}, is(cause.Sync, cause.DeviceBandwidth), false},
	{"files of a lower layer cut", "overlay; 40 MB/s; truncate", func(t testing.TB, n int) []string {
		dir := overlay(t, 40_000_000, 32*n)
		return in(dir, "truncate -s -1 file")
	}, is(cause.CopyUp), false},
	{"a hard link and many syncs", "each write takes 10 ms", func(t testing.TB, n int) []string {
		return in(slowDir(t), fmt.Sprintf("ln file other && for i in $(seq %d); do echo x >> log; sync log; done", 40*n))
	}, is(cause.Sync), false},
	{"pieces here and there", "each read takes 6 ms; 4 KiB of every 512 KiB, all distinct", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Read: 6 * time.Millisecond}, 128)
		return in(dir, python(`f = os.open("file", os.O_RDONLY)
for i in range(%d): os.pread(f, 4096, (i %% 256) * (512 << 10) + i // 256 * (256 << 10))`, 250*n))
	}, is(cause.DeviceLatency), false},
	{"a file given up after each read", "40 MB/s; dd iflag=nocache, twice", func(t testing.TB, n int) []string {
		dir := rated(t, 40_000_000, 32*n)
		return in(dir, "dd if=file of=/dev/null bs=1M iflag=nocache; dd if=file of=/dev/null bs=1M iflag=nocache")
	}, is(cause.DeviceBandwidth, cause.DeviceLatency), false},
	{"transactions beside a writer with a limit", "blkio, 1 MB/s, on the same journal", func(t testing.TB,
		n int) []string {
		needPrograms(t, "sqlite3")
		group := control(t, "blkio", "notify_on_release", 0)
		dir := mount(t, "ext4", 512<<20)
		limit := func(rate int) {
			run(t, "sh", "-c", fmt.Sprintf("echo $(lsblk -no MAJ:MIN %s | tr -d ' ') %d > %s/blkio.throttle.write_bps_device",
				source(t, dir), rate, group))
		}
		limit(1_000_000)
		t.Cleanup(func() { // what the writer still has to write
			limit(0)
			time.Sleep(time.Second)
		})
		background(t, dir,
			"echo $$ > "+group+"/cgroup.procs; while :; do dd if=/dev/zero of=theirs bs=1M count=3 conv=fsync; done")
		time.Sleep(time.Second)
		return in(dir,
			fmt.Sprintf(`(echo 'create table t(x);'; for i in $(seq %d); do echo 'insert into t values(1);'; done) `+
				`| sqlite3 base`, 4*n))
	}, is(cause.OtherUsers, cause.LimitAbove), false},
	{"attributes through another mount", "bindfs over memory; find", func(t testing.TB, n int) []string {
		needPrograms(t, "bindfs")
		at, from := workDir(t), filepath.Join("/dev/shm", "iotrace-corpus-tree")
		run(t, "sh", "-c", fmt.Sprintf("mkdir %s && cd %[1]s && for d in $(seq %d); do mkdir $d; for i in $(seq 30); do "+
			": > $d/$i; done; done", from, 40*n))
		t.Cleanup(func() { run(t, "rm", "-r", from) })
		run(t, "bindfs", from, at)
		t.Cleanup(func() { run(t, "umount", at) })
		return in(at, "chrt -f 1 find . -size +1 > /dev/null")
	}, is(cause.UserSpaceFS), false},
	{"parts of blocks", "each read takes 5 ms; 100 bytes written at every 64 KiB of a cold file", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Read: 5 * time.Millisecond}, 32)
		return in(dir, python(`f = os.open("file", os.O_WRONLY)
for i in range(%d): os.pwrite(f, b"x" * 100, i * 65536 + 7)`, 160*n))
	}, is(cause.PartialWrites), false},
	{"a mapped file backwards", "each read takes 8 ms", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 8 * time.Millisecond}, 32*n)
		return in(dir, python(`f = open("file", "rb"); m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)
print(sum(m[len(m) - 1 - (i << 18)] for i in range(%d)))`, 100*n))
	}, is(cause.MappedReads), false},
	{"an answer that never comes", "UDP; a socket that nobody serves", func(t testing.TB, n int) []string {
		dir := workDir(t)
		background(t, dir, python(`s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("127.0.0.1", 18766))
open("ready", "w"); time.sleep(99)`))
		exists(t, dir+"/ready")
		return in("/", python(`s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.connect(("127.0.0.1", 18766))
s.settimeout(0.5)
for i in range(%d):
    s.send(b"question")
    try: s.recv(100)
    except TimeoutError: pass`, 3*n))
	}, is(cause.OtherEnd), false},
	{"a file made one byte per block", "51,200 writes of one byte", func(t testing.TB, n int) []string {
		return in("/dev/shm", "chrt -f 1 "+python(`f = os.open("iotrace-corpus-new", os.O_WRONLY | os.O_CREAT)
os.unlink("iotrace-corpus-new")
for i in range(%d): os.pwrite(f, b"x", (i << 12) + 4095)`, 51200*n))
	}, is(cause.SmallCalls, cause.PageCache), false},
	{"lines that another thread writes", "20,000 of 18 bytes; a thread that is woken for each", func(t testing.TB,
		n int) []string {
		return in(workDir(t), "exec chrt -f 1 "+python(`import threading
asks, told, f = os.eventfd(0), os.eventfd(0), os.open("log", os.O_WRONLY | os.O_CREAT)
def work():
    while True: os.eventfd_read(asks); os.write(f, b"one line of a log\n"); os.eventfd_write(told, 1)
threading.Thread(target=work, daemon=True).start()
for i in range(%d): os.eventfd_write(asks, 1); os.eventfd_read(told)`, 20000*n))
	}, is(cause.SmallCalls), false},
	{"buffered asynchronous reads", "each read takes 6 ms; libaio without O_DIRECT, 16", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Read: 6 * time.Millisecond}, 64)
		run(t, "fio", "--version") // its libraries are in memory
		return in(dir, fmt.Sprint("fio --name=x --filename=file --rw=randread --bs=4k --direct=0 --ioengine=libaio "+
			"--iodepth=16 --size=64m --invalidate=1 --number_ios=", 150*n))
	}, is(cause.BlockingSubmit), false},
	{"a log that grows", "each write takes 8 ms; append, then fdatasync", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Write: 8 * time.Millisecond}, 1)
		return in(dir, python(`f = os.open("log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
for i in range(%d): os.write(f, b"x" * 200); os.fdatasync(f)`, 60*n))
	}, is(cause.Sync), false},
	{"a busy database", "another holds its lock for a second or more", func(t testing.TB, n int) []string {
		needPrograms(t, "sqlite3")
		dir := workDir(t)
		run(t, "sqlite3", dir+"/base", "create table t(x)")
		lockedBase(t, dir, "exclusive", n+4)
		return in(dir, begun+`sqlite3 -cmd '.timeout 60000' base 'insert into t values(1)'`)
	}, is(cause.ThinkTime, cause.BlockedInCall), false},
	{"a person who does not type", "reading a terminal", func(t testing.TB, n int) []string {
		needPrograms(t, "script")
		return in("/", fmt.Sprintf(`sleep %d | script -qc "cat > /dev/null" /dev/null > /dev/null`, 1+n))
	}, is(cause.OtherEnd, cause.ThinkTime), false},
	{"a move between two mounts of one file system", "40 MB/s; rename fails, and the data is copied", func(t testing.TB,
		n int) []string {
		dir := rated(t, 40_000_000, 48*n)
		run(t, "sh", "-c", fmt.Sprintf("cd %s && mkdir one two && mv file one/ && mount --bind two two", dir))
		t.Cleanup(func() { run(t, "umount", dir+"/two") })
		run(t, "sh", "-c", "sync; echo 1 > /proc/sys/vm/drop_caches")
		return in(dir, "mv one/file two/")
	}, is(cause.DeviceBandwidth, cause.DeviceLatency), false},
	{"a small share of unwritten data", "bdi with max_ratio 1 and strict_limit", func(t testing.TB, n int) []string {
		dir := mount(t, "ext4", 512<<20)
		of := source(t, dir)
		unwritten(t, of, 0, true)
		t.Cleanup(func() { unwritten(t, of, 100, false) }) // the next loop device of this number has the same
		return in(dir, fmt.Sprint("dd if=/dev/zero of=new bs=256k count=", 600*n))
	}, is(cause.DirtyLimit, cause.LimitAbove), false},
}

// overlay is a mounted overlay whose lower layer is a file on a device of so many bytes per second.
func overlay(t testing.TB, rate int64, mebibytes int) string {
	lower, top := rated(t, rate, mebibytes), workDir(t)
	run(t, "mkdir", top+"/upper", top+"/work", top+"/merged")
	run(t, "mount", "-t", "overlay", "overlay", "-o", fmt.Sprintf("lowerdir=%s,upperdir=%s/upper,workdir=%[2]s/work",
		lower, top), top+"/merged")
	t.Cleanup(func() { run(t, "umount", top+"/merged") })
	return top + "/merged"
}
