package tracefile

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// A layout connects a kind of event with its slice in a Batch and its table in
// the file.
type layout interface {
	count(b *trace.Batch) int
	append(e *columnEncoder, b *trace.Batch)
	read(d *columnDecoder, s *rejects, payload []byte, n int) error // appends n events to d.batch, or none
	cut(b *trace.Batch, n int)                                      // drops all events but the first n
	sift(s *rejects, b *trace.Batch, from int) error                // drops the events from a row on that cannot be true
}

// layouts are indexed by Kind.
var layouts = [...]layout{
	trace.KindSyscall: events[trace.Syscall]{syscallTable, 16,
		func(b *trace.Batch) *[]trace.Syscall { return &b.Syscalls }, judgeCall},
	trace.KindAsyncOp: events[trace.AsyncOp]{columnsOf[trace.AsyncOp](nil), 11,
		func(b *trace.Batch) *[]trace.AsyncOp { return &b.AsyncOps }, judgeAsync},
	trace.KindFault: events[trace.Fault]{columnsOf[trace.Fault](nil), 7,
		func(b *trace.Batch) *[]trace.Fault { return &b.Faults }, judgeFault},
	trace.KindRequest: events[trace.Request]{requestTable, 19,
		func(b *trace.Batch) *[]trace.Request { return &b.Requests }, judgeRequest},
	trace.KindWait: events[trace.Wait]{waitTable, 5,
		func(b *trace.Batch) *[]trace.Wait { return &b.Waits }, judgeWait},
	trace.KindProcess: events[trace.Process]{columnsOf[trace.Process](nil), 11,
		func(b *trace.Batch) *[]trace.Process { return &b.Processes }, judgeProcess},
	trace.KindFile: events[trace.File]{columnsOf[trace.File](nil), 10,
		func(b *trace.Batch) *[]trace.File { return &b.Files }, judgeFile},
	trace.KindDevice: events[trace.Device]{deviceTable, 15,
		func(b *trace.Batch) *[]trace.Device { return &b.Devices }, judgeDevice},
	trace.KindLost: events[trace.Lost]{columnsOf[trace.Lost](nil), 5,
		func(b *trace.Batch) *[]trace.Lost { return &b.Lost }, judgeLost},
	trace.KindRPC: events[trace.RPC]{columnsOf[trace.RPC](nil), 17,
		func(b *trace.Batch) *[]trace.RPC { return &b.RPCs }, judgeRPC},
}

// decodable reports whether k is a kind of event that this version knows.
func decodable(k trace.Kind) bool { return k > 0 && int(k) < len(layouts) }

// events is the layout of one kind.
type events[T any] struct {
	table table[T]
	first int // columns that the first version had: no writer leaves them out
	rows  func(*trace.Batch) *[]T
	judge func(*T, *totals, *amount) string // says what is impossible, "" if nothing is; counts the event
}

func (l events[T]) count(b *trace.Batch) int { return len(*l.rows(b)) }

func (l events[T]) append(e *columnEncoder, b *trace.Batch) {
	rows := *l.rows(b)
	e.Begin(len(rows))
	appendRows(e, l.table, rows)
}

func (l events[T]) read(d *columnDecoder, s *rejects, payload []byte, n int) error {
	rows := l.rows(d.Batch)
	old := len(*rows)
	extents, parents := len(d.Batch.Extents), len(d.Batch.Parents)
	*rows = slices.Grow(*rows, n)[:old+n]
	d.Begin(n)
	if err := readRows(d, l.table, l.first, payload, (*rows)[old:], l.filled(s)); err != nil {
		*rows = (*rows)[:old]
		d.Batch.Extents, d.Batch.Parents = d.Batch.Extents[:extents], d.Batch.Parents[:parents]
		return err
	}
	return nil
}

func (l events[T]) cut(b *trace.Batch, n int) {
	rows := l.rows(b)
	*rows = (*rows)[:n]
}

// filled is what looks at the rows while they are in the caches of the processor;
// nil if it has to wait, because there are columns that are read later.
func (l events[T]) filled(s *rejects) func([]T) {
	if s.totals == nil || !numeric(l.table) {
		return nil
	}
	return func(rows []T) { l.look(s, rows) }
}

// look judges the next rows.
func (l events[T]) look(s *rejects, rows []T) {
	for i := range rows {
		if why := l.judge(&rows[i], s.totals, &s.sum); why != "" {
			s.reject(s.seen+i, why)
		}
	}
	s.seen += len(rows)
}

func (l events[T]) sift(s *rejects, b *trace.Batch, from int) error {
	rows := (*l.rows(b))[from:]
	l.look(s, rows[s.seen:])
	if err := s.totals.spend(s.sum); err != nil {
		l.cut(b, from)
		return err
	}
	if len(s.rejected) == 0 {
		return nil
	}
	kept, next := 0, 0
	for i := range rows {
		if next < len(s.rejected) && s.rejected[next] == i {
			next++
			continue
		}
		rows[kept] = rows[i]
		kept++
	}
	l.cut(b, from+kept)
	return fmt.Errorf("%d events are impossible and left out; the first, in row %d: %s",
		len(rows)-kept, s.rejected[0], s.why)
}
