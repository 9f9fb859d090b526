//go:build linux

package ebpf

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

// blockedLine matches a switch away from a thread that waits.
var blockedLine = regexp.MustCompile(`sched_switch: .*prev_pid=(\d+) .*prev_state=[SD]`)

// TestWaitsThatEndAfterProcess1: some kernels run no probe as a thread takes the CPU from process 1. Its wait is
// recorded all the same, when it leaves the CPU again: of 40,000 sleeps some ten end so on such a kernel. The call that
// it was in is known as that of any other.
func TestWaitsThatEndAfterProcess1(t *testing.T) {
	needBPF(t)
	needTools(t, "python3")
	log := startFtrace(t, `prev_comm == "python3"`, "sched/sched_switch")
	rec := recordCommand(t, Options{}, nil, "python3", "-c", `import threading, time
def sleep():
    for i in range(20000): time.sleep(1e-5)
threads = [threading.Thread(target=sleep) for i in range(2)]
for t in threads: t.start()
for t in threads: t.join()`)
	blocked, waits := map[string]int{}, map[string]int{}
	for _, line := range log.lines() {
		if m := blockedLine.FindStringSubmatch(line); m != nil {
			blocked[m[1]]++
		}
	}
	unknown := 0
	for i := range rec.Waits {
		w := &rec.Waits[i]
		if w.Flags&trace.WaitHelper != 0 || w.TID == w.PID || w.Cause == trace.WaitReady {
			continue
		}
		waits[strconv.Itoa(int(w.TID))]++
		if w.Cause == trace.WaitOther {
			unknown++
		}
	}
	if unknown > 0 && !legacyProbes {
		t.Errorf("of %d waits it is not known in which call they were", unknown)
	}
	for tid, n := range waits {
		if n != blocked[tid] || n < 19000 {
			t.Errorf("thread %s waited %d times, %d are recorded", tid, blocked[tid], n)
		}
	}
	if len(waits) != 2 {
		t.Errorf("waits of %d threads, want 2", len(waits))
	}
}

// What a thread waited in, and who woke it, is known although no probe saw that it ran again: the threads here do so
// while the probe is off its hook, and keep their processor until it is back.
func TestWaitsWhoseEndNoProbeSaw(t *testing.T) {
	needBPF(t)
	needTools(t, "python3")
	if legacyProbes {
		t.Skip("the probes for old kernels do not tell calls apart")
	}
	for _, w := range []struct {
		call, kernel, program string
		want                  trace.WaitCause
	}{
		{"epoll_wait", "epoll_wait", "e = select.epoll(); e.register(f, select.EPOLLIN); e.poll(); os.read(f, 1)",
			trace.WaitPoll},
		{"poll", "poll", "p = select.poll(); p.register(f, select.POLLIN); p.poll(); os.read(f, 1)", trace.WaitPoll},
		{"wait4", "do_wait", "child = os.fork()\nif not child: os._exit(os.read(f, 1) != b'x')\nos.waitpid(child, 0)",
			trace.WaitChild},
	} {
		t.Run(w.call, func(t *testing.T) { unseenEnd(t, w.kernel, w.program, w.want) })
	}
}

// unseenEnd records a program that waits for a byte from the pipe f, in a function of the kernel.
func unseenEnd(t *testing.T, function, program string, want trace.WaitCause) {
	dir := workDir(t)
	t.Chdir(dir)
	if err := errors.Join(unix.Mkfifo("in", 0o600), unix.Mkfifo("out", 0o600)); err != nil {
		t.Fatal(err)
	}
	s, c := launch(t, Options{}, "/usr/bin/python3", "-c", `import os, select
f, out = os.open("in", os.O_RDWR), os.open("out", os.O_RDWR)
`+program+`
os.write(out, b"x")
while not select.select([f], [], [], 0)[0]: pass`)
	await(t, "the wait", func() bool { return waitsIn(c.PID(), function) })
	in, err := os.OpenFile("in", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.Open("out")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	before := s.Now()
	s.unhook("sched_switch")
	_, err = in.WriteString("x")
	_, err2 := out.Read(make([]byte, 1))
	s.hook("sched_switch")
	_, err3 := in.WriteString("x")
	if err := errors.Join(err, err2, err3); err != nil {
		t.Fatal(err)
	}
	wait(t, c)
	var last trace.Wait
	for _, x := range s.end().Waits {
		if x.TID == uint32(c.PID()) && x.Cause != trace.WaitReady && x.Start <= before {
			last = x
		}
	}
	if last.Cause != want || last.By != trace.WokenByThread || last.Woken() < before {
		t.Errorf("%+v, want a wait of cause %v that a thread ended after %d", last, want, before)
	}
}

// waitsIn reports whether a process is blocked in a function of the kernel, of whose name a part is given.
func waitsIn(pid int, function string) bool {
	name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/wchan", pid)) // none if it has ended
	return strings.Contains(string(name), function)
}
