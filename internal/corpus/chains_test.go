//go:build linux

package corpus

import (
	"fmt"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/testenv"
)

// The device takes so long for each read.
const slowReads, slowRead = 5, 20 * time.Millisecond

// readsSlowly is a part of a Python program: reads past the page cache, once the program's first thread has gone to
// sleep. Before that, what it does itself is on the path beside the reads.
const readsSlowly = `
first = os.getpid()
def sleeps():
    with open(f"/proc/{first}/task/{first}/stat") as f: return f.read().rsplit(")", 1)[1].split()[0] == "S"
def slow():
    seen = 0
    while seen < 3: time.sleep(0.01); seen = seen + 1 if sleeps() else 0
    f = os.open("file", os.O_RDONLY | os.O_DIRECT); b = mmap.mmap(-1, 4096)
    for i in range(5): os.preadv(f, [b], i << 20)
    os.close(f)
`

// chains are programs of which one thread waits for another one, and that for a device.
var chains = []struct{ name, program string }{
	{"pipe", `r, w = os.pipe()
if os.fork() == 0: slow(); os.write(w, b"x"); time.sleep(0.3); os._exit(0)
os.read(r, 1)`},
	{"two pipes", `r, w = os.pipe(); r2, w2 = os.pipe()
if os.fork() == 0:
    if os.fork() == 0: slow(); os.write(w, b"x"); time.sleep(0.3); os._exit(0)
    os.read(r, 1); os.write(w2, b"x"); time.sleep(0.3); os._exit(0)
os.read(r2, 1)`},
	{"a child's end", `if os.fork() == 0: slow(); os._exit(0)
os.wait()`},
	{"a grandchild's end", `if os.fork() == 0:
    if os.fork() == 0: slow(); os._exit(0)
    os.wait(); os._exit(0)
os.wait()`},
	{"a thread's end", `t = threading.Thread(target=slow); t.start(); t.join()`},
	{"a mutex", `l = threading.Lock(); l.acquire()
def hold(): slow(); l.release()
threading.Thread(target=hold).start(); l.acquire()`},
	{"a condition", `c = threading.Condition(); done = []
def tell():
    slow()
    with c: done.append(1); c.notify()
threading.Thread(target=tell).start()
with c:
    while not done: c.wait()`},
	{"a barrier", `b = threading.Barrier(2)
def arrive(): slow(); b.wait()
threading.Thread(target=arrive).start(); b.wait()`},
	{"a socket", `a, b = socket.socketpair()
if os.fork() == 0: slow(); b.send(b"x"); time.sleep(0.3); os._exit(0)
a.recv(1)`},
	{"poll", `a, b = socket.socketpair()
if os.fork() == 0: slow(); b.send(b"x"); time.sleep(0.3); os._exit(0)
p = select.poll(); p.register(a, select.POLLIN); p.poll()`},
	{"epoll", `r, w = os.pipe()
if os.fork() == 0: slow(); os.write(w, b"x"); time.sleep(0.3); os._exit(0)
p = select.epoll(); p.register(r, select.EPOLLIN); p.poll()`},
	{"select", `r, w = os.pipe()
if os.fork() == 0: slow(); os.write(w, b"x"); time.sleep(0.3); os._exit(0)
select.select([r], [], [])`},
	{"eventfd", `e = ctypes.CDLL(None).eventfd(0, 0)
if os.fork() == 0: slow(); os.write(e, (1).to_bytes(8, "little")); time.sleep(0.3); os._exit(0)
os.read(e, 8)`},
	{"a signal", `signal.signal(signal.SIGUSR1, lambda *a: None); p = os.getpid()
if os.fork() == 0: slow(); os.kill(p, signal.SIGUSR1); time.sleep(0.3); os._exit(0)
signal.pause()`},
	{"flock", `r, w = os.pipe()
if os.fork() == 0:
    f = open("lock", "w"); fcntl.flock(f, fcntl.LOCK_EX); os.write(w, b"x"); slow(); fcntl.flock(f, fcntl.LOCK_UN)
    time.sleep(0.3); os._exit(0)
os.read(r, 1); f = open("lock", "w"); fcntl.flock(f, fcntl.LOCK_EX)`},
	{"a lock on a range", `r, w = os.pipe()
if os.fork() == 0:
    f = open("lock", "w"); fcntl.lockf(f, fcntl.LOCK_EX); os.write(w, b"x"); slow(); fcntl.lockf(f, fcntl.LOCK_UN)
    time.sleep(0.3); os._exit(0)
os.read(r, 1); f = open("lock", "w"); fcntl.lockf(f, fcntl.LOCK_EX)`},
	{"a fifo", `os.path.exists("fifo") or os.mkfifo("fifo")
if os.fork() == 0: slow(); f = open("fifo", "w"); f.write("x"); f.close(); os._exit(0)
open("fifo").read()`},
	{"a full pipe", `r, w = os.pipe()
if os.fork() == 0: slow(); os.read(r, 1 << 20); time.sleep(0.3); os._exit(0)
os.write(w, b"x" * 65536); os.write(w, b"x")`},
	{"a semaphore", `s = threading.Semaphore(0)
def tell(): slow(); s.release()
threading.Thread(target=tell).start(); s.acquire()`},
	{"a queue between threads", `q = queue.Queue()
threading.Thread(target=lambda: (slow(), q.put(1))).start(); q.get()`},
}

