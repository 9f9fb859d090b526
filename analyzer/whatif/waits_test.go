package whatif

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/timeline"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// A program waits for its child, which the kernel takes 9 ms to take apart: with a faster processor the child is done
// before.
func TestChild(t *testing.T) {
	const ms = int64(1e6)
	end := trace.End{Duration: 92 * ms, CommandEnd: 91 * ms, Durable: -1}
	r := loaded(t, end, func(w *tracefile.Writer) {
		must(t, w.Syscall(&trace.Syscall{PID: 1, TID: 1, Op: trace.OpRead, Result: 10}))
		must(t, w.Process(&trace.Process{Time: 1, Action: trace.ProcessFork, PID: 2, TID: 2, Parent: 1}))
		must(t, w.Syscall(&trace.Syscall{Start: 2, PID: 2, TID: 2, Op: trace.OpRead, Result: 10}))
		must(t, w.Process(&trace.Process{Time: 80 * ms, Action: trace.ProcessExit, PID: 2, TID: 2}))
		must(t, w.Wait(&trace.Wait{Start: 3, Duration: 89*ms - 3, PID: 1, TID: 1, Cause: trace.WaitChild}))
		must(t, w.Process(&trace.Process{Time: 91 * ms, Action: trace.ProcessExit, PID: 1, TID: 1}))
	})
	if got := r.Predict(Change{CPU: 2}).Wall; off(got, 40*ms+9*ms+ms) > 0.001 {
		t.Errorf("%d ns, want 40 ms of the child, 9 ms until that is known, and 1 ms", got)
	}
}

// A program waits for its child, which waits for another one that waits for it: the wait of one of these two is left as
// it was, that of the one that goes on first then, not that of the program.
func TestWaitsForEachOther(t *testing.T) {
	step := func(what stepKind, run int64, mark int32, length int64) Step {
		return Step{What: what, Run: run, Index: mark, After: 1, Length: length}
	}
	for _, test := range []struct{ child, other, want int64 }{
		{child: 40, other: 90, want: 10 + 40 + 5 + 30 + 1 + 2},
		{child: 60, other: 30, want: 20 + 30 + 5 + 1 + 5 + 30 + 1 + 2},
	} {
		p := &Program{Marks: 3, Window: timeline.Window{Wall: 100, End: 100}, Threads: []Thread{
			{Main: true, End: 100, Begin: anchor{What: AtTime},
				Steps: []Step{step(Follows, 1, 0, 90), step(Ends, 2, 0, 0)}},
			{Begin: anchor{What: AtTime}, Steps: []Step{step(Follows, 10, 1, test.child),
				step(Marks, 5, 2, 0), step(Marks, 30, 0, 0)}},
			{Begin: anchor{What: AtTime}, Steps: []Step{step(Follows, 20, 2, test.other),
				step(Marks, 5, 1, 0)}},
		}}
		r := &Recording{program: p, followers: newFollowers(p)}
		if got := r.Predict(Change{}); got.Wall != test.want || got.Undecided != 1 {
			t.Errorf("%d ns, %d waits as they were; want %d ns and one", got.Wall, got.Undecided, test.want)
		}
	}
}

// A program reads, and then computes until the recording ends: without any event, or with no other than that it had to
// wait for the processor at times.
func TestComputingUntilTheEnd(t *testing.T) {
	const ms = int64(1e6)
	for name, preempted := range map[string]bool{"alone": false, "beside others": true} {
		r := loaded(t, trace.End{Duration: 100 * ms, CommandEnd: -1, Durable: -1}, func(w *tracefile.Writer) {
			must(t, w.Syscall(&trace.Syscall{PID: 1, TID: 1, Op: trace.OpRead, Result: 10}))
			for at := 10 * ms; preempted && at < 100*ms; at += 10 * ms {
				must(t, w.Wait(&trace.Wait{Start: at - 10, Duration: 10, PID: 1, TID: 1, Cause: trace.WaitReady}))
			}
			must(t, w.Process(&trace.Process{Time: 100 * ms, Action: trace.ProcessRunning, PID: 1, TID: 1, CPU: 99 * ms}))
		})
		if got := r.Predict(Change{CPU: 2}).Wall; off(got, 50*ms) > 0.001 {
			t.Errorf("%s: %d ns, want 50 ms", name, got)
		}
	}
}

// A program waits for a thread of its own that computes, while a third one looks around every millisecond: it is known
// which of them woke it, so with a faster processor it waits for less time.
func TestComputingThreads(t *testing.T) {
	const ms = int64(1e6)
	for _, test := range []struct {
		name  string
		by    trace.WakeSource // of the program's wait from 10 to 90 ms
		waker uint32
		want  int64 // time with a processor twice as fast, in ms
	}{
		{"the thread woke it", trace.WokenByThread, 2, (1 + 6 + 82/2) + 10/2},
		{"a thread that was not recorded did", trace.WokenByThread, 77, 10/2 + 80 + 10/2},
		{"an interrupt did", trace.WokenByInterrupt, 0, 10/2 + 80 + 10/2},
	} {
		end := trace.End{Duration: 102 * ms, CommandEnd: 100 * ms, Durable: -1}
		r := loaded(t, end, func(w *tracefile.Writer) {
			must(t, w.Syscall(&trace.Syscall{PID: 1, TID: 1, Op: trace.OpRead, Result: 10}))
			must(t, w.Syscall(&trace.Syscall{PID: 1, TID: 2, Op: trace.OpRead, Result: 10}))
			wait := func(from, until int64, thread uint32, cause trace.WaitCause) {
				must(t, w.Wait(&trace.Wait{Start: from, Duration: until - from, PID: 1, TID: thread, Cause: cause,
					By: trace.WokenByTimer}))
			}
			wait(2*ms, 8*ms, 2, trace.WaitSleep)
			for at := 12*ms + 1000; at < 90*ms; at += ms {
				wait(at, at+ms-10, 3, trace.WaitSleep)
			}
			must(t, w.Wait(&trace.Wait{Start: 10 * ms, Duration: 80 * ms, PID: 1, TID: 1, Cause: trace.WaitFutex, By: test.by,
				Waker: test.waker}))
			wait(100*ms, 101*ms, 2, trace.WaitSleep)
			must(t, w.Process(&trace.Process{Time: 100 * ms, Action: trace.ProcessExit, PID: 1, TID: 1}))
		})
		if got := r.Predict(Change{}); off(got.Wall, 100*ms) > 0.002 || got.Undecided > 0 {
			t.Errorf("%s: without a change it takes %+v", test.name, got)
		}
		if got := r.Predict(Change{CPU: 2}).Wall; off(got, test.want*ms) > 0.02 {
			t.Errorf("%s: %d ns, want %d ms", test.name, got, test.want)
		}
	}
}
