package analyzer

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/trace"
)

// pause is long enough for the kernel's counters of what all programs did.
const pause = 900 * ms

// turns has threads of the command take turns of 4 ms on so many processors after a pause. Each is ready meanwhile.
func turns(t *testing.T, threads, processors int) *scene {
	s := newScene(t, "pack")
	s.header.CPUs = 4
	begun := s.now + pause
	s.put(begun, &trace.Wait{Start: s.now, Duration: pause, PID: 100, TID: 100, Cause: trace.WaitSleep,
		By: trace.WokenByTimer})
	s.now = begun
	for i := range threads {
		s.tid = 100 + uint32(i)
		if i > 0 {
			s.put(begun, &trace.Process{Time: begun, Action: trace.ProcessFork, PID: 100, TID: s.tid, Parent: 100})
		}
		s.put(begun, &trace.Syscall{Start: begun, PID: 100, TID: s.tid, Op: trace.OpMmap, FD: -1, FD2: -1})
		ready := begun
		for k := 0; k < 40; k++ {
			if k*processors%threads <= i && i < k*processors%threads+processors {
				if at := begun + int64(k)*4*ms; at > ready {
					s.wait(trace.WaitReady, ready, at)
				}
				ready = begun + int64(k+1)*4*ms
			}
		}
		end := begun + 160*ms
		if end > ready {
			s.wait(trace.WaitReady, ready, end)
		}
		s.put(end, &trace.Syscall{Start: end, PID: 100, TID: s.tid, Op: trace.OpMmap, FD: -1, FD2: -1})
	}
	s.tid, s.now = 100, begun+160*ms
	s.returns()
	return s
}

// TestCrowdAfterAPause: threads that have all processors to themselves for a part of the time wait for each other then,
// whatever the machine did on average; with half of the processors they wait for others as well, and few threads wait
// for others alone.
func TestCrowdAfterAPause(t *testing.T) {
	for _, c := range []struct {
		name                string
		threads, processors int
		own                 float64 // of the time that the path was ready
		others              int64   // that other programs had of the processors
	}{
		{"on all processors", 12, 4, 1, 0},
		{"on half of them", 12, 2, 0.4, 320 * ms},
		{"bound to half of them, the rest idle", 12, 2, 0.4, 0},
		{"fewer threads than processors", 4, 2, 0, 320 * ms},
	} {
		s := turns(t, c.threads, c.processors)
		busy := s.now + c.others // it has a clock's time of them
		s.end.Processors = &trace.Processors{Busy: busy, Idle: 4*s.now - busy}
		p := s.profile()
		if p.Path == nil {
			t.Fatal("there is no path")
		}
		var ready, crowded, other float64
		for _, x := range p.Path.Parts {
			if x.Place.Label == "ready" {
				ready, crowded = ready+float64(x.NS), crowded+float64(x.CrowdedNS)
			}
		}
		if share := crowded / ready; ready == 0 || share < c.own-.01 || share > c.own+.01 {
			t.Errorf("%s: of %v ns ready %v its own, want %v", c.name, ready, share, c.own)
		}
		if c.own > 0 && c.own < 1 && c.others == 0 {
			crowded = 0 // a limit on where it may run
		}
		for _, x := range p.Verdict.Causes {
			if x.Code == cause.CPUContention {
				other = float64(x.TimeNS)
			}
		}
		if other < ready-crowded-float64(ms) || other > ready-crowded+float64(ms) {
			t.Errorf("%s: others for %v ns, want %v", c.name, other, ready-crowded)
		}
	}
}
