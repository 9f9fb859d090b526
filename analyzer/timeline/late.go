// Package timeline puts the events of a trace into the order in which they
// began, and follows what was in flight at each instant.
//
// A trace is ordered by the ends of events: a call of an hour comes an hour
// after it began. A first reading finds the events that come late (Late). The
// second one holds back a short stretch of time, puts the late ones where they
// belong and hands on every event in the order of its start (Order). Memory
// depends on how much is in flight, not on how long the trace is.
package timeline

import (
	"math"
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// maxLate is how many late events are kept. Should there be more, the stretch
// of time that is held back grows until they fit.
const maxLate = 1 << 17

// Late collects, in a first reading, the events that began so long before they
// were written that Order could not wait for them. The zero value is ready.
type Late struct {
	horizon int64 // ns that Order holds back
	high    int64 // latest end in the batches before this one
	events  []late
	limit   int // of events, for tests; 0 for maxLate
}

// late is one event that began more than the horizon before the end of the
// batch before its own.
type late struct {
	start, lag int64
	event      any // pointer to a copy
}

// Add looks through the next batch of the trace.
func (l *Late) Add(b *trace.Batch) {
	high := max(l.high,
		collect(l, b.Syscalls, syscallTimes), collect(l, b.AsyncOps, asyncTimes), collect(l, b.Faults, faultTimes),
		collect(l, b.RPCs, rpcTimes), collect(l, b.Waits, waitTimes), collect(l, b.Processes, processTimes),
		collect(l, b.Requests, func(e *trace.Request) (start, end int64) {
			start, end = requestTimes(e)
			if len(e.More) > 0 && start < l.high-l.horizon {
				e.More = slices.Clone(e.More) // outlives the batch
			}
			return start, end
		}))
	for i := range b.Requests {
		if start := queueStart(&b.Requests[i]); start != none && start < l.high-l.horizon {
			e := queued(b.Requests[i])
			e.More = nil
			l.events = append(l.events, late{start, l.high - start, &e})
		}
	}
	l.high = high
	limit := l.limit
	if limit == 0 {
		limit = maxLate
	}
	for len(l.events) > limit {
		l.widen()
	}
}

// collect keeps the events that come late, and returns when the last one ended.
func collect[E any](l *Late, events []E, times func(*E) (start, end int64)) (high int64) {
	limit := l.high - l.horizon
	for i := range events {
		s, end := times(&events[i])
		if high = max(high, end); s < limit {
			e := events[i]
			l.events = append(l.events, late{s, l.high - s, &e})
		}
	}
	return high
}

// widen lets Order wait longer, so that it needs only half of the late events.
func (l *Late) widen() {
	lags := make([]int64, len(l.events))
	for i, e := range l.events {
		lags[i] = e.lag
	}
	slices.Sort(lags)
	l.horizon = lags[len(lags)/2]
	l.events = slices.DeleteFunc(l.events, func(e late) bool { return e.lag <= l.horizon })
}

// none is the start of what did not take place.
const none = math.MinInt64

// queueStart is when a request arrived in the block layer, if it had to wait
// there.
func queueStart(e *trace.Request) int64 {
	if e.Queued < 0 || e.Queued >= e.Issued {
		return none
	}
	return e.Queued
}

// queueTimes are those of its time there.
func queueTimes(e *trace.Request) (start, end int64) { return queueStart(e), 0 }

// What events claim: one that ended before it began counts as ended when it began.

func syscallTimes(e *trace.Syscall) (start, end int64) { return e.Start, max(e.Start, e.End()) }
func asyncTimes(e *trace.AsyncOp) (start, end int64)   { return e.Submit, max(e.Submit, e.Complete) }
func faultTimes(e *trace.Fault) (start, end int64)     { return e.Start, e.Start + max(e.Duration, 0) }
func requestTimes(e *trace.Request) (start, end int64) { return e.Issued, max(e.Issued, e.Completed) }
func rpcTimes(e *trace.RPC) (start, end int64)         { return e.Start, e.Start + max(e.Duration, 0) }
func waitTimes(e *trace.Wait) (start, end int64)       { return e.Start, e.Start + max(e.Duration, 0) }
func processTimes(e *trace.Process) (start, end int64) { return e.Time, e.Time }
