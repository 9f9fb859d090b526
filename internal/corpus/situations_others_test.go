//go:build linux

package corpus

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/internal/testenv"
)

// Situations for which no rule was made or changed: how far the rules reach.
var unseen = slices.Concat(ofOthers, ofWaits, ofDrives)

var ofOthers = []situation{
	{"a consumer with a limit", "pv takes 1 MB/s", func(t testing.TB, n int) []string {
		needPrograms(t, "pv")
		return in("/", fmt.Sprintf("dd if=/dev/zero bs=64k count=%d | pv -q -L 1m > /dev/null", 24*n))
	}, is(cause.OtherEnd, cause.ThinkTime), false},
	{"sendfile", "40 MB/s", func(t testing.TB, n int) []string {
		return in(rated(t, 40_000_000, 48*n), python(`f = os.open("file", os.O_RDONLY); g = os.open("/dev/null", os.O_WRONLY)
while os.sendfile(g, f, None, %d): pass`, 1<<20))
	}, is(cause.DeviceBandwidth, cause.DeviceLatency), false},
	{"small reads in order, declared random", "each read takes 5 ms; posix_fadvise", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 5 * time.Millisecond}, 8)
		return in(dir, python(`f = os.open("file", os.O_RDONLY); os.posix_fadvise(f, 0, 0, os.POSIX_FADV_RANDOM)
for i in range(%d): os.read(f, 4096)`, 250*n))
	}, is(cause.Readahead, cause.DeviceLatency), false},
	{"asynchronous reads", "one request at a time, 4 ms; libaio, 16 in flight", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 4 * time.Millisecond, Alone: true}, 32)
		return in(dir, fmt.Sprint("fio --name=x --filename=file --rw=randread --bs=4k --direct=1 --ioengine=libaio "+
			"--iodepth=16 --size=32m --number_ios=", 300*n))
	}, is(cause.DeviceBandwidth), false},
	{"msync after each page", "each write takes 10 ms", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Write: 10 * time.Millisecond}, 4)
		return in(dir, python(`f = open("file", "r+b"); m = mmap.mmap(f.fileno(), 0); s = m[:]
for i in range(%d): m[i * 4096] = 1; m.flush(i * 4096, 4096)`, 40*n))
	}, is(cause.Sync), false},
	{"removing many files", "each read takes 2 ms", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 2 * time.Millisecond}, 1)
		run(t, "python3", "-c", fmt.Sprintf(`import os
for d in range(%d):
    os.mkdir("%s/d%%d" %% d)
    for i in range(20): open("%[2]s/d%%d/%%d" %% (d, i), "w").write("x")`, 100*n, dir))
		remount(t, dir)
		return in(dir, "rm -r d*")
	}, is(cause.Names, cause.DeviceLatency), false},
	{"a slow server", "HTTP on this machine; 0.1 s for each answer", func(t testing.TB, n int) []string {
		needPrograms(t, "curl")
		dir := workDir(t)
		background(t, dir, `python3 -c 'import http.server, time
class H(http.server.BaseHTTPRequestHandler):
    def do_GET(self): time.sleep(0.1); self.send_response(200); self.end_headers(); self.wfile.write(b"x" * 10000)
s = http.server.HTTPServer(("127.0.0.1", 18765), H); open("ready", "w"); s.serve_forever()'`)
		exists(t, dir+"/ready")
		return in(dir, fmt.Sprintf("for i in $(seq %d); do curl -s -o answer http://127.0.0.1:18765/; done", 10*n))
	}, is(cause.OtherEnd), false},
	{"stopped", "another process sends SIGSTOP, and SIGCONT later", func(t testing.TB, n int) []string {
		dir := workDir(t)
		background(t, dir, fmt.Sprintf("while ! [ -s pid ]; do sleep .02; done; kill -STOP $(cat pid); sleep %d; kill "+
			"-CONT $(cat pid)", 2*n))
		return in(dir, "echo $$ > pid; i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done")
	}, is(cause.Stopped), false},
	{"a directory shown in another place", "bindfs over a device that takes 10 ms", func(t testing.TB, n int) []string {
		needPrograms(t, "bindfs")
		dir := device(t, &testenv.Model{Read: 10 * time.Millisecond}, 16*n)
		at := workDir(t)
		run(t, "bindfs", dir, at)
		t.Cleanup(func() { run(t, "umount", at) })
		return in(at, "cat file > /dev/null")
	}, is(cause.UserSpaceFS), false},
	{"rsync with a limit", "--bwlimit=4m", func(t testing.TB, n int) []string {
		return []string{"rsync", "--bwlimit=4m", warmFile(t, 8*n<<20), workDir(t)}
	}, is(cause.ThinkTime, cause.OtherEnd), false},
	{"a scanner that is asked about each read", "fanotify; it takes 3 ms; tar", func(t testing.TB, n int) []string {
		dir, ready := mount(t, "xfs", 320<<20), filepath.Join(workDir(t), "ready")
		run(t, "sh", "-c", fmt.Sprintf("cd %s && seq -f f%%g %d | xargs touch", dir, 400*n))
		background(t, dir, python(`import ctypes, struct
c = ctypes.CDLL(None); f = c.fanotify_init(5, 0)
c.fanotify_mark(f, 17, ctypes.c_uint64(0x30000), -100, b".")
open("/proc/self/comm", "w").write("scanner"); open(%q, "w")
while True:
    b = os.read(f, 24); n = struct.unpack("IBBHQii", b)[5]; time.sleep(0.003)
    os.write(f, struct.pack("iI", n, 1)); os.close(n)`, ready))
		exists(t, ready)
		return in(dir, "tar cf /dev/null --totals f*; cat f* > /dev/null")
	}, is(cause.OtherEnd), false},
	{"random numbers", "/dev/urandom", func(t testing.TB, n int) []string {
		return []string{"chrt", "-f", "1", "dd", "if=/dev/urandom", "of=/dev/null", "bs=1M", fmt.Sprint("count=", 400*n)}
	}, is(cause.OwnCPU), false},
	{"a file of /proc", "a table that the kernel writes", func(t testing.TB, n int) []string {
		return []string{"chrt", "-f", "1", "sh", "-c",
			fmt.Sprintf("for i in $(seq %d); do cat /proc/kallsyms > /dev/null; done", 10*n)}
	}, is(cause.OwnCPU), false},
	{"holes", "a sparse file, read", func(t testing.TB, n int) []string {
		dir := workDir(t)
		run(t, "truncate", "-s", "4G", dir+"/holes")
		return in(dir, fmt.Sprint("chrt -f 1 dd if=holes of=/dev/null bs=1M count=", 1000*n))
	}, is(cause.PageCache), false},
	{"a fifo", "another process opens it later", func(t testing.TB, n int) []string {
		dir := workDir(t)
		run(t, "mkfifo", dir+"/fifo")
		background(t, dir, fmt.Sprintf("while ! [ -e started ]; do sleep .02; done; sleep %d; echo x > fifo", n))
		return in(dir, "touch started; cat fifo")
	}, is(cause.OtherEnd, cause.BlockedInCall), false},
	{"a lock between threads", "held while sleeping", func(t testing.TB, n int) []string {
		return in("/", python(`import threading
l = threading.Lock()
def hold():
    with l: time.sleep(%d)
h = threading.Thread(target=hold); h.start(); time.sleep(0.05)
with l: pass`, n))
	}, is(cause.ThinkTime, cause.BlockedInCall), false},
	{"asynchronous reads with a limit", "blkio, 200 a second; libaio, 16", func(t testing.TB, n int) []string {
		dir := limitedDevice(t, "read_iops_device", 200)
		fill(t, filepath.Join(dir, "file"), 32<<20)
		return in(dir, fmt.Sprint("fio --name=x --filename=file --rw=randread --bs=4k --direct=1 --ioengine=libaio "+
			"--iodepth=16 --size=32m --number_ios=", 300*n))
	}, is(cause.LimitAbove), false},
	{"a device on a file on a slow device", "loop; 40 MB/s", func(t testing.TB, n int) []string {
		dir := rated(t, 40_000_000, 1)
		run(t, "truncate", "-s", "256M", dir+"/image")
		format(t, "ext4", dir+"/image")
		at := workDir(t)
		run(t, "mount", "-o", "loop", dir+"/image", at)
		t.Cleanup(func() { run(t, "umount", at) })
		fill(t, filepath.Join(at, "file"), 48*n<<20)
		run(t, "umount", at)
		remount(t, dir)
		run(t, "mount", "-o", "loop", dir+"/image", at)
		return in(at, "cat file > /dev/null")
	}, is(cause.DeviceBandwidth), false},
	{"listing a cold directory", "each read takes 5 ms", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 5 * time.Millisecond}, 1)
		run(t, "python3", "-c", fmt.Sprintf(`import os
for d in range(%d):
    os.mkdir("%s/d%%d" %% d)
    for i in range(30): open("%[2]s/d%%d/%%d" %% (d, i), "w").write("x")`, 100*n, dir))
		remount(t, dir)
		return in(dir, "ls -lR > /dev/null")
	}, is(cause.Names, cause.DeviceLatency), false},
	{"sync_file_range", "each write takes 10 ms", func(t testing.TB, n int) []string {
		return in(slowDir(t), python(`import ctypes
f = os.open("new", os.O_WRONLY | os.O_CREAT); c = ctypes.CDLL(None); long = ctypes.c_long
for i in range(%d): os.write(f, b"x" * 4096); c.sync_file_range(f, long(i * 4096), long(4096), 7)`, 50*n))
	}, is(cause.Sync), false},
	{"frozen", "another process freezes the control group", func(t testing.TB, n int) []string {
		dir := workDir(t)
		group := groups(t, "freezer") + "/iotrace-corpus"
		run(t, "mkdir", "-p", group)
		t.Cleanup(func() { run(t, "rmdir", group) })
		background(t, dir, fmt.Sprintf("state=%s/freezer.state; while ! [ -s pid ]; do sleep .02; done; "+
			"echo FROZEN > $state; sleep %d; echo THAWED > $state", group, n))
		return in(dir, "echo $$ > "+group+"/cgroup.procs; echo $$ > pid; i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done")
	}, is(cause.Frozen), false},
	{"a message queue", "System V; a message each 50 ms", func(t testing.TB, n int) []string {
		return in("/", python(`import ctypes
c = ctypes.CDLL(None); q = c.msgget(0, 0o1600)
if os.fork():
    b = ctypes.create_string_buffer(16)
    for i in range(%[1]d): c.msgrcv(q, b, ctypes.c_long(8), ctypes.c_long(0), 0)
else:
    b = ctypes.create_string_buffer(b"\1" + bytes(15))
    for i in range(%[1]d): time.sleep(0.05); c.msgsnd(q, b, ctypes.c_long(8), 0)`, 20*n))
	}, is(cause.ThinkTime, cause.BlockedInCall, cause.OtherEnd), false},
	{"a disk without a file system", "each read takes 5 ms", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 5 * time.Millisecond}, 64)
		from := source(t, dir)
		return []string{"dd", "if=" + from, "of=/dev/null", "bs=4k", "iflag=direct", fmt.Sprint("count=", 150*n)}
	}, is(cause.DeviceLatency), false},
	{"io_uring, one at a time", "each read takes 5 ms", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 5 * time.Millisecond}, 32)
		return in(dir, fmt.Sprint("fio --name=x --filename=file --rw=randread --bs=4k --direct=1 --ioengine=io_uring "+
			"--iodepth=1 --size=32m --number_ios=", 200*n))
	}, is(cause.DeviceLatency), false},
	{"a copy in little memory", "40 MB/s; a control group with 32 MiB", func(t testing.TB, n int) []string {
		dir := rated(t, 40_000_000, 1)
		f := warmFile(t, 48*n<<20)
		group := control(t, "memory", "memory.limit_in_bytes", 32<<20)
		return in(dir, "echo $$ > "+group+"/cgroup.procs && dd if="+f+" of=new bs=1M conv=fsync")
	}, is(cause.DeviceBandwidth, cause.DirtyLimit), false},
	{"sync for others", "40 MB/s; another process has written", func(t testing.TB, n int) []string {
		dir := rated(t, 40_000_000, 1)
		run(t, "dd", "if=/dev/zero", "of="+dir+"/theirs", "bs=1M", fmt.Sprint("count=", 60*n))
		return in(dir, "sync")
	}, is(cause.OtherUsers, cause.Sync), false},
	{"one processor shared", "three programs compute, bound to the same", func(t testing.TB, n int) []string {
		for range 3 {
			background(t, "/", "taskset -c 1 sh -c 'while :; do :; done'")
		}
		return []string{"taskset", "-c", "1", "sha256sum", warmFile(t, 96*n<<20)}
	}, is(cause.CPUContention), false},
	{"a lock asked for again and again", "flock -n, sleep", func(t testing.TB, n int) []string {
		dir := workDir(t)
		background(t, dir, "flock lock sh -c 'touch held; "+afterBegun(n+2)+"'")
		exists(t, dir+"/held")
		return in(dir, begun+"while ! flock -n lock true; do sleep .2; done")
	}, is(cause.ThinkTime), false},
	{"bash waits for input", "read -t", func(t testing.TB, n int) []string {
		dir := workDir(t)
		run(t, "mkfifo", dir+"/fifo")
		return []string{"bash", "-c", fmt.Sprintf("exec 3<>%s/fifo; read -t %d -u 3; true", dir, n)}
	}, is(cause.OtherEnd, cause.ThinkTime), false},
	{"git in a cold repository", "each read takes 3 ms", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 3 * time.Millisecond}, 1)
		run(t, "sh", "-c", fmt.Sprintf("cd %s && git init -q r && cd r && for d in $(seq %d); do mkdir $d; "+
			"for i in $(seq 8); do echo $d$i > $d/$i; done; done; git add . && "+
			"git -c user.email=a -c user.name=b commit -qm x", dir, 15*n))
		remount(t, dir)
		return in(dir+"/r", "git status; git log -p > /dev/null")
	}, is(cause.Names, cause.DeviceLatency), false},
	{"a tree copied cold", "each read takes 4 ms", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 4 * time.Millisecond}, 1)
		run(t, "python3", "-c", fmt.Sprintf(`import os
for d in range(%d):
    os.mkdir("%s/d%%d" %% d)
    for i in range(20): open("%[2]s/d%%d/%%d" %% (d, i), "w").write("x" * 20000)`, 10*n, dir))
		remount(t, dir)
		return []string{"rsync", "-a", dir + "/", workDir(t)}
	}, is(cause.DeviceLatency, cause.Names), false},
	{"many programs", "", func(t testing.TB, n int) []string {
		return []string{"chrt", "-f", "1", "sh", "-c", fmt.Sprintf("for i in $(seq %d); do /bin/true; done", 300*n)}
	}, is(cause.OwnCPU, cause.ProgramStart), false},
	{"writes at random, synced at the end", "each write takes 5 ms, one at a time", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Write: 5 * time.Millisecond, Alone: true}, 32)
		return in(dir, python(`f = os.open("file", os.O_WRONLY)
for i in range(%d): os.pwrite(f, b"x" * 4096, random.randrange(8192) * 4096)
os.fsync(f)`, 300*n))
	}, is(cause.DeviceBandwidth, cause.Sync), false},
	{"encryption", "openssl", func(t testing.TB, n int) []string {
		return []string{"chrt", "-f", "1", "openssl", "enc", "-aes-256-ctr", "-pbkdf2", "-k", "x", "-in",
			warmFile(t, 200*n<<20), "-out", "/dev/null"}
	}, is(cause.OwnCPU, cause.PageCache), false},
	{"xfs: many files until safe", "each write takes 10 ms", func(t testing.TB, n int) []string {
		dir := slowDir(t)
		from := source(t, dir)
		run(t, "umount", dir)
		run(t, "mkfs.xfs", "-q", "-f", from)
		run(t, "mount", from, dir)
		return in(dir, fmt.Sprintf("for i in $(seq %d); do echo x > $i; sync $i; done", 30*n))
	}, is(cause.Sync), false},
	{"direct reads on a slow link", "20 MB/s, four in flight", func(t testing.TB, n int) []string {
		dir := rated(t, 20_000_000, 32)
		return in(dir, fmt.Sprint("fio --name=x --filename=file --rw=read --bs=128k --direct=1 --ioengine=libaio "+
			"--iodepth=4 --size=32m --number_ios=", 200*n))
	}, is(cause.DeviceBandwidth), false},
	{"a server under load", "another computes for each answer", func(t testing.TB, n int) []string {
		dir := workDir(t)
		background(t, dir, `python3 -c 'import socket
s = socket.socket(socket.AF_UNIX); s.bind("peer"); s.listen(1)
c = s.accept()[0]
while c.recv(10): sum(i for i in range(1000000)); c.sendall(b"x" * 1000)'`)
		return in(dir, python(`s = socket.socket(socket.AF_UNIX)
while not os.path.exists("peer"): time.sleep(0.01)
time.sleep(0.05)
s.connect("peer")
for i in range(%d): s.sendall(b"y"); s.recv(1000)`, 30*n))
	}, is(cause.OtherEnd), false},
	{"hard links", "each read takes 3 ms", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 3 * time.Millisecond}, 1)
		run(t, "python3", "-c", fmt.Sprintf(`import os
for d in range(%d):
    os.mkdir("%s/d%%d" %% d)
    for i in range(20): open("%[2]s/d%%d/%%d" %% (d, i), "w").write("x")`, 60*n, dir))
		remount(t, dir)
		return in(dir, "mkdir c; cp -al d* c/")
	}, is(cause.Names, cause.DeviceLatency), false},
	{"waiting for a file to appear", "polls with stat", func(t testing.TB, n int) []string {
		dir := workDir(t)
		background(t, dir, afterBegun(n+1)+"; touch there")
		return in(dir, begun+"while ! [ -e there ]; do sleep .05; done")
	}, is(cause.ThinkTime), false},
}
