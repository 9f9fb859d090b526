package analyzer

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// servesAsACommand makes the command one that serves: its first thread waits in poll, another one is asked. The server
// is ended by a signal, which says nothing.
func servesAsACommand(t *testing.T, asked uint32, answer bool) *profile.Profile {
	s := newScene(t, "chatd")
	conn, log := s.line(7), s.file("/c/log", MiB)
	s.put(s.now, &trace.Process{Time: s.now, Action: trace.ProcessFork, PID: 100, TID: 101, Parent: 100})
	s.tid = asked
	for i := range int64(20) {
		s.until((i + 1) * 500 * ms)
		s.read(conn, trace.NoOffset, 20, 5*us)
		s.served(trace.OpSync, log, trace.ReqWrite, 20*ms)
		if answer {
			s.write(conn, trace.NoOffset, 20, 5*us)
		}
	}
	if asked != 100 {
		s.now = 2 * ms // from when the first thread waited
	}
	const ended = 11_000 * ms
	s.put(ended, &trace.Wait{Start: s.now, Duration: ended - s.now, PID: 100, TID: 100, Cause: trace.WaitPoll,
		By: trace.WokenByThread, Waker: 900})
	s.now, s.tid = ended, 100
	s.returns()
	return s.profile()
}

// A command that is a server is told as one is that was there before: by what it was asked for, not by how it waited.
func TestCommandsThatServe(t *testing.T) {
	for _, c := range []struct {
		name    string
		asked   uint32
		answers bool
		serves  bool
	}{
		{"another thread is asked and answers", 101, true, true},
		{"another thread is told, and answers nobody", 101, false, true},
		{"the only thread answers", 100, true, true},
		{"the only thread receives, as nc does", 100, false, false},
	} {
		p := servesAsACommand(t, c.asked, c.answers)
		if (p.Operations != nil) != c.serves || (p.Path == nil) != c.serves {
			t.Errorf("%s: %+v, %+v", c.name, p.Operations, p.Path)
			continue
		}
		if !c.serves {
			continue
		}
		first, all := p.Verdict.Causes[0], strings.Builder{}
		for _, o := range p.Operations.Kinds {
			all.WriteString(o.Kind.Call + " ")
		}
		if first.Code == cause.ThinkTime || first.Code == cause.OtherEnd || !strings.HasPrefix(all.String(), "sync") {
			t.Errorf("%s: %+v of %s", c.name, first, all.String())
		}
	}
}

// One that waits for another program's answer, or for a time, is none.
func TestClientsDoNotServe(t *testing.T) {
	s := newScene(t, "client")
	conn, f := s.line(7), s.file("/c/f", MiB)
	for i := range int64(20) {
		s.write(conn, trace.NoOffset, 20, 5*us) // it asks
		s.until((i + 1) * 500 * ms)
		s.read(conn, trace.NoOffset, 20, 5*us)
		s.served(trace.OpSync, f, trace.ReqWrite, 20*ms)
	}
	s.returns()
	if p := s.profile(); p.Operations != nil || p.Path == nil {
		t.Errorf("%+v", p.Operations)
	}
}
