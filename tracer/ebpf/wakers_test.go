//go:build linux

package ebpf

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

// longest is the longest time that a thread was blocked, that which a program made on purpose; 0 if there is none.
func longest(rec *recording, of func(w *trace.Wait) bool) trace.Wait {
	var found trace.Wait
	for i := range rec.Waits {
		w := &rec.Waits[i]
		if w.Cause != trace.WaitReady && w.Woken()-w.Start >= found.Woken()-found.Start && of(w) {
			found = *w
		}
	}
	return found
}

// ofThread tells the waits of a thread from those of others.
func ofThread(tid uint32) func(w *trace.Wait) bool {
	return func(w *trace.Wait) bool { return w.TID == tid }
}

// helper is what the recording says of a thread that was followed as one.
func (r *recording) helper(tid uint32) (trace.Process, bool) {
	i := slices.IndexFunc(r.Processes, func(p trace.Process) bool {
		return p.Action == trace.ProcessHelper && p.TID == tid
	})
	if i < 0 {
		return trace.Process{}, false
	}
	return r.Processes[i], true
}

// Each program waits for a time of 60 ms, or for another thread or process of its own that lets 50 ms pass. Nobody is
// told to have woken it who has not. What a kernel shows to no probe is not known (see hidden); it is tried again.
func TestWhoWakes(t *testing.T) {
	needBPF(t)
	exe, lock := compile(t, "wakers", "-pthread"), workDir(t)+"/lock"
	ways := []string{"nanosleep", "timeout", "alarm", "mutex", "cond", "semaphore", "eventfd", "epoll",
		"pipe " + lock, "socket " + lock, "signal " + lock, "child " + lock, "poll " + lock, "flock " + lock, "fcntl " + lock}
	for try := 1; len(ways) > 0; try++ {
		if try > 3 {
			t.Fatalf("who woke is not known of %q", ways)
		}
		rec := recordCommand(t, Options{}, nil, "sh", "-c", exe+" "+strings.Join(ways, "; "+exe+" "))
		ways = slices.DeleteFunc(ways, func(way string) bool {
			known, wrong := wakes(rec, exe+"\x00"+strings.ReplaceAll(way, " ", "\x00"))
			if wrong != "" {
				t.Errorf("%s: %s", way, wrong)
			}
			return known
		})
		if i := slices.IndexFunc(rec.Waits, func(w trace.Wait) bool {
			p, ok := rec.helper(w.TID)
			return w.Flags&trace.WaitHelper != 0 && (!ok || p.PID != w.PID)
		}); i >= 0 {
			t.Errorf("nothing says that this is of a helper: %+v", rec.Waits[i])
		}
	}
}

// wakes says whether it is known who woke the longest waits of one of those programs, and what is wrong with them.
func wakes(rec *recording, args string) (known bool, wrong string) {
	exec := slices.IndexFunc(rec.Processes, func(p trace.Process) bool {
		return p.Action == trace.ProcessExec && p.Args == args
	})
	if exec < 0 {
		return true, "it is not there"
	}
	main := rec.Processes[exec].PID
	w := longest(rec, ofThread(main))
	fork := slices.IndexFunc(rec.Processes, func(p trace.Process) bool {
		return p.Action == trace.ProcessFork && p.Parent == main
	})
	if w.By == trace.WokenByUnknown {
		return false, ""
	}
	if fork < 0 {
		if w.By != trace.WokenByTimer || w.Waker != 0 || w.Woken()-w.Start < int64(59*time.Millisecond) {
			wrong = fmt.Sprintf("it was not woken by a timer after 60 ms: %+v", w)
		}
		return true, wrong
	}
	other := rec.Processes[fork].TID
	if w.By != trace.WokenByThread || w.Waker != other {
		return true, fmt.Sprintf("it was not woken by %d: %+v", other, w)
	}
	o := longest(rec, ofThread(other))
	if o.By != trace.WokenByTimer && o.By != trace.WokenByUnknown {
		wrong = fmt.Sprintf("the other one was not woken by a timer: %+v", o)
	}
	return o.By != trace.WokenByUnknown, wrong
}

// A thread that is woken on a processor which another one keeps is ready until that lets it go: here for the rest of
// 100 ms, which began some 30 ms before. Both go before all others of the machine.
func TestReady(t *testing.T) {
	needBPF(t)
	needTools(t, "python3")
	const program = `import os, time
os.sched_setaffinity(0, {0})
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
r, w = os.pipe()
if os.fork() == 0:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(2))
    os.read(r, 1)
    time.sleep(.02)
    end = time.monotonic() + .1
    while time.monotonic() < end: pass
    os._exit(0)
time.sleep(.01)
os.write(w, b"x")
time.sleep(.05)
os.wait()`
	rec := recordCommand(t, Options{}, nil, "/usr/bin/python3", "-c", program)
	main := rec.Processes[0].PID
	w := longest(rec, func(w *trace.Wait) bool { return w.TID == main && w.By == trace.WokenByTimer })
	if blocked := w.Woken() - w.Start; w.Ready < int64(20*time.Millisecond) || blocked < int64(49*time.Millisecond) {
		t.Errorf("%+v: want to be blocked for 50 ms, and ready for 20 and more", w)
	}
}

