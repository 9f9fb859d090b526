package analyzer

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// asksOver lets a program do something with sockets, one after the other.
func asksOver(t *testing.T, do func(s *scene)) *profile.Profile {
	t.Helper()
	s := newScene(t, "client")
	s.header.Calls = append(s.header.Calls, "connect", "sendto", "recvfrom")
	do(s)
	s.returns()
	return s.profile()
}

// next is the next socket that the program opens.
func (s *scene) next() trace.FileID { return s.socket(uint64(7000 + len(s.files))) }

// on is a call on a socket that returns at once.
func (s *scene) on(f trace.FileID, op trace.Op, result int64) {
	s.call(trace.Syscall{Op: op, Call: 9, FD: 3, File: f, Offset: trace.NoOffset, Result: result}, 10*us)
}

func (s *scene) connect(f trace.FileID, address string, result, took int64) {
	to := s.identify(trace.AddressFile(0, address, s.now))
	s.call(trace.Syscall{Op: trace.OpConnect, Call: 8, FD: 3, File: f, File2: to, Offset: trace.NoOffset,
		Result: result}, took)
}

// to is a call on a socket that is not connected, which returns at once: what is sent goes to an address, what is
// received comes from one.
func (s *scene) to(f trace.FileID, op trace.Op, address string, result int64) {
	id := s.identify(trace.AddressFile(0, address, s.now))
	s.call(trace.Syscall{Op: op, Call: 9, FD: 3, File: f, File2: id, Offset: trace.NoOffset, Result: result}, 10*us)
}

// polls is a wait in poll, select or epoll that its timeout ended.
func (s *scene) polls(d int64) {
	s.wait(trace.WaitTimeout, s.now, s.now+d)
	s.think(d)
}

func theConnection(t *testing.T, p *profile.Profile) profile.Connection {
	t.Helper()
	if len(p.Connections) != 1 {
		t.Fatalf("%+v", p.Connections)
	}
	return p.Connections[0]
}

const refused, inProgress = -int64(trace.ErrRefused), -int64(trace.ErrInProgress)

// Who connects without blocking waits in poll: the connect is not answered if nothing comes until it is given up.
func TestConnectsThatAreNotAnswered(t *testing.T) {
	p := asksOver(t, func(s *scene) {
		for range 3 {
			f := s.next()
			s.connect(f, "10.0.0.5:5432", inProgress, 50*us)
			s.polls(1000 * ms)
			s.on(f, trace.OpClose, 0)
		}
	})
	c := theConnection(t, p)
	if c.Connects != 3 || c.Unmet != 3 || c.UnmetNS < 3000*ms || c.UnmetNS > 3001*ms || c.LongestNS < 1000*ms {
		t.Errorf("%+v", c)
	}
	says(t, p, cause.OtherEnd,
		"connect to 10.0.0.5:5432 was not answered, 3 of 3 times: waited for 3.00 s, 1.00 s at most")
}

// What is sent to a name server and not answered is told of that, also if another one answers in the end.
func TestNameServerThatDoesNotAnswer(t *testing.T) {
	p := asksOver(t, func(s *scene) {
		f := s.next()
		s.connect(f, "192.0.2.1:53", 0, 10*us)
		s.on(f, trace.OpWrite, 40)
		s.polls(5000 * ms)
		s.on(f, trace.OpClose, 0)
		f = s.next()
		s.connect(f, "192.0.2.2:53", 0, 10*us)
		s.on(f, trace.OpWrite, 40)
		s.polls(2 * ms)
		s.on(f, trace.OpRead, 56)
		s.on(f, trace.OpClose, 0)
	})
	if len(p.Connections) != 2 || p.Connections[1].Unanswered != 0 || p.Connections[1].Asked != 1 {
		t.Errorf("%+v", p.Connections)
	}
	says(t, p, cause.OtherEnd, "what was asked of the name server (DNS) 192.0.2.1:53 was not answered for 5.00 s")
	if r := p.Verdict.Causes[0].Remedy; !strings.Contains(r, "resolv.conf") {
		t.Errorf("%q", r)
	}
}