// Where one thread waits for another one that waits for a device, the path leads through it: all of the time that the
// device was given is found there, and as often as it was asked.
func TestChains(t *testing.T) {
	needPrivilege(t)
	needPrograms(t, "python3")
	dir := device(t, &testenv.Model{Read: slowRead}, 16)
	for _, c := range chains {
		t.Run(c.name, func(t *testing.T) {
			// A wait that ends while process 1 has the processor is not seen on hardened kernels. Its time is taken for
			// that of a thread that runs, and is more than all had of the processors: only then it is tried again.
			for try := 1; ; try++ {
				p := attempt(t, in(dir, "/usr/bin/python3 -c '"+
					"import ctypes,fcntl,mmap,os,queue,select,signal,socket,threading,time\n"+readsSlowly+c.program+"'")...)
				if p.Path == nil { // of more than a little it is not known what was waited for
					if try == 3 {
						t.Fatal("there is no critical path")
					}
					continue
				}
				why := missed(p.Path)
				if why == "" {
					return
				}
				if try == 3 || !sleptUnseen(p) {
					t.Fatalf("%s\n%s", why, parts(p.Path))
				}
				t.Logf("try %d: %s\n%s", try, why, parts(p.Path))
			}
		})
	}
}

// sleptUnseen reports whether threads seem to have run for longer than the kernel says that they did.
func sleptUnseen(p *profile.Profile) bool {
	var ran, had int64
	for _, x := range p.Path.Parts {
		if x.Place.What == "runs" && !x.Place.Helper {
			ran += x.NS
		}
	}
	for i := range p.Processes {
		had += max(p.Processes[i].CPUNS, 0)
	}
	return ran > had+int64(slowRead)/2
}

// missed says what the path lacks of the reads.
func missed(p *profile.Path) string {
	var ns, count int64
	for _, x := range p.Parts {
		if x.Place.What == "service" && x.Place.Request == "read" && 10*x.LongestNS >= 9*int64(slowRead) {
			ns, count = ns+x.NS, count+x.Count
		}
	}
	// A thread may be interrupted between asking and waiting; that part of the read is no wait.
	if count < slowReads || 10*ns < 9*slowReads*int64(slowRead) {
		return fmt.Sprintf("%d reads of %v are on the path, want %d of %v each", count, time.Duration(ns), slowReads,
			slowRead)
	}
	return ""
}

func parts(p *profile.Path) (text string) {
	for _, x := range p.Parts {
		text += fmt.Sprintf("%v %d %+v\n", time.Duration(x.NS), x.Count, x.Place)
	}
	return text
}
