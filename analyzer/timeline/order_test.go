package timeline

import (
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/trace"
)

// seen records what an Order hands on.
type seen struct {
	starts []int64
	calls  []trace.Syscall
	reqs   []trace.Request
	n      int
	queued int
}

func (s *seen) at(t int64) { s.starts = append(s.starts, t); s.n++ }

func (s *seen) Syscall(e *trace.Syscall) { s.at(e.Start); s.calls = append(s.calls, *e) }
func (s *seen) AsyncOp(e *trace.AsyncOp) { s.at(e.Submit) }
func (s *seen) Fault(e *trace.Fault)     { s.at(e.Start) }
func (s *seen) RPC(e *trace.RPC)         { s.at(e.Start) }
func (s *seen) Wait(e *trace.Wait)       { s.at(e.Start) }
func (s *seen) Process(e *trace.Process) { s.at(e.Time) }
func (s *seen) Flush()                   {}
func (s *seen) Queued(e *trace.Request) {
	s.starts = append(s.starts, e.Queued)
	s.queued++
}
func (s *seen) Request(e *trace.Request) {
	s.at(e.Issued)
	r := *e
	r.More = slices.Clone(e.More)
	s.reqs = append(s.reqs, r)
}

// TestOrderOfStarts: every event comes out once, in the order of starts,
// whatever the lengths and however few events may be late.
func TestOrderOfStarts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		batches := randomBatches(t)
		late := Late{limit: rapid.IntRange(1, 40).Draw(t, "limit")}
		total := 0
		for _, b := range batches {
			late.Add(copyOf(b))
			total += b.Len()
		}
		got := &seen{}
		freed := 0
		o := NewOrder(&late, func(b *trace.Batch) { *b, freed = trace.Batch{}, freed+1 }, got)
		for _, b := range batches {
			o.Add(copyOf(b))
		}
		o.Finish()
		if freed != len(batches) {
			t.Fatalf("%d of %d batches were freed", freed, len(batches))
		}
		if held := len(o.pending) + len(o.late); got.n != total || held != 0 {
			t.Fatalf("%d of %d events came out, %d are held", got.n, total, held)
		}
		waited := 0
		for _, b := range batches {
			for i := range b.Requests {
				if queueStart(&b.Requests[i]) != none {
					waited++
				}
			}
		}
		if got.queued != waited {
			t.Fatalf("%d of %d times in the queue came out", got.queued, waited)
		}
		if !slices.IsSorted(got.starts) {
			t.Fatalf("out of order: %v", got.starts)
		}
		ids := map[int64]bool{}
		for _, c := range got.calls {
			if ids[c.Requested] {
				t.Fatalf("call %d came out twice", c.Requested)
			}
			ids[c.Requested] = true
		}
		for _, r := range got.reqs {
			if len(r.More) > 0 && r.More[0].Bytes != r.Bytes {
				t.Fatal("the extents of a late request were overwritten")
			}
		}
	})
}

// randomBatches are events of all kinds, ordered by their ends with a little
// disorder, cut into batches.
func randomBatches(t *rapid.T) []*trace.Batch {
	type event struct {
		span
		kind int
	}
	var events []event
	for _, s := range spans(t) {
		events = append(events, event{s, rapid.IntRange(0, 5).Draw(t, "kind")})
	}
	sort.SliceStable(events, func(i, j int) bool { return events[i].end < events[j].end })
	for i := 1; i < len(events); i++ {
		if rapid.IntRange(0, 9).Draw(t, "swap") == 0 {
			events[i-1], events[i] = events[i], events[i-1]
		}
	}
	var batches []*trace.Batch
	b := &trace.Batch{}
	for i, e := range events {
		length := e.end - e.start
		switch e.kind {
		case 0:
			b.Syscalls = append(b.Syscalls, trace.Syscall{Start: e.start, Duration: length, Requested: int64(i)})
		case 1:
			b.AsyncOps = append(b.AsyncOps, trace.AsyncOp{Submit: e.start, Complete: e.end})
		case 2:
			b.Faults = append(b.Faults, trace.Fault{Start: e.start, Duration: length})
		case 3:
			b.Requests = append(b.Requests, trace.Request{Queued: e.start - int64(i%3)*20, Issued: e.start, Completed: e.end,
				Bytes: int64(i),
				More:  []trace.Extent{{Bytes: int64(i)}}})
		case 4:
			b.Waits = append(b.Waits, trace.Wait{Start: e.start, Duration: length})
		case 5:
			b.Processes = append(b.Processes, trace.Process{Time: e.end})
		}
		if rapid.IntRange(0, 7).Draw(t, "cut") == 0 {
			batches = append(batches, b)
			b = &trace.Batch{}
		}
	}
	return append(batches, b)
}

// copyOf copies a batch as a reader would fill it: the reader keeps and
// overwrites the extents.
func copyOf(b *trace.Batch) *trace.Batch {
	c := &trace.Batch{
		Syscalls: slices.Clone(b.Syscalls), AsyncOps: slices.Clone(b.AsyncOps), Faults: slices.Clone(b.Faults),
		Requests: slices.Clone(b.Requests), Waits: slices.Clone(b.Waits), Processes: slices.Clone(b.Processes),
	}
	for i := range c.Requests {
		c.Requests[i].More = slices.Clone(c.Requests[i].More)
	}
	return c
}
