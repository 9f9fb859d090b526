package world

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// An exit tells the CPU time of the whole life of a process, as the recorder does of one that still runs: what it had
// used before the recording is no part of it, and if that is not known, nothing is.
func TestProcessorTime(t *testing.T) {
	for _, test := range []struct {
		name  string
		begin trace.Process
		used  int64
		want  int64
	}{
		{"forked", trace.Process{Action: trace.ProcessFork}, 70, 70},
		{"there before", trace.Process{Action: trace.ProcessPresent, CPU: 50}, 70, 20},
		{"there before, in steps of 10 ms", trace.Process{Action: trace.ProcessPresent, CPU: 80}, 70, 0},
		{"there before for nobody knows how long", trace.Process{Action: trace.ProcessPresent}, 70, profile.Unknown},
		{"a thread of the kernel that never had any", trace.Process{Action: trace.ProcessPresent}, 0, 0},
		{"not recorded", trace.Process{Action: trace.ProcessFork}, 0, profile.Unknown},
	} {
		for _, end := range []trace.ProcessAction{trace.ProcessExit, trace.ProcessRunning} {
			all := NewProcesses()
			test.begin.PID, test.begin.TID = 7, 7
			all.event(&test.begin)
			all.event(&trace.Process{Action: end, PID: 7, TID: 7, Time: 100, CPU: test.used})
			p := all.Find(7)
			want := test.want
			if end == trace.ProcessExit && test.used == 0 {
				want = profile.Unknown // nothing exits without any
			}
			if ended := p.EndNS == 100; p.CPUNS != want || ended != (end == trace.ProcessExit) {
				t.Errorf("%s, then %s: %d, ended at %d; want %d", test.name, end, p.CPUNS, p.EndNS, want)
			}
		}
	}
}

// A process that has written a title over its arguments is called by that, whether it had one as the recording began or
// only as it ended; the program that it executes then is called by its own name.
func TestTitles(t *testing.T) {
	const worker, padded = "queue: mover 2", "queue: mover 2 \x00\x00\x00"
	is := func(a trace.ProcessAction, args string) *trace.Process {
		return &trace.Process{Action: a, PID: 7, TID: 7, Command: "queue", Args: args}
	}
	for _, test := range []struct {
		name  string
		seen  []*trace.Process
		title string
	}{
		{"from the beginning", []*trace.Process{is(trace.ProcessPresent, padded)}, worker},
		{"and ended", []*trace.Process{is(trace.ProcessPresent, padded), is(trace.ProcessExit, "")}, worker},
		{"in the end", []*trace.Process{is(trace.ProcessFork, ""), is(trace.ProcessRunning, worker)}, worker},
		{"another one in the end", []*trace.Process{is(trace.ProcessPresent, "queue: starts"),
			is(trace.ProcessRunning, padded)}, worker},
		{"as an argument", []*trace.Process{is(trace.ProcessExec, "echo\x00queue: mover 2")}, ""},
		{"none", []*trace.Process{is(trace.ProcessExec, "queue"), is(trace.ProcessRunning, "queue")}, ""},
		{"before an exec", []*trace.Process{is(trace.ProcessPresent, worker), is(trace.ProcessExec, "gzip\x00-9"),
			is(trace.ProcessRunning, "gzip\x00-9")}, ""},
	} {
		all := NewProcesses()
		for _, e := range test.seen {
			all.event(e)
		}
		if got := all.Find(7).Title; got != test.title {
			t.Errorf("%s: %q, want %q", test.name, got, test.title)
		}
	}
}

// Of processes beyond those that are told apart the name, the CPU time and the status of one are not those of all.
func TestOtherProcesses(t *testing.T) {
	all := NewProcesses()
	for pid := range uint32(MaxProcesses + 2) {
		all.event(&trace.Process{Action: trace.ProcessFork, PID: 1 + pid, TID: 1 + pid, Command: "sh"})
	}
	last := uint32(MaxProcesses + 2)
	all.event(&trace.Process{Action: trace.ProcessExec, PID: last, TID: last, Command: "cc1", Exe: "/usr/bin/cc1"})
	all.event(&trace.Process{Action: trace.ProcessRunning, PID: last, TID: last, CPU: 70})
	all.event(&trace.Process{Action: trace.ProcessExit, PID: last, TID: last, CPU: 70, Status: 9})
	p := all.Find(last)
	if p != all.Rest || p.Command != "(other processes)" || p.Exe != "" || p.CPUNS != profile.Unknown || p.Status != nil {
		t.Errorf("%+v", p)
	}
}

// A trace may say that processes were forked from one another in a circle, or from themselves.
func TestForksInACircle(t *testing.T) {
	all := NewProcesses()
	for _, fork := range [][2]uint32{{7, 7}, {8, 9}, {9, 8}, {8, 9}, {7, 7}} {
		all.event(&trace.Process{Action: trace.ProcessFork, PID: fork[0], TID: fork[0], Parent: fork[1]})
	}
	for _, pid := range []uint32{7, 8, 9} {
		if all.Find(pid).Program() == nil {
			t.Errorf("process %d is of no program", pid)
		}
	}
}
