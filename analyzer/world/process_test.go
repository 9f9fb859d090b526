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
