package whatif

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// asks makes threads ask for the requests that they did ask for.
func (t *tying) asks() {
	t.asked, t.behind = make([]int32, len(t.requests)), make([]int32, len(t.requests))
	for i := range t.asked {
		t.asked[i], t.behind[i] = int32(i), noRequest
	}
	t.inOrder()
	t.flushed()
	t.inOrder()
	for _, n := range t.asked {
		if h := t.asker(n); h != nil {
			r := &t.requests[n]
			if c := h.during(r.Queued); c != nil && c.Direct() && c.Moved > 0 {
				r.Direct, r.CallBytes = true, c.Moved
			}
			h.add(cutPoint{at: r.Queued, what: Submits, index: n})
		}
	}
}

func (t *tying) inOrder() {
	slices.SortStableFunc(t.asked, func(a, b int32) int {
		return cmp.Compare(t.requests[a].Queued, t.requests[b].Queued)
	})
}

// flushed puts what was queued with a flush before it behind that flush: the block layer makes one of a write that asks
// for it, and holds the write back until the flush is done.
func (t *tying) flushed() {
	last := map[uint32]int32{} // of each thread
	for _, n := range t.asked {
		r := &t.requests[n]
		if before, ok := last[r.Thread]; ok {
			f := &t.requests[before]
			if f.Op == trace.ReqFlush && f.Device == r.Device && f.Queued == r.Queued && f.Completed <= r.issued {
				t.behind[n], r.Queued = before, r.issued
			}
		}
		last[r.Thread] = n
	}
}

// asker is the recorded thread that asked for a request, nil if none did: also if the one that it is of was asleep.
func (t *tying) asker(n int32) *history {
	r := &t.requests[n]
	h := t.threads[r.Thread]
	if h != nil && h.known() && (!h.helps || h.since < r.Queued) && h.asleep(r.Queued) == nil && t.behind[n] == noRequest {
		return h
	}
	return nil
}
