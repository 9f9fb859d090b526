package path

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/trace"
)

const ms = 1_000_000

// crowdOf is that of a machine with two processors, and waits of threads that are there from 0 to end, past their ends.
func crowdOf(end int64, threads uint32, waits ...trace.Wait) *crowd {
	s := survey.New(trace.Header{CPUs: 2})
	b := &trace.Batch{Waits: waits}
	for tid := range threads {
		for _, at := range []int64{0, end} {
			b.Syscalls = append(b.Syscalls, trace.Syscall{PID: 1, TID: 1 + tid, Start: at})
		}
	}
	s.Batch(b)
	c := newCrowd(s)
	if c == nil {
		return nil
	}
	slices.SortFunc(waits, func(x, y trace.Wait) int { return int(y.End() - x.End()) })
	for i := range waits {
		c.wait(&waits[i])
	}
	return c
}

// preempted is the time in which a thread was ready, and others ran.
func preempted(tid uint32, from, to int64) trace.Wait {
	return trace.Wait{PID: 1, TID: tid, Cause: trace.WaitReady, Start: from, Duration: to - from}
}

// A thread that is ready waits for others of the workload if these have all processors, else for other programs.
func TestCrowd(t *testing.T) {
	own := func(w trace.Wait) trace.Wait { w.PID = 1; return w }
	for _, c := range []struct {
		name    string
		threads uint32
		waits   []trace.Wait
		want    float64 // of the 60 ms in which thread 1 was ready
		wanted  float64
		lacked  float64 // processors
	}{
		{"two run, one is ready", 3, nil, 1, 3, 0},
		{"two run, five are ready", 7,
			[]trace.Wait{preempted(4, 0, 90*ms), preempted(5, 0, 90*ms), preempted(6, 0, 90*ms), preempted(7, 0, 90*ms)}, 1, 7,
			0},
		{"none runs", 3, []trace.Wait{preempted(2, 0, 90*ms), preempted(3, 0, 90*ms)}, 0, 0, 0},
		{"one runs, another waits", 3, []trace.Wait{own(woken(2, 0, 90*ms, 95*ms, 1))}, 0, 0, 0},
		{"one runs, two are ready, woken before", 3, []trace.Wait{own(woken(2, 0, 5*ms, 95*ms, 1))}, .5 * 1 / 2, 3,
			1},
		{"as many run for half of the time", 3, []trace.Wait{own(woken(2, 0, 40*ms, 40*ms, 1))}, .5, 3, 0},
	} {
		x := crowdOf(100*ms, c.threads, append(c.waits, preempted(1, 10*ms, 70*ms))...)
		var p Part
		x.count(&p, &Segment{From: 40 * ms, To: 70 * ms, What: Ready})
		x.count(&p, &Segment{From: 10 * ms, To: 40 * ms, What: Ready})
		x.count(&p, &Segment{From: 1 * ms, To: 10 * ms, What: Runs})
		x.comeTo(0)
		if got := float64(p.Crowded) / (60 * ms); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%s: %v of the time, want %v", c.name, got, c.want)
		}
		if got := float64(p.Runnable) / float64(max(p.Crowded, 1)); math.Abs(got-c.wanted) > 1e-6 {
			t.Errorf("%s: %v threads, want %v", c.name, got, c.wanted)
		}
		if got := float64(p.Lacked) / (60 * ms); math.Abs(got-c.lacked) > 1e-6 {
			t.Errorf("%s: %v processors lacked, want %v", c.name, got, c.lacked)
		}
	}
	if crowdOf(100*ms, 2, preempted(1, 0, 50*ms)) != nil {
		t.Error("two threads crowd two processors")
	}
}

