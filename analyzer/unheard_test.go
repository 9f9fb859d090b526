package analyzer

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/trace"
)

// alive says what CPU time a process had had by a time.
func (s *scene) alive(at int64, action trace.ProcessAction, cpu int64) {
	s.put(at, &trace.Process{Time: at, Action: action, PID: s.pid, TID: s.pid, Command: "loop", CPU: cpu})
}

// unheard are processes that leave no event for most of the time.
var unheard = []struct {
	name string
	play func(s *scene)
	code string
}{
	{"it was there before, and goes on", func(s *scene) {
		s.alive(0, trace.ProcessPresent, 5*lasts)
		s.alive(lasts, trace.ProcessRunning, 6*lasts)
	}, cause.OwnCPU},
	{"it was there before, and ends", func(s *scene) {
		s.alive(0, trace.ProcessPresent, 5*lasts)
		s.alive(lasts, trace.ProcessExit, 6*lasts)
	}, cause.OwnCPU},
	{"it was there before and makes a call at last", func(s *scene) {
		s.alive(0, trace.ProcessPresent, 5*lasts)
		s.now = 990 * ms
		s.open(s.file("/d/a", 0), 0)
		s.alive(lasts, trace.ProcessRunning, 6*lasts)
	}, cause.OwnCPU},
	{"it makes a call and then none", func(s *scene) {
		s.header.Command = []string{"loop"}
		s.alive(ms, trace.ProcessExec, 0)
		s.open(s.file("/d/a", 0), 0)
		s.alive(lasts, trace.ProcessRunning, 980*ms)
	}, cause.OwnCPU},
	{"others have the processor for most of the time", func(s *scene) {
		s.alive(0, trace.ProcessPresent, 5*lasts)
		s.alive(lasts, trace.ProcessRunning, 5*lasts+600*ms)
	}, cause.OwnCPU},
	{"it sleeps", func(s *scene) {
		s.alive(0, trace.ProcessPresent, 5*lasts)
		s.alive(lasts, trace.ProcessRunning, 5*lasts+ms)
	}, cause.ThinkTime},
	{"it computed before, nobody knows for how long", func(s *scene) {
		s.alive(0, trace.ProcessPresent, 0)
		s.alive(lasts, trace.ProcessRunning, 6*lasts)
	}, cause.ThinkTime},
	{"it ended, and another has its number", func(s *scene) {
		s.alive(0, trace.ProcessPresent, 5*lasts)
		s.alive(10*ms, trace.ProcessExit, 5*lasts+ms)
		s.alive(20*ms, trace.ProcessFork, 0)
		s.wait(trace.WaitSleep, 21*ms, lasts)
		s.alive(lasts, trace.ProcessExit, 6*lasts)
	}, cause.ThinkTime},
	{"what it ran is told by its events", func(s *scene) {
		s.alive(0, trace.ProcessPresent, 5*lasts)
		s.now = 400 * ms
		s.open(s.file("/d/a", 0), 0)
		s.now = 800 * ms
		s.open(s.file("/d/b", 0), 0)
		s.alive(lasts, trace.ProcessRunning, 5*lasts+401*ms)
	}, cause.ThinkTime},
}

// A process that computes makes no call, and leaves no event but its end. What it used of the processors tells it from
// one that sleeps all that time, whose call does not return while it is recorded.
func TestComputingWithoutACall(t *testing.T) {
	for _, test := range unheard {
		t.Run(test.name, func(t *testing.T) {
			s := newScene(t)
			s.header.Scope = "pid"
			test.play(s)
			s.end.Duration = lasts
			if v := s.profile().Verdict; len(v.Causes) == 0 || v.Causes[0].Code != test.code {
				t.Errorf("%+v, want %s", v.Causes, test.code)
			}
		})
	}
}

// The threads of a process that was there before were made before, too: those that leave an event count.
func TestThreadsFromBefore(t *testing.T) {
	s := newScene(t)
	s.header.Scope = "pid"
	s.alive(0, trace.ProcessPresent, lasts)
	f := s.file("/d/a", 0)
	for s.tid = 101; s.tid < 104; s.tid++ {
		s.open(f, 0)
	}
	s.put(s.now, &trace.Process{Time: s.now, Action: trace.ProcessFork, PID: s.pid, TID: 110, Parent: s.pid})
	s.end.Duration = lasts
	if p := s.profile().Processes; len(p) != 1 || p[0].Threads != 4 {
		t.Errorf("%+v, want one process of 4 threads", p)
	}
}
