//go:build linux

package corpus

import (
	"fmt"
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
