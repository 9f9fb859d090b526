package timeline

import (
	"testing"

	"pgregory.net/rapid"
)

// TestStackAddsUp: whatever happens, labels add up to the window, to the
// nanosecond, and those before the command returned to the wall time.
func TestStackAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := rapid.Int64Range(-10, 300).Draw(t, "start")
		wall := rapid.Int64Range(-10, 1500).Draw(t, "wall")
		end := rapid.Int64Range(-10, 1500).Draw(t, "end")
		var binned Times
		w := Window{Start: start, Wall: wall, End: end, Waits: rapid.Bool().Draw(t, "waits")}
		w.Bin = func(k Kind, from, to int64) {
			if to <= from {
				t.Fatalf("empty stretch %d to %d", from, to)
			}
			binned.Label[k.Label()] += to - from
		}
		if rapid.Bool().Draw(t, "last") {
			w.Last = func(tid uint32) int64 { return int64(tid) * 200 }
		}
		s := NewStack(w)
		act(t, s)
		sum := s.Finish()
		var total int64
		for _, ns := range sum.Label {
			if ns < 0 {
				t.Fatalf("negative time: %v", sum.Label)
			}
			total += ns
		}
		wall = max(start, wall)
		end = max(wall, end)
		if total != end-start {
			t.Fatalf("labels add up to %d, the window is %d", total, end-start)
		}
		if total-sum.Label[Draining] != wall-start {
			t.Fatalf("labels before the end of the command add up to %d, wall time is %d", total-sum.Label[Draining], wall-start)
		}
		if binned.Label != sum.Label {
			t.Fatalf("stretches add up to %v, sums are %v", binned.Label, sum.Label)
		}
	})
}

// act feeds a stack with random intervals in the order of their starts.
func act(t *rapid.T, s *Stack) {
	in := spans(t)
	for _, i := range in {
		tid := rapid.Uint32Range(1, 4).Draw(t, "tid")
		switch rapid.IntRange(0, 7).Draw(t, "what") {
		case 7:
			s.Queued(tid, i.start, i.end)
		case 6:
			s.Buffered(i.start, i.end)
		case 0:
			s.Request(tid, Direction(rapid.IntRange(0, 2).Draw(t, "dir")), i.start, i.end)
		case 1:
			s.Call(1, tid, Class(rapid.IntRange(1, 5).Draw(t, "class")), i.start, i.end)
		case 2:
			s.Wait(1, tid, Cause(rapid.IntRange(1, 5).Draw(t, "cause")), i.start, i.end)
		case 3:
			s.Begin(1, tid, i.start)
		case 4:
			s.Exit(1, tid*uint32(rapid.IntRange(0, 1).Draw(t, "one")), i.start)
		case 5:
			s.Mark(i.end, func(*Times) {})
		}
	}
}

// TestPlugged: a request that a thread has queued when it loses the CPU waits for that thread, not for a limit above
// the drive; one that a thread waits for does.
func TestPlugged(t *testing.T) {
	s := NewStack(Window{Start: 0, Wall: 1000, End: 1000, Waits: true})
	s.Begin(7, 7, 0)
	s.Call(7, 7, DataCall, 0, 1000)
	s.Queued(7, 100, 400)
	s.Wait(7, 7, WaitReady, 150, 390)
	s.Queued(7, 500, 900)
	s.Wait(7, 7, WaitIO, 510, 950)
	got := s.Finish()
	want := map[Label]int64{Ready: 240 + 50, Queued: 50 + 10 + 400, PageCache: 100 + 100 + 50}
	for l := Label(0); l < NumLabels; l++ {
		if got.Label[l] != want[l] {
			t.Errorf("%s: %d ns, want %d", l, got.Label[l], want[l])
		}
	}
}

// TestStackOfACopy is a cp in miniature, labelled by hand.
func TestStackOfACopy(t *testing.T) {
	s := NewStack(Window{Start: 0, Wall: 1000, End: 1300, Waits: true})
	s.Begin(7, 7, 0)
	s.Call(7, 7, MetaCall, 100, 150)     // open
	s.Call(7, 7, DataCall, 200, 600)     // read: waits for the device …
	s.Request(7, Read, 250, 500)         // …
	s.Wait(7, 7, WaitIO, 260, 520)       // … a little longer than it works
	s.Call(7, 7, DataCall, 600, 900)     // write
	s.Request(0, Write, 700, 800)        // somebody flushes
	s.Wait(7, 7, WaitThrottle, 820, 850) // and holds the writer back
	s.Wait(7, 7, WaitOther, 950, 980)
	s.Exit(7, 0, 990)
	s.Request(0, Write, 1000, 1300)
	got := s.Finish()
	want := map[Label]int64{
		CPU:         100 + 50 + 50 + 10, // 0…100, 150…200, 900…950, 980…990
		Metadata:    50,
		PageCache:   50 + 80 + 100 + 20 + 50, // 200…250, 520…600, 600…700, 800…820, 850…900
		DeviceRead:  250,
		Ready:       20,
		DeviceWrite: 100,
		Throttled:   30,
		Waiting:     30 + 10, // 950…980, and after the exit
		Draining:    300,
	}
	for l := Label(0); l < NumLabels; l++ {
		if got.Label[l] != want[l] {
			t.Errorf("%s: %d ns, want %d", l, got.Label[l], want[l])
		}
	}
	if got.Waking != 20 {
		t.Errorf("waking up for %d ns, want 20", got.Waking)
	}
	if got.Disk != 500-260 || got.Wake != 20 {
		t.Errorf("blocked on the disk for %d ns, then on the processor for %d; want 240, 20", got.Disk, got.Wake)
	}
}