// A direct read waits for its request, and is woken by that.
func TestRequestsWake(t *testing.T) {
	needBPF(t)
	needTools(t, "dd")
	d := newDisk(t, 64<<20)
	rec := recordCommand(t, Options{}, nil, "dd", "if="+d.path(), "of=/dev/null", "iflag=direct", "bs=64k", "count=200")
	requests := map[int64]bool{}
	for _, q := range rec.requests(d.id) {
		requests[q.Completed] = true
	}
	var calls, by int
	for i := range rec.Syscalls {
		if s := &rec.Syscalls[i]; rec.path(s.File) == d.path() && s.Op == trace.OpRead {
			calls++
			if endsIn(rec, s, requests) {
				by++
			}
		}
	}
	// A request may be completed before the thread has gone to sleep, and a read that waits for nothing is none.
	if calls < 200 || by < calls/2 {
		t.Errorf("%d of %d reads were woken by requests of the device, of which there are %d", by, calls, len(requests))
	}
}

// endsIn tells whether what a call waited for was the completion of one of some requests.
func endsIn(rec *recording, s *trace.Syscall, completed map[int64]bool) bool {
	return slices.ContainsFunc(rec.Waits, func(w trace.Wait) bool {
		return w.TID == s.TID && w.Start >= s.Start && w.End() <= s.End() && w.By == trace.WokenByRequest &&
			completed[w.Completed]
	})
}

// Whatever woke a thread by completing a request, the trace has that request, of the same moment.
func TestRequestsOfWakesAreRecorded(t *testing.T) {
	needBPF(t)
	needTools(t, "fio")
	for _, engine := range []string{"psync", "libaio", "io_uring"} {
		t.Run(engine, func(t *testing.T) {
			rec := recordCommand(t, Options{}, nil, "fio", "--name=x", "--filename="+workDir(t)+"/file", "--size=16m",
				"--bs=4k", "--rw=randrw", "--direct=1", "--ioengine="+engine, "--iodepth=4", "--fsync=32", "--output=/dev/null")
			completed := map[int64]bool{}
			for i := range rec.Requests {
				completed[rec.Requests[i].Completed] = true
			}
			by := 0
			for i := range rec.Waits {
				if w := &rec.Waits[i]; w.By == trace.WokenByRequest {
					if by++; !completed[w.Completed] {
						t.Errorf("no request was completed when this says: %+v", w)
					}
				}
				if why := rec.Waits[i].Impossible(); why != "" {
					t.Error(why)
				}
			}
			if by == 0 && rec.stats.Lost[trace.KindRequest] == 0 {
				t.Error("no wait was ended by a request")
			}
		})
	}
}

// What commits a file to a journal is a thread of the kernel: it is followed from the first time on that it wakes.
func TestTheJournalIsAHelper(t *testing.T) {
	needBPF(t)
	d := newDisk(t, 128<<20)
	d.format("ext4")
	dir := d.mount("ext4", "")
	rec := recordCommand(t, Options{}, nil, "/usr/bin/python3", "-c", `import os, sys
for i in range(40):
    fd = os.open(sys.argv[1] + "/%d" % i, os.O_CREAT | os.O_WRONLY)
    os.write(fd, b"x" * 4096)
    os.fsync(fd)
    os.close(fd)`, dir)
	var journal uint32
	for _, p := range rec.Processes {
		if p.Action != trace.ProcessHelper {
			continue
		}
		if strings.HasPrefix(p.Command, "jbd2/"+d.name) {
			journal = p.TID
		}
	}
	if journal == 0 {
		t.Fatalf("the journal's thread is no helper: %+v", rec.Processes)
	}
	woke, waited := 0, 0
	for _, w := range rec.Waits {
		if w.By == trace.WokenByThread && w.Waker == journal && w.Flags&trace.WaitHelper == 0 {
			woke++
		}
		if w.TID == journal {
			if w.Flags&trace.WaitHelper == 0 {
				t.Errorf("a wait of the journal is the workload's: %+v", w)
			}
			if w.By == trace.WokenByRequest && slices.ContainsFunc(rec.requests(d.id), func(q trace.Request) bool {
				return q.Completed == w.Completed
			}) {
				waited++
			}
		}
	}
	if woke < 10 || waited < 10 {
		t.Errorf("the journal woke the program %d times, and waited for its device %d times", woke, waited)
	}
	if slices.ContainsFunc(rec.Syscalls, func(s trace.Syscall) bool { return s.TID == journal }) {
		t.Error("the journal has calls")
	}
}

