// Package timeline puts the events of a trace into the order in which they
// began, and follows what was in flight at each instant.
//
// A trace is ordered by the ends of events: a call of an hour comes an hour
// after it began. A first reading finds the events that come late (Late); the
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
	collect(l, b.Syscalls, syscallStart)
	collect(l, b.AsyncOps, asyncStart)
	collect(l, b.Faults, faultStart)
	collect(l, b.Waits, waitStart)
	collect(l, b.Processes, processStart)
	collect(l, b.Requests, func(e *trace.Request) int64 {
		start := requestStart(e)
		if len(e.More) > 0 && start < l.high-l.horizon {
			e.More = slices.Clone(e.More) // outlives the batch
		}
		return start
	})
	for i := range b.Requests {
		if start := queueStart(&b.Requests[i]); start != none && start < l.high-l.horizon {
			e := queued(b.Requests[i])
			e.More = nil
			l.events = append(l.events, late{start, l.high - start, &e})
		}
	}
	l.high = max(l.high, latest(b))
	limit := l.limit
	if limit == 0 {
		limit = maxLate
	}
	for len(l.events) > limit {
		l.widen()
	}
}

func collect[E any](l *Late, events []E, start func(*E) int64) {
	limit := l.high - l.horizon
	for i := range events {
		if s := start(&events[i]); s < limit {
			e := events[i]
			l.events = append(l.events, late{s, l.high - s, &e})
		}
	}
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

func syscallStart(e *trace.Syscall) int64 { return e.Start }
func asyncStart(e *trace.AsyncOp) int64   { return e.Submit }
func faultStart(e *trace.Fault) int64     { return e.Start }
func requestStart(e *trace.Request) int64 { return e.Issued }
func waitStart(e *trace.Wait) int64       { return e.Start }
func processStart(e *trace.Process) int64 { return e.Time }

// latest is the end of the event of a batch that ended last. An event that
// claims to have ended before it began counts as ended when it began.
func latest(b *trace.Batch) int64 {
	high := int64(0)
	for i := range b.Syscalls {
		high = max(high, b.Syscalls[i].Start, b.Syscalls[i].End())
	}
	for i := range b.AsyncOps {
		high = max(high, b.AsyncOps[i].Submit, b.AsyncOps[i].Complete)
	}
	for i := range b.Faults {
		high = max(high, b.Faults[i].Start, b.Faults[i].Start+b.Faults[i].Duration)
	}
	for i := range b.Requests {
		high = max(high, b.Requests[i].Issued, b.Requests[i].Completed)
	}
	for i := range b.Waits {
		high = max(high, b.Waits[i].Start, b.Waits[i].Start+b.Waits[i].Duration)
	}
	for i := range b.Processes {
		high = max(high, b.Processes[i].Time)
	}
	return high
}