// TestKeptWaiting: a thread that runs again long after its I/O was done was kept from the processor, not woken.
func TestKeptWaiting(t *testing.T) {
	for late, waking := range map[int64]int64{WakeUp: WakeUp, WakeUp + 1: 0} {
		s := NewStack(Window{Wall: 1e6, End: 1e6, Waits: true})
		s.Call(1, 1, DataCall, 0, 1e6)
		s.Wait(1, 1, WaitIO, 0, 1000+late)
		s.Request(1, Read, 0, 1000)
		got := s.Finish()
		times := got.ThreadTimes()
		if got.Label[Ready] != late || got.Wake != late || got.Waking != waking || times["waking"] != waking ||
			times["ready"] != late-waking {
			t.Errorf("running %d ns after its I/O: ready %d, waking %d, threads %v", late, got.Label[Ready], got.Waking, times)
		}
	}
}

// TestAsynchronousCopying: while the kernel copies for a thread that waits, the
// time belongs to the page cache, and no drive could save it.
func TestAsynchronousCopying(t *testing.T) {
	s := NewStack(Window{Wall: 100, End: 100, Waits: true})
	s.Buffered(10, 60)
	s.Call(1, 1, AsyncCall, 20, 90)
	s.Wait(1, 1, WaitIO, 30, 90)
	s.Request(0, Write, 40, 50)
	got := s.Finish()
	for l, want := range map[Label]int64{PageCache: 40 - 20 + 60 - 50, DeviceWrite: 10, IOWait: 30} {
		if got.Label[l] != want {
			t.Errorf("%s: %d ns, want %d", l, got.Label[l], want)
		}
	}
	if got.Disk != 10+30 {
		t.Errorf("on the disk for %d ns, want 40", got.Disk)
	}
}

// TestInterrupted: a thread from which the processor is taken is ready, in a call or outside,
// and no drive could save that time.
func TestInterrupted(t *testing.T) {
	s := NewStack(Window{Wall: 100, End: 100, Waits: true})
	s.Begin(1, 1, 0)
	s.Wait(1, 1, WaitReady, 10, 30)
	s.Call(1, 1, DataCall, 40, 90)
	s.Wait(1, 1, WaitReady, 50, 80)
	s.Exit(1, 0, 100)
	got := s.Finish()
	for l, want := range map[Label]int64{CPU: 30, PageCache: 20, Ready: 50} {
		if got.Label[l] != want {
			t.Errorf("%s: %d ns, want %d", l, got.Label[l], want)
		}
	}
	if got.Disk != 0 || got.Wake != 0 || got.Running() != 100 {
		t.Errorf("%d ns on the disk and %d until it woke up, want none; ready or running for %d, want 100", got.Disk,
			got.Wake, got.Running())
	}
}

func TestMarksAreExact(t *testing.T) {
	s := NewStack(Window{Start: 0, Wall: 100, End: 100, Waits: true})
	s.Begin(1, 1, 0)
	var at []int64
	s.Mark(30, func(sum *Times) { at = append(at, sum.Label[CPU]) })
	s.Call(1, 1, MetaCall, 10, 20)
	s.Mark(500, func(sum *Times) { at = append(at, sum.Label[CPU]) })
	s.Call(1, 1, MetaCall, 40, 50)
	s.Finish()
	if len(at) != 2 || at[0] != 20 || at[1] != 80 {
		t.Errorf("marks saw %v, want [20 80]", at)
	}
}

// TestSilentThread: a thread that is not heard of any more does not run.
func TestSilentThread(t *testing.T) {
	s := NewStack(Window{Wall: 100, End: 100, Waits: true, Last: func(uint32) int64 { return 20 }})
	s.Call(1, 1, MetaCall, 10, 15)
	s.Call(1, 1, MetaCall, 18, 20)
	sum := s.Finish()
	if sum.Label[CPU] != 3 || sum.Label[Waiting] != 10+80 {
		t.Errorf("cpu %d, waiting %d; want 3, 90", sum.Label[CPU], sum.Label[Waiting])
	}
}

func BenchmarkStack(b *testing.B) {
	s := NewStack(Window{Wall: 1 << 60, End: 1 << 60, Waits: true})
	for i := range int64(b.N) {
		s.Call(1, uint32(i&7), DataCall, i*100, i*100+250)
	}
}

// Threads that are heard of one after the other take no memory once nothing is heard of them any more.
func TestThreadsAreForgotten(t *testing.T) {
	const threads = 1000
	s := NewStack(Window{Wall: threads * 10, End: threads * 10, Waits: true, Last: func(tid uint32) int64 {
		return int64(tid)*10 + 5
	}})
	most := 0
	for tid := range uint32(threads) {
		at := int64(tid) * 10
		s.Begin(tid, tid, at)
		s.Call(tid, tid, DataCall, at+1, at+4)
		s.Wait(tid, tid, WaitOther, at+2, at+5)
		most = max(most, len(s.threads))
	}
	s.Finish()
	if most > 3 || len(s.threads) > 1 {
		t.Errorf("%d threads at once, %d in the end", most, len(s.threads))
	}
}