// Another program that writes into a pipe is followed, and is not recorded for that.
func TestOthersAreHelpers(t *testing.T) {
	needBPF(t)
	needTools(t, "python3", "mkfifo")
	fifo := workDir(t) + "/fifo"
	run(t, "mkfifo", fifo)
	writer := start(t, "/usr/bin/python3", "-c", `import sys, time
with open(sys.argv[1], "wb", 0) as f:
    for i in range(10):
        time.sleep(.02)
        f.write(b"x")`, fifo)
	rec := recordCommand(t, Options{}, nil, "cat", fifo)
	p, ok := rec.helper(uint32(writer.Process.Pid))
	if !ok || !strings.HasPrefix(p.Command, "python3") || p.PID != p.TID {
		t.Fatalf("%+v is no helper called python3: %+v", writer.Process.Pid, rec.Processes)
	}
	slept := 0
	for _, w := range rec.Waits {
		if w.TID == p.TID && w.By == trace.WokenByTimer && w.Flags&trace.WaitHelper != 0 && w.Cause == trace.WaitSleep {
			slept++
		}
	}
	if slept < 8 && !legacyProbes {
		t.Errorf("of 10 sleeps %d are recorded", slept)
	}
	for _, s := range rec.Syscalls {
		if s.PID == p.PID {
			t.Fatalf("a call of the helper is recorded: %+v", s)
		}
	}
}

// A write to a loop device on a file of another one can be followed through the workers of both, down to the drive.
func TestThroughLoopDevices(t *testing.T) {
	needBPF(t)
	needTools(t, "dd")
	lower := newDisk(t, 256<<20)
	lower.format("ext4")
	upper := newDiskOn(t, lower.mount("ext4", "")+"/image", 64<<20, 0)
	rec := recordCommand(t, Options{}, nil, "dd", "if=/dev/zero", "of="+upper.path(), "bs=64k", "count=50",
		"oflag=direct,dsync")
	reached := map[trace.DeviceID]int{}
	for i := range rec.Waits {
		if w := &rec.Waits[i]; w.Flags&trace.WaitHelper == 0 && w.By == trace.WokenByRequest {
			for dev := range devicesBehind(rec, w, 8) {
				reached[dev]++
			}
		}
	}
	others := 0
	for dev, n := range reached {
		if dev != upper.id && dev != lower.id {
			others += n
		}
	}
	if reached[upper.id] < 10 || reached[lower.id] < 10 || others < 10 {
		t.Errorf("waits lead to %s %d times, to %s %d times, and to what is below %d times", upper.name, reached[upper.id],
			lower.name, reached[lower.id], others)
	}
}

// devicesBehind are the devices of the requests that a wait ended with, directly or through the threads that woke, each
// of which was woken itself meanwhile.
func devicesBehind(rec *recording, w *trace.Wait, steps int) map[trace.DeviceID]bool {
	found := map[trace.DeviceID]bool{}
	if w.By == trace.WokenByRequest {
		for i := range rec.Requests {
			if q := &rec.Requests[i]; q.Completed == w.Completed {
				found[q.Device] = true
			}
		}
	}
	if w.Waker == 0 || steps == 0 {
		return found
	}
	for i := range rec.Waits {
		if o := &rec.Waits[i]; o.TID == w.Waker && o.Cause != trace.WaitReady && o.Woken() > w.Start &&
			o.Woken() < w.Woken() {
			maps.Copy(found, devicesBehind(rec, o, steps-1))
		}
	}
	return found
}

// A read of a file that a program serves (FUSE) can be followed through that program to the drive that has its data.
func TestThroughFUSE(t *testing.T) {
	needBPF(t)
	needTools(t, "bindfs", "fusermount3", "python3")
	d := newDisk(t, 64<<20)
	d.format("ext4")
	below, dir := d.mount("ext4", ""), workDir(t)
	daemon := start(t, "bindfs", "-f", "--no-allow-other", below, dir)
	t.Cleanup(func() { run(t, "fusermount3", "-u", dir) })
	await(t, "the mount", func() bool {
		var up, here unix.Stat_t
		return unix.Stat(dir+"/..", &up) == nil && unix.Stat(dir, &here) == nil && up.Dev != here.Dev
	})
	rec := recordCommand(t, Options{}, nil, "/usr/bin/python3", "-c", `import os, sys
for i in range(20):
    fd = os.open(sys.argv[1] + "/%d" % i, os.O_CREAT | os.O_WRONLY)
    os.write(fd, b"x" * 4096)
    os.fsync(fd)
    os.close(fd)`, dir)
	reached, served := 0, 0
	for i := range rec.Waits {
		w := &rec.Waits[i]
		if w.Flags&trace.WaitHelper != 0 || w.By != trace.WokenByThread {
			continue
		}
		if p, ok := rec.helper(w.Waker); ok && p.PID == uint32(daemon.Process.Pid) {
			served++
		}
		if devicesBehind(rec, w, 8)[d.id] {
			reached++
		}
	}
	if served < 20 || reached < 10 {
		t.Errorf("the daemon woke the program %d times, and %d of its waits lead to %s", served, reached, d.name)
	}
}
