package analyzer

import (
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// newServer is a program that was recorded by its name, and was there before.
func newServer(t *testing.T, name string) *scene {
	s := newScene(t)
	s.header.Scope = "name"
	s.put(0, &trace.Process{Action: trace.ProcessPresent, PID: s.pid, TID: s.pid, Command: name})
	return s
}

func (s *scene) line(inode uint64) trace.FileID {
	return s.identify(trace.File{Path: "socket:[7]", Device: trace.MakeDeviceID(0, 8), Inode: inode,
		Type: trace.FileSocket, FSType: "sockfs"})
}

// until waits to be asked, up to a time.
func (s *scene) until(at int64) {
	s.put(at+10*us, &trace.Wait{Start: s.now, Duration: at + 10*us - s.now, Ready: 10 * us, PID: s.pid, TID: s.tid,
		Cause: trace.WaitPoll, By: trace.WokenByInterrupt})
	s.now = at + 10*us
}

// served is a call that waits for a request of a device.
func (s *scene) served(op trace.Op, file trace.FileID, req trace.ReqOp, duration int64) {
	start, end := s.now, s.now+duration
	s.request(req, file, 0, 8*KiB, start+20*us, end-20*us)
	s.put(end-5*us, &trace.Wait{Start: start + 30*us, Duration: duration - 35*us, Ready: 10 * us, PID: s.pid, TID: s.tid,
		Cause: trace.WaitIO, By: trace.WokenByRequest, Completed: end - 20*us})
	s.call(trace.Syscall{Op: op, Call: 2, File: file, Result: 8 * KiB, Requested: 8 * KiB}, duration)
}

// Each answer of a server is an operation, and the time between them is none.
func TestServerCommits(t *testing.T) {
	s := newServer(t, "postgres")
	conn, wal := s.line(7), s.file("/pg/wal", MiB)
	for i := range int64(20) {
		s.until((i + 1) * 500 * ms)
		s.read(conn, trace.NoOffset, 20, 5*us)
		s.think(800 * us)
		s.served(trace.OpDataSync, wal, trace.ReqWrite, 39200*us)
		s.write(conn, trace.NoOffset, 20, 5*us)
	}
	s.until(11_000 * ms)
	p := s.profile()
	o := p.Operations
	if o == nil || len(o.Kinds) == 0 {
		t.Fatalf("%+v", o)
	}
	k := o.Kinds[0]
	want := profile.OperationName{Process: "postgres", Answers: true, Call: "datasync", File: "/pg/wal"}
	if k.Kind != want || k.Count != 20 || k.InNS != 20*39200*us || k.NS != 20*40020*us || k.MaxNS != 40020*us {
		t.Errorf("%+v", k)
	}
	if o.TotalNS < k.NS || o.TotalNS > k.NS+ms || o.Longest[0].ToNS-o.Longest[0].FromNS != 40020*us {
		t.Errorf("%d ns of %+v", o.TotalNS, o.Longest[0])
	}
	says(t, p, cause.Sync, "postgres answered 20 times: ", "39.2 ms of it in fdatasync of wal")
}

// What another program wrote meanwhile is told with its name, and how long it held a server up.
func TestServerHeldUpByAnother(t *testing.T) {
	s := newServer(t, "redis-server")
	conn, log := s.line(7), s.file("/r/log", MiB)
	for i := range int64(50) {
		s.until((i + 1) * 100 * ms)
		s.read(conn, trace.NoOffset, 20, 5*us)
		if i == 20 {
			s.served(trace.OpWrite, log, trace.ReqWrite, 2000*ms)
			s.put(s.now-ms, &trace.Request{Queued: s.now - 1990*ms, Issued: s.now - 1990*ms, Completed: s.now - ms, PID: 900,
				TID: 900, Bytes: 24 * MiB, Op: trace.ReqWrite, Device: nvme, Offset: trace.NoOffset, Flags: trace.ReqForeign})
		}
		s.write(conn, trace.NoOffset, 20, 5*us)
		if s.now > (i+2)*100*ms {
			break
		}
	}
	s.until(9_000 * ms)
	for _, user := range []trace.User{
		{PID: 900, Command: "dd", Bytes: 24 * MiB}, {PID: 900, Command: "md0_raid5", Bytes: 24 * MiB, Kernel: true},
	} {
		s.end.Users = []trace.User{user}
		p := s.profile()
		says(t, p, cause.OtherUsers, "25.2 MB ("+user.Command+")", "2.00 s, from 2.10 s on, in write of log")
		if u := p.Trace.Users; len(u) != 1 || u[0].Kernel != user.Kernel {
			t.Errorf("%+v, want %+v", u, user)
		}
	}
}

// Calls that ended one after the other on different processors may be written in another order: who spoke first is told
// by when that was.
func TestServerWhoseCallsComeInAnotherOrder(t *testing.T) {
	s := newServer(t, "server")
	conn, log := s.line(7), s.file("/log", MiB)
	s.until(100 * ms)
	s.read(conn, trace.NoOffset, 20, 5*us)
	asked := len(s.events) - 1
	s.served(trace.OpSync, log, trace.ReqWrite, 30*ms)
	s.write(conn, trace.NoOffset, 20, 5*us)
	s.events[asked].end = s.now + us
	s.until(200 * ms)
	says(t, s.profile(), cause.Sync, "server answered once: 30.0 ms")
}

// A server that nobody asks has waited for nothing.
func TestServerThatIsNotAsked(t *testing.T) {
	s := newServer(t, "idle")
	s.until(1000 * ms)
	s.until(2000 * ms)
	p := s.profile()
	if len(p.Verdict.Causes) > 0 && p.Verdict.Causes[0].TimeNS > ms {
		t.Errorf("%+v", p.Verdict)
	}
}

// A program that is no server has operations too: of each thing that it does between pauses.
func TestTimerOfAProgram(t *testing.T) {
	s := newServer(t, "logger")
	log := s.file("/log", MiB)
	for i := range int64(10) {
		at := (i + 1) * 200 * ms
		s.put(at, &trace.Wait{Start: s.now, Duration: at - s.now, PID: s.pid, TID: s.tid, Cause: trace.WaitSleep,
			By: trace.WokenByTimer})
		s.now = at
		s.served(trace.OpSync, log, trace.ReqWrite, 30*ms)
	}
	p := s.profile()
	says(t, p, cause.Sync, "logger worked 10 times: ", "in fsync of log")
	if o := p.Operations; o.Count != 10 || o.TotalNS != 300*ms {
		t.Errorf("%d in %d ns", o.Count, o.TotalNS)
	}
}

// says checks the first cause of a verdict, and words of it.
func says(t *testing.T, p *profile.Profile, code string, words ...string) {
	t.Helper()
	var all string
	for _, l := range p.Verdict.Lines {
		all += l.Text + "\n"
	}
	if len(p.Verdict.Causes) == 0 || p.Verdict.Causes[0].Code != code ||
		slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(all, w) }) {
		t.Errorf("%+v\n%s\nwant %s and %q", p.Verdict.Causes, all, code, words)
	}
}
