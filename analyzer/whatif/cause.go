package whatif

import (
	"sort"

	"github.com/iotrace/iotrace/trace"
)

// How soon after its cause a request is asked for by a thread that was not
// recorded, such as one that writes back or commits the journal.
const (
	burstGap  = 2e5 // ns after the request before it
	answerGap = 3e5 // ns after a completion
	handGap   = 1e6 // ns after something that a recorded thread did
	streamGap = 5e6 // ns after the request before it, where nothing else explains it
)

// causes says when each request is asked for that no recorded thread asks for:
// after what came just before it. One that a limit held back, so that its thread
// slept when it was passed on, is held back for as long again.
func causes(t *tying) []anchor {
	list := make([]anchor, len(t.requests))
	before := map[uint32]int32{}
	for _, n := range t.asked {
		if t.asker(n) != nil {
			continue
		}
		r := &t.requests[n]
		if f := t.behind[n]; f != noRequest {
			list[n] = anchor{AfterDone, f, r.Queued - t.requests[f].Completed}
			continue
		}
		if h := t.threads[r.Thread]; h != nil && !(h.helps && r.Queued < h.since) {
			if w := h.asleep(r.Queued); w != nil {
				list[n] = t.heldBack(h, w, r)
				continue
			}
		}
		prev, ok := before[r.Thread]
		if !ok {
			prev = noRequest
		}
		list[n] = cause(t, r, prev)
		before[r.Thread] = n
	}
	return list
}

// heldBack is the cause of a request of a thread that slept: the block layer passed it on when another one was
// complete, as the flush behind a write, or a limit held it back for as long.
func (t *tying) heldBack(h *history, w *trace.Wait, r *Request) anchor {
	if n, lag := t.answered(r); n != noRequest && lag < switchLag {
		return anchor{AfterDone, n, lag}
	}
	mark, at := t.mark(wakeup{w.Start, h.thread})
	return anchor{AfterMark, mark, r.Queued - at}
}

// answered is the last request that was complete when another one was asked for, and how long before.
func (t *tying) answered(r *Request) (n int32, lag int64) {
	done := sort.Search(len(t.requests), func(i int) bool { return t.requests[i].Completed > r.Queued }) - 1
	if done < 0 {
		return noRequest, 0
	}
	return int32(done), r.Queued - t.requests[done].Completed
}

// cause finds the cause of a request that no recorded thread asked for; prev is
// the one before it of the same thread.
func cause(t *tying, r *Request, prev int32) anchor {
	sinceAsked := int64(1 << 62)
	if prev != noRequest {
		sinceAsked = r.Queued - t.requests[prev].Queued
	}
	if sinceAsked < burstGap {
		return anchor{AfterAsked, prev, sinceAsked}
	}
	if n, lag := t.answered(r); n != noRequest && lag < answerGap {
		return anchor{AfterDone, n, lag}
	}
	by, ok := t.wakeups.last(r.Queued)
	if end, over := t.returned(r.Queued); over {
		by, ok = end, true
	}
	switch {
	case ok && (r.Queued-by.at < handGap || sinceAsked >= streamGap):
		mark, at := t.mark(by)
		return anchor{AfterMark, mark, r.Queued - at}
	case sinceAsked < streamGap:
		return anchor{AfterAsked, prev, sinceAsked}
	}
	return anchor{What: AtTime, After: r.Queued}
}