// A program that sleeps between connects that are refused waits for who is to listen there.
func TestConnectsThatAreRefused(t *testing.T) {
	p := asksOver(t, func(s *scene) {
		for range 5 {
			f := s.next()
			s.connect(f, "unix:/run/db.sock", refused, 20*us)
			s.on(f, trace.OpClose, 0)
			s.sleeps(200 * ms)
		}
	})
	if c := theConnection(t, p); c.Connects != 5 || c.Refused != 5 || c.Unmet != 0 {
		t.Errorf("%+v", c)
	}
	says(t, p, cause.ThinkTime, "5 connects to unix:/run/db.sock were refused, as nobody listened there")
}

// An answer that comes late is no missing one, whatever the descriptor was called before it was connected. One that is
// not waited for, as by who logs, costs nothing.
func TestAnswersThatCome(t *testing.T) {
	p := asksOver(t, func(s *scene) {
		f := s.next()
		s.connect(f, "127.0.0.1:6379", inProgress, 10*us)
		s.polls(20 * ms)
		f = s.next() // which strace -yy calls by its ends from now on
		s.on(f, trace.OpWrite, 30)
		s.polls(700 * ms)
		s.on(f, trace.OpRead, 5)
		s.on(f, trace.OpWrite, 30)
		s.on(f, trace.OpClose, 0)
		s.sleeps(2000 * ms)
	})
	c := theConnection(t, p)
	if c.Unmet != 0 || c.Asked != 2 || c.Unanswered != 1 || c.VainNS > ms || c.WaitNS < 720*ms || c.WaitNS > 721*ms {
		t.Errorf("%+v", c)
	}
	for _, r := range p.Verdict.Causes {
		if strings.Contains(r.Text, "not answered") {
			t.Errorf("%+v", r)
		}
	}
}

// A socket that is not connected asks several at a time. Each answer is of who it comes from.
func TestDatagramsToSeveral(t *testing.T) {
	p := asksOver(t, func(s *scene) {
		f := s.next()
		for range 2 {
			s.to(f, trace.OpWrite, "192.0.2.1:53", 40)
			s.to(f, trace.OpWrite, "192.0.2.2:53", 40)
			s.polls(2500 * ms)
		}
		s.to(f, trace.OpRead, "192.0.2.2:53", 60)
		s.to(f, trace.OpRead, "192.0.2.9:53", 60) // who was asked nothing
		s.polls(1000 * ms)
		s.on(f, trace.OpClose, 0)
	})
	if len(p.Connections) != 2 {
		t.Fatalf("%+v", p.Connections)
	}
	dead, alive := p.Connections[0], p.Connections[1]
	if dead.Address != "192.0.2.1:53" || dead.Asked != 1 || dead.Unanswered != 1 || dead.VainNS < 6000*ms ||
		alive.Asked != 1 || alive.Unanswered != 0 || alive.WaitNS < 5000*ms || alive.WaitNS > 5001*ms {
		t.Errorf("%+v", p.Connections)
	}
	says(t, p, cause.OtherEnd, "what was asked of the name server (DNS) 192.0.2.1:53 was not answered for 6.00 s")
}

// What a server of datagrams sends to who has sent it something answers that: it waits for nobody's answer.
func TestServerOfDatagrams(t *testing.T) {
	p := asksOver(t, func(s *scene) {
		f := s.next()
		for _, client := range []string{"192.0.2.1:4000", "unix:@client", "[2001:db8::7]:4001"} {
			s.to(f, trace.OpRead, client, 40)
			s.to(f, trace.OpWrite, client, 400)
			s.polls(1000 * ms)
		}
		s.on(f, trace.OpClose, 0)
	})
	if len(p.Connections) != 0 {
		t.Errorf("%+v", p.Connections)
	}
}

// Who is asked as one of a group answers by an address of its own.
func TestDatagramsToAGroup(t *testing.T) {
	for _, group := range []string{"224.0.0.251:5353", "[ff02::fb]:5353", "255.255.255.255:67"} {
		p := asksOver(t, func(s *scene) {
			f := s.next()
			s.to(f, trace.OpWrite, group, 40)
			s.polls(30 * ms)
			s.to(f, trace.OpRead, "192.0.2.7:5353", 90)
			s.on(f, trace.OpClose, 0)
		})
		if c := theConnection(t, p); c.Asked != 1 || c.Unanswered != 0 || c.WaitNS < 30*ms {
			t.Errorf("%+v", c)
		}
	}
}
