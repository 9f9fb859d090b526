package analyzer

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/trace"
)

// The processes of these scenes beside the command (100), and their times.
const (
	serving   = 200
	another   = 201
	forked    = 202
	longSleep = 900 * ms
	lasts     = 1000 * ms
)

func (s *scene) socket(ino uint64) trace.FileID {
	return s.identify(trace.File{Path: "socket:[1]", Device: trace.MakeDeviceID(0, 8), Inode: ino, Type: trace.FileSocket,
		FSType: "sockfs"})
}

// accepted is a socket that the recorder knows to have been accepted.
func (s *scene) accepted(ino uint64) trace.FileID {
	s.end.Accepted = append(s.end.Accepted, trace.Socket{Inode: ino})
	return s.socket(ino)
}

// present says that a process ran before the recording, and has it act.
func (s *scene) present(pid uint32, command string) {
	s.put(ms, &trace.Process{Time: ms, Action: trace.ProcessPresent, PID: pid, TID: pid, Parent: 1, Command: command})
	s.act(pid)
}

// blocked is a read in which the acting process waits all the time.
func (s *scene) blocked(f trace.FileID, n, from, to int64) {
	s.now = from
	s.wait(trace.WaitCall, from, to)
	s.read(f, trace.NoOffset, n, to-from)
}

// slept is a sleep of the acting process.
func (s *scene) slept(from, to int64) {
	s.wait(trace.WaitSleep, from, to)
	s.now = to
}

// says is a write at a time.
func (s *scene) says(f trace.FileID, at int64) {
	s.now = at
	s.write(f, trace.NoOffset, 1, us)
}

// merged makes the scene one of several hosts: the command on one, and another that was recorded as a whole.
func (s *scene) merged() {
	s.header.Scope, s.header.Command, s.header.PIDs = trace.ScopeMerge, nil, []uint32{100}
}

// whole makes the scene one of a whole host.
func (s *scene) whole() {
	s.header.Scope, s.header.Command, s.header.PIDs = "all", nil, nil
}

// sleepsBesideHosts has the command sleep most of the time, on one of several hosts.
func (s *scene) sleepsBesideHosts() {
	s.merged()
	s.slept(2*ms, longSleep)
	s.now = lasts
	s.returns()
}

// sleepsAmongAll has the client sleep nearly all the time, on a host that is recorded as a whole.
func (s *scene) sleepsAmongAll() {
	s.whole()
	s.slept(2*ms, 990*ms)
}

