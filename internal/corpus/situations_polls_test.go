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

// Programs that look again and again whether another thread or process is done, and work that is spread over very many
// short processes.
var ofPolls = []situation{
	{"a thread that looks whether another is done", "each write takes 10 ms; sleeps of 30 ms", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Write: 10 * time.Millisecond}, 1)
		return in(dir, python(`import threading
done, more = threading.Event(), threading.Event()
def work():
    f = open("log", "wb", 0)
    for i in range(%d): f.write(b"x" * 100); os.fsync(f.fileno())
    done.set(); more.wait()
threading.Thread(target=work, daemon=True).start()
while not done.is_set(): time.sleep(.03)
more.set()`, 60*n))
	}, is(cause.Sync), false},
	{"threads that wait with a timeout, beside a pool", "threading.Condition, 10 ms", func(t testing.TB, n int) []string {
		return in(workDir(t), python(`import threading, queue
q, c = queue.SimpleQueue(), threading.Condition()
for i in range(8): threading.Thread(target=q.get, daemon=True).start()
def work():
    for i in range(%d):
        with c: c.wait(.01)
t = threading.Thread(target=work); t.start(); t.join()`, 100*n))
	}, is(cause.ThinkTime), false},
	{"a pool that is asked for its result", "each read takes 8 ms; multiprocessing, sleeps of 50 ms", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Read: 8 * time.Millisecond}, 64)
		return in(dir, python(`import multiprocessing
def work(i):
    f = os.open("file", os.O_RDONLY | os.O_DIRECT); m = mmap.mmap(-1, 4096)
    for k in range(%d): os.preadv(f, [m], (k * 7919 %% 16000) << 12)
p = multiprocessing.Pool(1); r = p.map_async(work, [1])
while not r.ready(): time.sleep(.05)
p.terminate()`, 150*n))
	}, is(cause.DeviceLatency), false},
	{"a ring whose thread in the kernel submits", "each write takes 6 ms; io_uring with SQPOLL", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Write: 6 * time.Millisecond}, 64)
		run(t, "fio", "--version")
		return in(dir, fmt.Sprint("fio --name=x --filename=file --rw=randwrite --bs=4k --direct=1 --ioengine=io_uring "+
			"--sqthread_poll=1 --iodepth=1 --size=64m --number_ios=", 120*n))
	}, is(cause.DeviceLatency), false},
	{"operations that are asked for without waiting", "each read takes 6 ms; libaio, calls", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Read: 6 * time.Millisecond}, 64)
		return in(dir, collecting(`libc.syscall(208 if os.uname().machine == "x86_64" else 4,`, 120*n, 0))
	}, is(cause.DeviceLatency), false},
	{"operations that are looked for in memory", "each read takes 6 ms; libaio", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 6 * time.Millisecond}, 64)
		return in(dir, collecting("aio.io_getevents(", 120*n, 0))
	}, is(cause.DeviceLatency), false},
	{"a program that computes beside its reads", "libaio, asked for every few milliseconds", func(t testing.TB,
		n int) []string {
		dir := workDir(t)
		fill(t, filepath.Join(dir, "file"), 64<<20)
		return in(dir, "exec chrt -f 1 "+collecting("aio.io_getevents(", 250*n, 60000))
	}, is(cause.OwnCPU), false},
	{"several programs for each name", "basename, cat and wc in substitutions of a shell", func(t testing.TB,
		n int) []string {
		dir := workDir(t)
		run(t, "sh", "-c", fmt.Sprintf("cd %s; for i in $(seq 300); do echo $i > $i; done", dir))
		return in(dir, fmt.Sprintf("exec chrt -f 1 bash -c 'for k in $(seq %d); do for f in *; do n=$(basename $f); "+
			"s=$(cat $f | wc -c); done; done'", n))
	}, is(cause.OwnCPU), false},
	{"a program for each file", "find -exec md5sum {} ;", func(t testing.TB, n int) []string {
		dir := workDir(t)
		run(t, "sh", "-c", fmt.Sprintf("cd %s; for i in $(seq %d); do echo $i > $i; done", dir, 800*n))
		return in(dir, "exec chrt -f 1 find . -type f -exec md5sum {} ';' > /dev/null")
	}, is(cause.OwnCPU), false},
}

// collecting is a program that reads n blocks past the page cache, one after the other, with libaio. It asks again and
// again whether a block is there, and computes for so many steps before each time.
func collecting(ask string, n, steps int) string {
	return python(`import ctypes
aio, libc, long = ctypes.CDLL("libaio.so.1"), ctypes.CDLL(None), ctypes.c_long
class Block(ctypes.Structure):
    _fields_ = [(x, long) for x in ("data", "key", "how", "buffer", "bytes", "offset", "more", "flags")]
f, m, ring = os.open("file", os.O_RDONLY | os.O_DIRECT), mmap.mmap(-1, 4096), long(0)
aio.io_setup(8, ctypes.byref(ring))
b = Block(how=f << 32, buffer=ctypes.addressof(ctypes.c_char.from_buffer(m)), bytes=4096)
list, events, none = (ctypes.POINTER(Block) * 1)(ctypes.pointer(b)), (long * 4)(), (long * 2)(0, 0)
for i in range(%d):
    b.offset = (i * 7919 %% 16000) << 12
    assert aio.io_submit(ring, long(1), list) == 1
    while True:
        for k in range(%d): pass
        if %s ring, long(0), long(1), events, none) != 0: break`, n, steps, ask)
}
