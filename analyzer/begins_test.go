package analyzer

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// TestLaunchBeginsInExecve: what execve reads belongs to the program that it
// starts; what the old image does before does not.
func TestLaunchBeginsInExecve(t *testing.T) {
	for _, batch := range []int{0, 1, 3} {
		s := newScene(t, "sh")
		s.batch = batch
		old, exe, ld := s.file("/bin/sh", MiB), s.file("/bin/app", 4*MiB), s.file("/lib/ld.so", MiB)
		s.think(ms)
		s.fork(200, "sh")
		s.act(200)
		s.think(50 * us)
		s.close(old)
		// A page of the shell that was not in memory, before the call.
		s.request(trace.ReqRead, old, 0, 64*KiB, s.now+20*us, s.now+500*us)
		s.wait(trace.WaitIO, s.now+15*us, s.now+510*us)
		s.put(s.now+520*us, &trace.Fault{Start: s.now + 10*us, Duration: 510 * us, PID: 200, TID: 200, File: old,
			Filled: 64 * KiB})
		s.think(ms)
		begin := s.now
		headers := func(f trace.FileID, n int64) {
			s.request(trace.ReqRead, f, 0, n, s.now+2*us, s.now+1000*us)
			s.wait(trace.WaitIO, s.now+10*us, s.now+1010*us)
			s.think(1020 * us)
		}
		headers(exe, 16*KiB)
		headers(ld, 8*KiB)
		// The rest of its last page of data is cleared.
		s.request(trace.ReqRead, exe, 2*MiB, 128*KiB, s.now+20*us, s.now+2000*us)
		s.wait(trace.WaitIO, s.now+10*us, s.now+2010*us)
		s.put(s.now+2020*us, &trace.Fault{Start: s.now, Duration: 2020 * us, PID: 200, TID: 200, File: exe,
			Filled: 128 * KiB})
		s.think(2100 * us)
		s.put(s.now, &trace.Process{Time: s.now, Action: trace.ProcessExec, PID: 200, TID: 200, Parent: 100, Command: "app",
			Exe: "/bin/app", Args: "app\x00"})
		headers(ld, MiB) // enough for the launch to be listed
		s.exit(0)
		end := s.now
		s.act(100)
		s.wait(trace.WaitOther, 1050*us, end)
		s.think(ms)
		s.returns()
		i, list := -1, s.finish().Launches
		for k := range list {
			if list[k].Exe == "/bin/app" {
				i = k
			}
		}
		if i < 0 {
			t.Fatalf("batches of %d: no launch of the program: %+v", batch, list)
		}
		l := list[i]
		if l.StartNS != begin || l.WallNS != end-begin || l.Faults != 1 || l.FaultBytes != 128*KiB ||
			l.Device.Bytes != MiB+152*KiB {
			t.Errorf(
				"batches of %d: began at %d, %d ns, %d faults of %d bytes, %d bytes from the device; want %d, %d, 1, %d, %d", batch,
				l.StartNS, l.WallNS, l.Faults, l.FaultBytes, l.Device.Bytes, begin, end-begin, 128*KiB, MiB+152*KiB)
		}
		if want := 3*1000*us + 2000*us; l.BlockedNS != want {
			t.Errorf("batches of %d: blocked for %d ns, want %d", batch, l.BlockedNS, want)
		}
	}
}

// TestCommandBeginsInExecve: the command is recorded from its exec on; what its
// execve read is among the requests of others.
func TestCommandBeginsInExecve(t *testing.T) {
	s := newScene(t, "app")
	exe := s.file("/bin/app", MiB)
	exec := s.now
	foreign := func(tid uint32, flags trace.ReqFlags, file trace.FileID, from, to int64) {
		r := s.request(trace.ReqRead, file, 0, 16*KiB, from+2*us, to)
		r.PID, r.TID, r.Owner, r.Flags = tid, tid+7, 0, flags|trace.ReqForeign
	}
	foreign(100, 0, exe, exec-300*us, exec-100*us)
	foreign(90, trace.ReqRecorder, exe, exec-400*us, exec-310*us)
	foreign(80, 0, exe, exec-500*us, exec-200*us)
	s.think(ms)
	s.returns()
	l := s.finish().Launches
	if len(l) != 1 || l[0].StartNS != exec-300*us || l[0].DiskNS != 200*us || l[0].Device == nil ||
		l[0].Device.Bytes != 16*KiB || l[0].State != "cold" {
		t.Errorf("%+v, want a launch that began 300 µs before its exec and read 16 KiB in 200 µs", l)
	}
}
