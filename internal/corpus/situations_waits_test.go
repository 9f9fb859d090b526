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

// Situations in which one waits for another, or for a processor, for which no rule was made or changed.
var ofWaits = []situation{
	{"semaphore of System V", "another process holds it for a second", func(t testing.TB, n int) []string {
		return in("/", python(`import ctypes
c = ctypes.CDLL(None); s = c.semget(0, 1, 0o1600); c.semctl(s, 0, 16, 1)
class B(ctypes.Structure): _fields_ = [("n", ctypes.c_ushort), ("op", ctypes.c_short), ("f", ctypes.c_short)]
if os.fork():
    time.sleep(0.1); b = B(0, -1, 0); c.semop(s, ctypes.byref(b), 1); os.wait()
else:
    b = B(0, -1, 0); c.semop(s, ctypes.byref(b), 1); time.sleep(%d)
    b = B(0, 1, 0); c.semop(s, ctypes.byref(b), 1)`, 2*n))
	}, is(cause.ThinkTime, cause.BlockedInCall, cause.OtherEnd, cause.ThreadLock), false},
	{"nice 19 beside others", "two others compute", func(t testing.TB, n int) []string {
		for range 2 {
			background(t, "/", "while :; do :; done")
		}
		return []string{"nice", "-n", "19", "sha256sum", warmFile(t, 16*n<<20)}
	}, is(cause.CPUContention), false},
	{"threads of python that compute", "four, one at a time", func(t testing.TB, n int) []string {
		return in("/", "chrt -f 1 "+python(`import threading
def work(): sum(i * i for i in range(%d))
ts = [threading.Thread(target=work) for i in range(4)]
[x.start() for x in ts]; [x.join() for x in ts]`, 3_000_000*n))
	}, is(cause.OwnCPU, cause.ThreadLock), false},
	{"a thread that reads for another", "each read takes 6 ms; threading.Event", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 6 * time.Millisecond}, 64)
		return in(dir, python(`import threading, queue
q, a = queue.Queue(), queue.Queue()
def reader():
    f = os.open("file", os.O_RDONLY); os.posix_fadvise(f, 0, 0, os.POSIX_FADV_RANDOM)
    while True: a.put(os.pread(f, 4096, q.get()))
threading.Thread(target=reader, daemon=True).start()
for i in range(%d): q.put(random.randrange(16000) * 4096); a.get()`, 120*n))
	}, is(cause.DeviceLatency), false},
	{"a connection that is not answered", "TCP; the queue of the listener is full", func(t testing.TB,
		n int) []string {
		return in("/", python(`s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(0)
c = []
for i in range(3):
    x = socket.socket(); x.settimeout(%d); c.append(x)
    try: x.connect(s.getsockname())
    except TimeoutError: pass`, n))
	}, is(cause.OtherEnd), false},
	{"a lease of another", "open waits until it is given back", func(t testing.TB, n int) []string {
		dir := workDir(t)
		background(t, dir, python(`import signal
f = os.open("file", os.O_RDWR | os.O_CREAT); fcntl.fcntl(f, 1024, 1)
def give(*a): time.sleep(%d); fcntl.fcntl(f, 1024, 2)
signal.signal(signal.SIGIO, give); open("ready", "w")
while True: time.sleep(10)`, n))
		exists(t, dir+"/ready")
		return in(dir, "cat file")
	}, is(cause.OtherEnd, cause.BlockedInCall), false},
	{"two threads with a lock around their reads", "each read takes 5 ms", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 5 * time.Millisecond}, 64)
		return in(dir, python(`import threading
f = os.open("file", os.O_RDONLY); os.posix_fadvise(f, 0, 0, os.POSIX_FADV_RANDOM); l = threading.Lock()
def work(k):
    r = random.Random(k)
    for i in range(%d):
        with l: os.pread(f, 4096, r.randrange(16000) * 4096)
ts = [threading.Thread(target=work, args=(k,)) for k in range(4)]
[x.start() for x in ts]; [x.join() for x in ts]`, 40*n))
	}, is(cause.DeviceLatency, cause.ThreadLock), false},
	{"sendfile to one who reads slowly", "a socket; 64 KiB each 50 ms", func(t testing.TB, n int) []string {
		dir := workDir(t)
		fill(t, filepath.Join(dir, "file"), 4*n<<20)
		background(t, dir, python(`s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536); s.bind(("127.0.0.1", 18766)); s.listen(1); open("ready", "w")
c = s.accept()[0]
while c.recv(65536): time.sleep(.05)`))
		exists(t, dir+"/ready")
		return in(dir, python(`s = socket.create_connection(("127.0.0.1", 18766))
s.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)
f = os.open("file", os.O_RDONLY)
while os.sendfile(s.fileno(), f, None, 1 << 20): pass`))
	}, is(cause.OtherEnd), false},
	{"a daemon that reads for it", "each read takes 8 ms; a socket; the daemon is not recorded", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Read: 8 * time.Millisecond}, 64)
		background(t, dir, python(`s = socket.socket(socket.AF_UNIX); s.bind("/tmp/iotrace-more.sock"); s.listen(1)
f = os.open("file", os.O_RDONLY); os.posix_fadvise(f, 0, 0, os.POSIX_FADV_RANDOM)
c = s.accept()[0]
while c.recv(10): c.sendall(os.pread(f, 4096, random.randrange(16000) * 4096))`))
		exists(t, "/tmp/iotrace-more.sock")
		t.Cleanup(func() { run(t, "rm", "-f", "/tmp/iotrace-more.sock") })
		return in("/", python(`s = socket.socket(socket.AF_UNIX); s.connect("/tmp/iotrace-more.sock")
for i in range(%d): s.sendall(b"y"); s.recv(4096)`, 60*n))
	}, is(cause.OtherEnd, cause.DeviceLatency), false},
	{"pauses of perl", "select; 40 ms after each block of a warm file", func(t testing.TB, n int) []string {
		return in("/", fmt.Sprintf("perl -e 'open F, \"<%s\"; while (sysread F, $b, 65536) "+
			"{ select undef, undef, undef, .04 }'", warmFile(t, 2*n<<20)))
	}, is(cause.ThinkTime), false},
	{"a child that sleeps", "python, subprocess", func(t testing.TB, n int) []string {
		return in("/", python(`import subprocess
for i in range(%d): subprocess.run(["sleep", "0.3"])`, 4*n))
	}, is(cause.ThinkTime), false},
	{"a server of its own that reads", "each read takes 6 ms; a socket pair", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 6 * time.Millisecond}, 64)
		return in(dir, python(`a, b = socket.socketpair()
if os.fork():
    b.close()
    for i in range(%d): a.sendall(b"y"); a.recv(4096)
    a.close()
else:
    a.close(); f = os.open("file", os.O_RDONLY); os.posix_fadvise(f, 0, 0, os.POSIX_FADV_RANDOM)
    while b.recv(1): b.sendall(os.pread(f, 4096, random.randrange(16000) * 4096))`, 120*n))
	}, is(cause.DeviceLatency), false},
	{"a pipeline whose middle sleeps", "0.05 s for each 64 KiB", func(t testing.TB, n int) []string {
		return in("/", "cat "+warmFile(t, 2*n<<20)+" | "+python(`
while True:
    b = os.read(0, 65536)
    if not b: break
    time.sleep(.05); os.write(1, b)`)+" | md5sum")
	}, is(cause.ThinkTime), false},
	{"a lock held while syncing", "each write takes 8 ms; threading.Lock", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Write: 8 * time.Millisecond}, 1)
		return in(dir, python(`import threading
l = threading.Lock()
def work(k):
    f = os.open("f%%d" %% k, os.O_WRONLY | os.O_CREAT)
    for i in range(%d):
        with l: os.write(f, b"x" * 4096); os.fdatasync(f)
ts = [threading.Thread(target=work, args=(k,)) for k in range(4)]
[x.start() for x in ts]; [x.join() for x in ts]`, 12*n))
	}, is(cause.Sync), false},
	{"flock of processes that sync", "each write takes 8 ms; flock, sync", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Write: 8 * time.Millisecond}, 1)
		return in(dir, fmt.Sprintf("for k in 1 2 3; do (for i in $(seq %d); do "+
			"flock lock sh -c \"echo x >> f$k; sync f$k\"; done) & done; wait", 12*n))
	}, is(cause.Sync, cause.BlockedInCall), false},
	{"processes listed", "ps, from /proc", func(t testing.TB, n int) []string {
		return in("/", fmt.Sprintf("for i in $(seq %d); do chrt -f 1 ps aux > /dev/null; done", 20*n))
	}, is(cause.OwnCPU, cause.ProgramStart, cause.Names), false},
	{"a reader that is stopped", "a named pipe; SIGSTOP for a second", func(t testing.TB, n int) []string {
		dir := workDir(t)
		run(t, "mkfifo", dir+"/fifo")
		background(t, dir, fmt.Sprintf("cat fifo & p=$!; sleep .3; kill -STOP $p; sleep %d; "+
			"kill -CONT $p; wait", 2*n))
		return in(dir, "dd if=/dev/zero of=fifo bs=64k count=40000")
	}, is(cause.OtherEnd), false},
	{"others of a higher class", "SCHED_FIFO, on both processors", func(t testing.TB, n int) []string {
		for range 2 {
			background(t, "/", "chrt -f 40 sh -c 'while :; do i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; "+
				"sleep .002; done'")
		}
		return []string{"sha256sum", warmFile(t, 16*n<<20)}
	}, is(cause.CPUContention), false},
	{"eight threads on one processor", "taskset; they compute", func(t testing.TB, n int) []string {
		return in("/", fmt.Sprintf("taskset -c 1 xz -T8 -k -c -0 %s > /dev/null", warmFile(t, 24*n<<20)))
	}, is(cause.OwnCPU), false},
	{"a log through a pipe", "each write takes 8 ms; a logger that syncs each line", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Write: 8 * time.Millisecond}, 1)
		return in(dir, fmt.Sprintf("i=0; while [ $i -lt %d ]; do echo line $i; i=$((i+1)); done | ",
			40*n)+python(`import sys
f = os.open("log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
for line in sys.stdin: os.write(f, line.encode()); os.fsync(f)`))
	}, is(cause.Sync), false},
}