// whoWaits are servers that wait for requests, and programs that hold others back: all are blocked in reads.
var whoWaits = []struct {
	name       string
	play       func(s *scene)
	code, text string
}{
	{"an idle server beside a command that sleeps", func(s *scene) {
		s.sleepsBesideHosts()
		s.present(serving, "nc")
		s.blocked(s.socket(5), 1, 2*ms, 990*ms)
	}, cause.ThinkTime, "client (100) slept"},
	{"a server's helper, which reads a pipe", func(s *scene) {
		s.sleepsBesideHosts()
		s.present(serving, "nfsdcld")
		s.blocked(s.pipe(5), 1, 2*ms, 990*ms)
	}, cause.ThinkTime, "client (100) slept"},
	{"what inetd started", func(s *scene) {
		s.sleepsBesideHosts()
		s.now = 2 * ms
		s.present(serving, "inetd")
		s.fork(forked, "in.fingerd")
		s.act(forked)
		s.blocked(s.socket(5), 1, 3*ms, 990*ms)
		s.exit(0)
	}, cause.ThinkTime, "client (100) slept"},
	{"the command waits for the reply of a slow server", func(s *scene) {
		s.merged()
		mine, theirs := s.socket(4), s.socket(5)
		s.says(mine, 2*ms)
		s.blocked(mine, 1, 3*ms, 990*ms)
		s.now = lasts
		s.returns()
		s.present(serving, "nc")
		s.blocked(theirs, 1, 2*ms, 3*ms)
		s.slept(4*ms, 985*ms)
		s.says(theirs, 986*ms)
	}, cause.OtherEnd, "of client (100)"},
	{"the command waits for a server that waits for another one", func(s *scene) {
		s.merged()
		mine := s.socket(4)
		s.says(mine, 2*ms)
		s.blocked(mine, 1, 3*ms, 990*ms)
		s.now = lasts
		s.returns()
		s.present(serving, "nc")
		s.blocked(s.socket(5), 1, 2*ms, 989*ms)
	}, cause.OtherEnd, "of client (100)"},
	{"a pipe within the command", func(s *scene) {
		s.merged()
		s.fork(another, "tar")
		p := s.pipe(4)
		s.slept(2*ms, longSleep)
		s.says(p, longSleep)
		s.act(another)
		s.blocked(p, 1, 2*ms, longSleep+ms)
		s.exit(0)
		s.now = lasts
		s.act(100)
		s.returns()
	}, cause.OtherEnd, "of tar (201) and client (100), and client (100) slept"},
	{"all: a server is asked, answers, and waits again", func(s *scene) {
		s.sleepsAmongAll()
		f := s.socket(5)
		s.now = 2 * ms
		s.present(serving, "nc")
		s.blocked(f, 1, 2*ms, 3*ms)
		s.says(f, 3*ms)
		s.blocked(f, 1, 4*ms, 990*ms)
	}, cause.ThinkTime, "client (100) slept"},
	{"all: a server that spoke first", func(s *scene) {
		s.sleepsAmongAll()
		f := s.accepted(5)
		s.now = 2 * ms
		s.present(serving, "sshd")
		s.says(f, 3*ms)
		s.blocked(f, 1, 4*ms, 990*ms)
	}, cause.ThinkTime, "client (100) slept"},
	{"all: a server that never answers", func(s *scene) {
		s.sleepsAmongAll()
		f := s.accepted(5)
		s.present(serving, "rsyslogd")
		s.blocked(f, 1, 2*ms, 500*ms)
		s.blocked(f, 1, 501*ms, 990*ms)
	}, cause.ThinkTime, "client (100) slept"},
	{"all: a server that asks others too, in the middle of a conversation", func(s *scene) {
		s.sleepsAmongAll()
		front, back := s.accepted(5), s.socket(6)
		s.present(serving, "proxy")
		s.says(back, 2*ms)
		s.blocked(back, 1, 2*ms, 3*ms)
		s.says(front, 3*ms)
		s.blocked(front, 1, 4*ms, 990*ms)
	}, cause.ThinkTime, "client (100) slept"},
	{"all: what came to be meanwhile receives an upload", func(s *scene) {
		s.sleepsAmongAll()
		f := s.accepted(5)
		s.now = 2 * ms
		s.fork(forked, "rsync")
		s.act(forked)
		s.blocked(f, 1, 3*ms, 990*ms)
	}, cause.OtherEnd, "of rsync (202)"},
	{"all: a client waits for a reply", func(s *scene) {
		s.sleepsAmongAll()
		f := s.socket(5)
		s.present(serving, "psql")
		s.says(f, 2*ms)
		s.blocked(f, 1, 4*ms, 990*ms)
	}, cause.OtherEnd, "of psql (200)"},
	{"all: a client whose other thread waits for the replies", func(s *scene) {
		s.sleepsAmongAll()
		f := s.socket(5)
		s.present(serving, "psql")
		s.blocked(f, 1, 2*ms, 300*ms)
		s.says(f, 3*ms)
		s.blocked(f, 1, 301*ms, 990*ms)
	}, cause.OtherEnd, "of psql (200)"},
	{"all: a download goes on", func(s *scene) {
		s.sleepsAmongAll()
		f := s.socket(5)
		s.present(serving, "wget")
		s.blocked(f, 1, 2*ms, 500*ms)
		s.blocked(f, 1, 501*ms, 990*ms)
	}, cause.OtherEnd, "of wget (200)"},
	{"all: a proxy waits for what is behind it", func(s *scene) {
		s.sleepsAmongAll()
		front, back := s.socket(5), s.socket(6)
		s.present(serving, "proxy")
		s.blocked(front, 1, 2*ms, 3*ms)
		s.says(back, 3*ms)
		s.blocked(back, 1, 4*ms, 990*ms)
		s.says(front, 991*ms)
	}, cause.OtherEnd, "of proxy (200)"},
	{"all: a reader at the end of a pipe", func(s *scene) {
		s.whole()
		f := s.pipe(5)
		s.slept(2*ms, 980*ms)
		s.says(f, 981*ms)
		s.present(serving, "gzip")
		s.blocked(f, 1, 2*ms, 982*ms)
	}, cause.OtherEnd, "of gzip (200) and client (100), and client (100) slept"},
}

// TestWhoWaitsToBeAsked tells one from the other.
func TestWhoWaitsToBeAsked(t *testing.T) {
	for _, test := range whoWaits {
		t.Run(test.name, func(t *testing.T) {
			s := newScene(t, "client")
			test.play(s)
			s.end.Duration = lasts
			if s.end.Durable > 0 {
				s.end.Durable = lasts
			}
			v := s.profile().Verdict
			if len(v.Causes) == 0 || v.Causes[0].Code != test.code || !strings.Contains(v.Causes[0].Text, test.text) {
				t.Errorf("%+v, want %s: %q", v.Causes, test.code, test.text)
			}
		})
	}
}
