//go:build linux

package corpus

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/testenv"
)

// A server answers so many questions, each with a read that takes the device so long, and ends.
const answers = 20

// servers are Python programs that are given a listening socket l and answer each 8 bytes that they receive by 8 bytes.
var servers = []struct{ name, program string }{
	{"one connection after the other", `for i in range(20):
    c, _ = l.accept(); c.recv(8); slow(i); c.send(b"answered"); c.close()`},
	{"one connection", `c, _ = l.accept()
for i in range(20): c.recv(8); slow(i); c.send(b"answered")`},
	{"an event loop", `p = select.epoll(); l.setblocking(False); p.register(l, select.EPOLLIN); open = {}; n = 0
while n < 20:
    for fd, _ in p.poll():
        if fd == l.fileno():
            c, _ = l.accept(); open[c.fileno()] = c; p.register(c, select.EPOLLIN)
        elif open[fd].recv(8): slow(n); open[fd].send(b"answered"); n += 1
        else: p.unregister(fd); del open[fd]`},
	{"a process for each", `for i in range(20):
    c, _ = l.accept()
    if os.fork() == 0: c.recv(8); slow(i); c.send(b"answered"); os._exit(0)
    c.close(); os.wait()`},
	{"a pool of threads reads", `q, r, w = queue.Queue(), *os.pipe()
def work():
    while True: i = q.get(); slow(i); os.write(w, b"x")
threading.Thread(target=work, daemon=True).start()
for i in range(20):
    c, _ = l.accept(); c.recv(8); q.put(i); select.select([r], [], []); os.read(r, 1); c.send(b"answered"); c.close()`},
}

// TestServers records servers that are asked: each answer is found, with the time that the device took for it, and no
// time in which nothing was asked.
func TestServers(t *testing.T) {
	needPrivilege(t)
	needPrograms(t, "python3")
	dir := device(t, &testenv.Model{Read: slowRead}, answers)
	for _, s := range servers {
		t.Run(s.name, func(t *testing.T) {
			remount(t, dir)
			p := served(t, dir, s.program)
			if p.Operations == nil {
				t.Fatal("there are no operations")
			}
			var count, ns, in int64
			for _, k := range p.Operations.Kinds {
				if k.Kind.Answers {
					count, ns = count+k.Count, ns+k.NS
				}
			}
			for _, x := range p.Operations.Parts {
				if x.Place.What == "service" && x.Place.Request == "read" {
					in += x.NS
				}
			}
			imposed := answers * int64(slowRead)
			if count != answers {
				t.Errorf("%d answers, want %d", count, answers)
			}
			if took := busyReading(p); in < imposed*98/100 || in > took*102/100 || in > ns {
				t.Errorf("%v at the device in operations of %v, want the %v that it was busy, at least %v", time.Duration(in),
					time.Duration(ns), time.Duration(took), time.Duration(imposed))
			}
			if r := p.Verdict.Causes; len(r) == 0 || r[0].Code != "device_latency" {
				t.Errorf("%v\n%v", r, p.Verdict.Lines)
			}
		})
	}
}

// busyReading is for how long a device was busy with reads, the one that was most.
func busyReading(p *profile.Profile) (ns int64) {
	for _, d := range p.Devices {
		if d.Read != nil {
			ns = max(ns, d.Read.Depth.BusyNS)
		}
	}
	return ns
}

// served records a server from outside, asks it, and shows the recording.
func served(t *testing.T, dir, program string) *profile.Profile {
	t.Helper()
	server := exec.Command("python3", "-c", "import mmap,os,queue,select,socket,threading\n"+
		"b = mmap.mmap(-1, 4096); f = os.open(\"file\", os.O_RDONLY | os.O_DIRECT)\n"+
		"def slow(i): os.preadv(f, [b], i << 20)\n"+
		"l = socket.create_server((\"127.0.0.1\", 0)); print(l.getsockname()[1], flush=True)\n"+program)
	server.Dir = dir
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer server.Wait()
	defer server.Process.Kill()
	port, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	file, ready := filepath.Join(workDir(t), "trace"), filepath.Join(workDir(t), "ready")
	record := exec.Command(binary, "record", "-q", "-f", "-o", file, "--ready-file", ready, "-p",
		strconv.Itoa(server.Process.Pid))
	if err := record.Start(); err != nil {
		t.Fatal(err)
	}
	defer record.Process.Kill()
	waitFor(t, func() bool { _, err := os.Stat(ready); return err == nil })
	time.Sleep(200 * time.Millisecond) // in which it is asked nothing
	ask(t, "127.0.0.1:"+strings.TrimSpace(port), strings.HasPrefix(program, "c, _ ="))
	if err := record.Wait(); err != nil {
		t.Fatal(err)
	}
	return show(t, file)
}

// ask asks all questions, on one connection or on one for each.
func ask(t *testing.T, address string, one bool) {
	t.Helper()
	var c net.Conn
	for range answers {
		if c == nil || !one {
			var err error
			if c, err = net.Dial("tcp", address); err != nil {
				t.Fatal(err)
			}
			defer c.Close()
		}
		if _, err := fmt.Fprint(c, "question"); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(make([]byte, 8)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond) // in which nothing is asked
	}
}

func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for range 1000 {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("it never happened")
}