// A segment is often counted as its wait is told, before those of others that were ready as well.
func TestCrowdOfLaterWaits(t *testing.T) {
	waits := []trace.Wait{preempted(1, 10*ms, 70*ms), preempted(2, 9*ms, 70*ms), preempted(3, 8*ms, 70*ms)}
	c := crowdOf(100*ms, 5)
	var parts [3]Part
	for i := range waits {
		c.wait(&waits[i])
		c.count(&parts[i], &Segment{From: waits[i].Start, To: waits[i].End(), What: Ready})
	}
	c.comeTo(0)
	if p := parts[0]; p.Crowded != 60*ms || p.Runnable != 5*60*ms || p.Lacked != 0 {
		t.Errorf("%d ns, %d of threads, %d lacked: two run, three are ready", p.Crowded, p.Runnable, p.Lacked)
	}
}

// A thread that was made waits for its first processor until it does something.
func TestCrowdOfNewThreads(t *testing.T) {
	s := survey.New(trace.Header{CPUs: 1})
	w := preempted(1, 10*ms, 60*ms)
	s.Batch(&trace.Batch{Waits: []trace.Wait{w}, Processes: []trace.Process{
		{Time: 0, Action: trace.ProcessFork, PID: 2, TID: 2, Parent: 1}, {Time: 50 * ms, Action: trace.ProcessExec, PID: 2},
		{Time: 90 * ms, Action: trace.ProcessExit, PID: 2}}})
	c := newCrowd(s)
	c.wait(&w)
	var p Part
	c.count(&p, &Segment{From: 10 * ms, To: 60 * ms, What: Ready})
	if c.comeTo(0); p.Crowded != 10*ms {
		t.Errorf("its own for %d ns", p.Crowded)
	}
}

// What threads that are ready wait for each other is what they would wait if nobody else were there, however many
// points of that are kept.
func TestCrowdAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const end, step = 60, ms
		threads := uint32(rapid.IntRange(3, 6).Draw(t, "threads"))
		var waits []trace.Wait
		var states [end][7]int // 0: runs, 1: ready, 2: waits
		for tid := uint32(1); tid <= threads; tid++ {
			for at := 1; at < end-1; {
				to := min(at+rapid.IntRange(1, 9).Draw(t, "wait"), end-1)
				from := rapid.IntRange(at, to).Draw(t, "woken")
				w := woken(tid, int64(at)*step, int64(from)*step, int64(to)*step, 1)
				if w.PID = 1; rapid.Bool().Draw(t, "preempted") {
					w, from = preempted(tid, int64(at)*step, int64(to)*step), at
				}
				waits = append(waits, w)
				for i := at; i < to; i++ {
					states[i][tid] = 1
					if i < from {
						states[i][tid] = 2
					}
				}
				at = to + rapid.IntRange(1, 9).Draw(t, "run")
			}
		}
		c := crowdOf(end*step, threads, waits...)
		var got, want float64
		for i := end - 1; i >= 0; i-- {
			var n [3]float64
			for tid := uint32(1); tid <= threads; tid++ {
				n[states[i][tid]]++
			}
			var p Part
			c.count(&p, &Segment{From: int64(i) * step, To: int64(i+1) * step, What: Ready})
			c.comeTo(0)
			got += float64(p.Crowded) * n[1]
			if r := min(n[0], 2); n[1] > 0 {
				want += step * r * max(r+n[1]-2, 0) / 2
			}
		}
		if math.Abs(got-want) > 1000 {
			t.Fatalf("%v ns, want %v", got, want)
		}
	})
}

// Of many changes those near the present are kept.
func TestThinnedCrowd(t *testing.T) {
	var waits []trace.Wait
	for at := int64(0); at < 1000; at += 4 {
		waits = append(waits, preempted(1, at*ms, (at+3)*ms))
	}
	c := crowdOf(1000*ms, 3, waits...)
	c.comeTo(0)
	exact := c.since(0).own
	thin := crowdOf(1000*ms, 3)
	thin.most = 16
	for i := range waits {
		thin.wait(&waits[i])
		thin.comeTo(waits[i].Start)
	}
	if got := thin.since(0).own; len(thin.curve) >= 16 || math.Abs(got-exact) > 1 || exact != 750*ms {
		t.Errorf("%v of %d points, exactly %v", got, len(thin.curve), exact)
	}
}
