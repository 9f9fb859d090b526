package trace

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Few different times, so that many events end at once.
		time := rapid.Int64Range(-3, 5)
		times := func() []int64 { return rapid.SliceOfN(time, 0, 10).Draw(t, "times") }
		b := new(Batch)
		for _, at := range times() {
			b.Syscalls = append(b.Syscalls, Syscall{Start: at - 7, Duration: 7})
		}
		for _, at := range times() {
			b.Requests = append(b.Requests, Request{Completed: at})
		}
		for _, at := range times() {
			b.Files = append(b.Files, File{Time: at})
		}
		for _, at := range times() {
			b.Lost = append(b.Lost, Lost{To: at})
		}
		sorted := rapid.Bool().Draw(t, "sorted")
		if sorted {
			slices.SortFunc(b.Syscalls, func(x, y Syscall) int { return int(x.End() - y.End()) })
			slices.SortFunc(b.Requests, func(x, y Request) int { return int(x.Completed - y.Completed) })
			slices.SortFunc(b.Files, func(x, y File) int { return int(x.Time - y.Time) })
			slices.SortFunc(b.Lost, func(x, y Lost) int { return int(x.To - y.To) })
		}

		next := map[Kind]int{}
		var last Event
		n := 0
		for e := range b.InOrder() {
			at, ok := b.ended(e.Kind, e.Index)
			if !ok || e.Time != at || e.Index != next[e.Kind] {
				t.Fatalf("%v ended at %d, expected index %d", e, at, next[e.Kind])
			}
			next[e.Kind]++
			if sorted && n > 0 {
				if e.Time < last.Time {
					t.Fatalf("%v comes after %v", e, last)
				}
				if e.Time == last.Time && slices.Index(KindOrder[:], e.Kind) < slices.Index(KindOrder[:], last.Kind) {
					t.Fatalf("%v comes after %v, which ended at the same time", e, last)
				}
			}
			last = e
			n++
		}
		if n != b.Len() {
			t.Fatalf("%d of %d events visited", n, b.Len())
		}
	})
}

func TestInOrderStops(t *testing.T) {
	b := &Batch{Waits: make([]Wait, 5), Faults: make([]Fault, 5)}
	n := 0
	for range b.InOrder() {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Error(n)
	}
}

func TestInOrderAllocatesNothing(t *testing.T) {
	b := &Batch{Waits: make([]Wait, 100), Syscalls: make([]Syscall, 100)}
	var sum int64
	if n := testing.AllocsPerRun(10, func() {
		for e := range b.InOrder() {
			sum += e.Time
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
