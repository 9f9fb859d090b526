//go:build linux

package corpus

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/internal/testenv"
)

// What a program does, what it waits for, and the machine it runs on.
var ofPrograms = []situation{
	{"4 KiB, O_DIRECT and O_SYNC", "each request takes 10 ms", func(t testing.TB, n int) []string {
		return in(slowDir(t), fmt.Sprint("dd if=/dev/zero of=new bs=4k oflag=direct,sync count=", 50*n))
	}, is(cause.Sync), true},
	{"4 KiB, O_SYNC", "each request takes 10 ms", func(t testing.TB, n int) []string {
		return in(slowDir(t), fmt.Sprint("dd if=/dev/zero of=new bs=4k oflag=sync count=", 50*n))
	}, is(cause.Sync), false},
	{"an fsync after each write", "each request takes 10 ms", func(t testing.TB, n int) []string {
		return in(slowDir(t), python(`f = os.open("new", os.O_WRONLY | os.O_CREAT)
for i in range(%d): os.write(f, b"x" * 4096); os.fsync(f)`, 50*n))
	}, is(cause.Sync), false},
	{"a sync after every few megabytes", "each write takes 40 ms; fdatasync after 5 MB", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Write: 40 * time.Millisecond}, 1)
		return in(dir, python(`for i in range(%d):
    f = os.open("segment%%d" %% i, os.O_WRONLY | os.O_CREAT); os.write(f, bytes(5000000))
    os.fdatasync(f); os.close(f)`,
			8*n))
	}, is(cause.Sync), false},
	{"transactions of a database", "each write takes 5 ms", func(t testing.TB, n int) []string {
		needPrograms(t, "sqlite3")
		dir := device(t, &testenv.Model{Write: 5 * time.Millisecond}, 1)
		return in(dir,
			fmt.Sprintf(
				`(echo 'create table t(x);'; for i in $(seq %d); do echo 'insert into t values(1);'; done) | sqlite3 base`, 40*n))
	}, is(cause.Sync), false},
	{"fsyncs beside another's", "40 MB/s; another process writes and syncs", func(t testing.TB, n int) []string {
		dir := rated(t, 40_000_000, 1)
		background(t, dir, "while :; do dd if=/dev/zero of=theirs bs=1M count=24 conv=fsync; done")
		return in(dir, python(`f = os.open("new", os.O_WRONLY | os.O_CREAT)
for i in range(%d): os.write(f, b"x" * 4096); os.fsync(f)`, 12*n))
	}, is(cause.OtherUsers), true},
	{"too much unwritten data", "40 MB/s; vm.dirty_bytes of 8 MiB", func(t testing.TB, n int) []string {
		dir := rated(t, 40_000_000, 1)
		dirtyBytes(t, 8<<20)
		return in(dir, fmt.Sprint("dd if=/dev/zero of=new bs=256k count=", 320*n))
	}, is(cause.DirtyLimit), false},
	{"a file system mounted sync", "each write takes 10 ms; mount -o sync", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Write: 10 * time.Millisecond}, 1)
		run(t, "mount", "-o", "remount,sync", dir)
		return in(dir, fmt.Sprint("dd if=/dev/zero of=new bs=4k count=", 40*n))
	}, is(cause.Sync), true},
	{"a file with attribute S", "each write takes 10 ms; chattr +S", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Write: 10 * time.Millisecond}, 1)
		run(t, "sh", "-c", "touch "+dir+"/new; chattr +S "+dir+"/new")
		return in(dir, fmt.Sprint("dd if=/dev/zero of=new bs=4k conv=notrunc count=", 40*n))
	}, is(cause.Sync), false},
	{"read three times", "60 MB/s; a control group with 48 MiB of memory", func(t testing.TB, n int) []string {
		dir := rated(t, 60_000_000, 64)
		group := control(t, "memory", "memory.limit_in_bytes", 48<<20)
		return in(dir,
			fmt.Sprintf("echo $$ > %s/cgroup.procs && for i in $(seq %d); do dd if=file of=/dev/null bs=256k; done",
				group, 1+2*n))
	}, is(cause.MemoryPressure), true},
	{"many files read three times", "each read takes 1 ms; a control group with 24 MiB of memory",
		func(t testing.TB, n int) []string {
			dir := device(t, &testenv.Model{Read: time.Millisecond, Link: 90_000_000}, 1)
			for i := range 480 {
				fill(t, filepath.Join(dir, fmt.Sprint("page", i)), 90000)
			}
			remount(t, dir)
			group := control(t, "memory", "memory.limit_in_bytes", 24<<20)
			return in(dir, fmt.Sprintf("echo $$ > %s/cgroup.procs && for i in $(seq %d); do cat page* > /dev/null; done",
				group, 2+2*n))
		}, is(cause.MemoryPressure), false},
	{"a mapped file larger than its memory", "60 MB/s; a control group with 32 MiB of memory",
		func(t testing.TB, n int) []string {
			dir := rated(t, 60_000_000, 64)
			group := control(t, "memory", "memory.limit_in_bytes", 32<<20)
			return in(dir, "echo $$ > "+group+"/cgroup.procs && "+python(`f = open("file", "rb")
m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)
for k in range(%d): sum(m[i] for i in range(0, len(m), 4096))`, 2+2*n))
		}, is(cause.MemoryPressure), false},
	{"swap", "each request takes 2 ms; a control group with 32 MiB", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 2 * time.Millisecond, Write: 2 * time.Millisecond}, 1)
		run(t, "sh", "-c", "cd "+dir+"; fallocate -l 300M swap && chmod 600 swap && mkswap swap && swapon swap")
		t.Cleanup(func() { run(t, "swapoff", dir+"/swap") })
		group := control(t, "memory", "memory.limit_in_bytes", 32<<20)
		return in("/", "echo $$ > "+group+"/cgroup.procs && "+python(`b = bytearray(64 << 20)
for k in range(%d):
    for i in range(0, len(b), 4096): b[i] = 1`, n))
	}, is(cause.MemoryPressure), true},
	{"a mapped file at random", "each request takes 10 ms", func(t testing.TB, n int) []string {
		return in(slowDir(t), python(`f = open("file", "rb")
m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)
m.madvise(mmap.MADV_RANDOM)
print(sum(m[random.randrange(len(m))] for _ in range(%d)))`, 100*n))
	}, is(cause.MappedReads), true},
	{"a mapped file in order", "40 MB/s", func(t testing.TB, n int) []string {
		return in(rated(t, 40_000_000, 32*n), python(`f = open("file", "rb")
m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)
print(sum(m[i] for i in range(0, len(m), %d)))`, 4096))
	}, is(cause.MappedReads), false},
	{"a cold program", "each read takes 20 ms", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 20 * time.Millisecond}, 1)
		run(t, "cp", "/usr/bin/clang-19", dir+"/program")
		run(t, "sh", "-c", "cp $(ldd /usr/bin/clang-19 | grep -o '/[^ ]*') "+dir)
		remount(t, dir)
		return in(dir, "LD_LIBRARY_PATH=. ./program --version")
	}, is(cause.ProgramStart), false},
	{"a quota of processor time", "cpu control group, 10 %", func(t testing.TB, n int) []string {
		group := quota(t, 10)
		return []string{"sh", "-c", "echo $$ > " + group + "/cgroup.procs && sha256sum " + warmFile(t, 48*n<<20)}
	}, is(cause.CPUQuota), true},
	{"a quota, and a program that only copies", "cpu control group, 5 %", func(t testing.TB, n int) []string {
		group := quota(t, 5)
		return []string{"sh", "-c", fmt.Sprint("echo $$ > ", group,
			"/cgroup.procs && dd if=/dev/zero of=/dev/null bs=64k count=", 12000*n)}
	}, is(cause.CPUQuota), false},
	{"computing beside others", "eight other programs compute", func(t testing.TB, n int) []string {
		for range 8 {
			background(t, "/", "while :; do :; done")
		}
		return []string{"sha256sum", warmFile(t, 96*n<<20)}
	}, is(cause.CPUContention), true},
	{"a pipeline beside others", "eight other programs compute", func(t testing.TB, n int) []string {
		for range 8 {
			background(t, "/", "while :; do :; done")
		}
		return []string{"sh", "-c", "cat " + warmFile(t, 12*n<<20) + " | gzip -1 | sha256sum"}
	}, is(cause.CPUContention), false},
	// A real-time policy, as a nice value counts only within a session's group of processes.
	{"a program that computes", "", func(t testing.TB, n int) []string {
		return []string{"chrt", "-f", "1", "sh", "-c", "xz -1 -T1 -c " + warmFile(t, 8*n<<20) + " > /dev/null"}
	}, is(cause.OwnCPU), true},
	{"forks of a large program", "1 GiB in small pages, a child for each command", func(t testing.TB, n int) []string {
		return in("/", "chrt -f 1 "+startedBy("if os.fork() == 0: os.execv(path, [path])", 150*n))
	}, is(cause.Fork), true},
	{"byte by byte", "dd bs=1", func(t testing.TB, n int) []string {
		dir := workDir(t)
		fill(t, filepath.Join(dir, "file"), n<<18)
		return in(dir, "chrt -f 1 dd if=file of=/dev/null bs=1")
	}, is(cause.SmallCalls), true},
	{"a copy in memory", "", func(t testing.TB, n int) []string {
		return []string{"chrt", "-f", "1", "dd", "if=" + warmFile(t, 256*n<<20), "of=/dev/null", "bs=1M"}
	}, is(cause.PageCache), true},
	{"pauses of one length", "10 ms after each write", func(t testing.TB, n int) []string {
		return in(workDir(t), python(`f = os.open("new", os.O_WRONLY | os.O_CREAT)
for i in range(%d): os.write(f, b"x" * 65536); time.sleep(0.01)`, 80*n))
	}, is(cause.ThinkTime), true},
	{"pauses of two lengths", "none or 20 ms after each read", func(t testing.TB, n int) []string {
		return []string{"sh", "-c", "python3 -c 'import os,time,random\nf = os.open(\"" + warmFile(t, 16*n<<20) +
			"\", os.O_RDONLY)\nwhile os.read(f, 131072): time.sleep(random.choice((0, 0.02)))'"}
	}, is(cause.ThinkTime), false},
	{"a timer read", "timerfd", func(t testing.TB, n int) []string {
		return in("/", python(`import ctypes,struct
c = ctypes.CDLL(None); t = c.timerfd_create(1, 0)
c.timerfd_settime(t, 0, struct.pack("qqqq", 0, 20000000, 0, 20000000), None)
for i in range(%d): os.read(t, 8)`, 50*n))
	}, is(cause.ThinkTime), false},
	{"timers of an event loop", "50 ms each", func(t testing.TB, n int) []string {
		return in("/", python(`import asyncio
async def tick():
    for i in range(%d): await asyncio.sleep(0.05)
asyncio.run(tick())`, 20*n))
	}, is(cause.ThinkTime), false},
	{"timers of node", "50 ms each", func(t testing.TB, n int) []string {
		needPrograms(t, "node")
		return []string{"node", "-e", fmt.Sprintf("let n = 0; (function f() { if (n++ < %d) setTimeout(f, 50) })()", 20*n)}
	}, is(cause.ThinkTime), false},
	{"a child that sleeps", "", func(t testing.TB, n int) []string {
		return []string{"sh", "-c", fmt.Sprint("sleep ", n, "; :")}
	}, is(cause.ThinkTime), false},
	{"a slow producer", "64 KiB each 0.1 s", func(t testing.TB, n int) []string {
		return in(workDir(t), fmt.Sprintf("(for i in $(seq %d); do sleep .1; head -c 65536 /dev/zero; done) | dd of=new "+
			"bs=64k iflag=fullblock", 10*n))
	}, is(cause.OtherEnd, cause.ThinkTime), false},
	{"a slow consumer", "64 KiB each 0.1 s", func(t testing.TB, n int) []string {
		return in(workDir(t),
			fmt.Sprintf("dd if=/dev/zero bs=64k count=%d | while head -c 65536 > new && [ -s new ]; do sleep .1; done", 10*n))
	}, is(cause.OtherEnd, cause.ThinkTime), false},
	{"a slow peer", "a socket; each answer takes 50 ms", func(t testing.TB, n int) []string {
		dir := workDir(t)
		background(t, dir, `python3 -c 'import os, socket, time
s = socket.socket(socket.AF_UNIX); s.bind("new"); s.listen(1); os.rename("new", "peer")
c = s.accept()[0]
while c.recv(10): time.sleep(0.05); c.sendall(b"x" * 1000)'`)
		return in(dir, python(`s = socket.socket(socket.AF_UNIX)
while not os.path.exists("peer"): time.sleep(0.01)
s.connect("peer")
for i in range(%d): s.sendall(b"y"); s.recv(1000)`, 30*n))
	}, is(cause.OtherEnd), true},
	{"two sends for a message", "the second waits for an acknowledgement (TCP)", func(t testing.TB, n int) []string {
		return in("/", python(`import socket
s = socket.create_server(("127.0.0.1", 0))
if os.fork() == 0:
	c = s.accept()[0].makefile("rwb")
	while c.readline(): c.readline(); c.write(b"ok\n"); c.flush()
	os._exit(0)
c = socket.create_connection(s.getsockname()); s.close(); f = c.makefile("rb")
for i in range(%d): c.sendall(b"get\n"); c.sendall(b"end\n"); f.readline()`, 60+30*n))
	}, is(cause.UnderWay), false},
	{"changes of files, waited for", "inotify; one each 0.1 s", func(t testing.TB, n int) []string {
		dir := workDir(t)
		background(t, dir, "while :; do sleep .1; touch x; done")
		return in(dir, python(`import ctypes
c = ctypes.CDLL(None); f = c.inotify_init1(0); c.inotify_add_watch(f, b".", 4 | 256)
for i in range(%d): os.read(f, 4096)`, 10*n))
	}, is(cause.OtherEnd), false},
	{"eventfd between threads", "one tells the other each 50 ms", func(t testing.TB, n int) []string {
		return in("/", python(`import ctypes, threading
e = ctypes.CDLL(None).eventfd(0, 0); told = 0
def tell():
    for i in range(%[1]d): time.sleep(0.05); os.write(e, (1).to_bytes(8, "little"))
threading.Thread(target=tell).start()
while told < %[1]d: told += int.from_bytes(os.read(e, 8), "little")`, 20*n))
	}, is(cause.OtherEnd, cause.ThinkTime), false},
	{"flock", "another process holds it", func(t testing.TB, n int) []string {
		dir := workDir(t)
		holder := exec.Command("flock", dir+"/lock", "sh", "-c",
			fmt.Sprintf("while ! [ -e %s/started ]; do sleep .02; done; sleep %d", dir, n))
		if err := holder.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = holder.Wait() })
		return in(dir, "touch started; flock lock true")
	}, is(cause.BlockedInCall), true},
	{"a lock on a range", "another process holds it (fcntl)", func(t testing.TB, n int) []string {
		dir := workDir(t)
		background(t, dir, python(`f = open("lock", "w"); fcntl.lockf(f, fcntl.LOCK_EX)
while not os.path.exists("started"): time.sleep(0.01)
time.sleep(%d)`, n))
		return in(dir, python(`time.sleep(0.2); open("started", "w"); f = open("lock", "r+"); fcntl.lockf(f, %s)`,
			"fcntl.LOCK_EX"))
	}, is(cause.BlockedInCall), false},
	{"reads of a file system that is a process", "10 ms for each", func(t testing.TB, n int) []string {
		image := filepath.Join(filepath.Dir(slowDir(t)), "slow.img")
		return []string{"dd", "if=" + image, "of=/dev/null", "bs=128k", "iflag=direct", fmt.Sprint("count=", 80*n)}
	}, is(cause.UserSpaceFS), true},
	{"writes to a file system that is a process", "10 ms for each", func(t testing.TB, n int) []string {
		image := filepath.Join(filepath.Dir(slowDir(t)), "slow.img")
		return []string{"dd", "of=" + image, "if=/dev/zero", "bs=64k", "oflag=direct", "seek=6000", "conv=notrunc",
			fmt.Sprint("count=", 80*n)}
	}, is(cause.UserSpaceFS), false},
	{"a mapped file of a file system that is a process", "10 ms for each", func(t testing.TB, n int) []string {
		image := filepath.Join(filepath.Dir(slowDir(t)), "slow.img")
		return in("/", python(`f = open("`+image+`", "rb")
m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)
print(sum(m[i << 20] for i in range(%d)))`, 100*n))
	}, is(cause.UserSpaceFS), false},
	{"strong compression", "btrfs, zstd:15", func(t testing.TB, n int) []string {
		dir := mount(t, "btrfs", 512<<20)
		run(t, "mount", "-o", "remount,compress-force=zstd:15", dir)
		text := filepath.Join("/dev/shm", filepath.Base(dir))
		run(t, "sh", "-c", fmt.Sprintf("seq %d > %s", 5_000_000*n, text))
		t.Cleanup(func() { run(t, "rm", text) })
		return in(dir, "dd bs=1M conv=fsync of=new if="+text)
	}, is(cause.Compression), false},
	{"a copy of the file before the first write", "overlay; 40 MB/s", func(t testing.TB, n int) []string {
		return in(overlay(t, 40_000_000, 48*n), "echo x >> file")
	}, is(cause.CopyUp), false},
}

// python is a command of a shell that runs a program.
func python(program string, args ...any) string {
	return "python3 -c '" + "import fcntl,mmap,os,random,socket,time\n" + fmt.Sprintf(program, args...) + "'"
}
