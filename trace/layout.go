package trace

import (
	"fmt"
	"slices"
)

// A layout connects a kind of event with its slice in a Batch and its table in
// the file.
type layout interface {
	count(b *Batch) int
	reset(b *Batch)
	time(b *Batch, i int) (ended int64, ok bool) // of event i; false if there is none
	span(b *Batch, s *Span)                      // widens s by the times of all events
	append(e *encoder, b *Batch)
	read(d *decoder, payload []byte, n int) error // appends n events to d.batch, or none
	cut(b *Batch, n int)                          // drops all events but the first n
	sift(d *decoder, from int) error              // drops the events from a row on that cannot be true
}

// layouts are indexed by Kind.
var layouts = [...]layout{
	KindSyscall: events[Syscall]{syscallTable, 16, func(b *Batch) *[]Syscall { return &b.Syscalls }, (*Syscall).judge, (*Syscall).End},
	KindAsyncOp: events[AsyncOp]{asyncOpTable, 11, func(b *Batch) *[]AsyncOp { return &b.AsyncOps },
		(*AsyncOp).judge, func(a *AsyncOp) int64 { return a.Complete }},
	KindFault: events[Fault]{faultTable, 7, func(b *Batch) *[]Fault { return &b.Faults },
		(*Fault).judge, func(f *Fault) int64 { return f.Start + f.Duration }},
	KindRequest: events[Request]{requestTable, 19, func(b *Batch) *[]Request { return &b.Requests },
		(*Request).judge, func(r *Request) int64 { return r.Completed }},
	KindWait: events[Wait]{waitTable, 5, func(b *Batch) *[]Wait { return &b.Waits },
		(*Wait).judge, func(w *Wait) int64 { return w.Start + w.Duration }},
	KindProcess: events[Process]{processTable, 11, func(b *Batch) *[]Process { return &b.Processes },
		(*Process).judge, func(p *Process) int64 { return p.Time }},
	KindFile: events[File]{fileTable, 10, func(b *Batch) *[]File { return &b.Files },
		(*File).judge, func(f *File) int64 { return f.Time }},
	KindDevice: events[Device]{deviceTable, 15, func(b *Batch) *[]Device { return &b.Devices },
		(*Device).judge, func(d *Device) int64 { return d.Time }},
	KindLost: events[Lost]{lostTable, 5, func(b *Batch) *[]Lost { return &b.Lost },
		(*Lost).judge, func(l *Lost) int64 { return l.To }},
}

// known reports whether k is a kind of event that this version knows.
func (k Kind) known() bool { return k > 0 && int(k) < len(layouts) }

// events is the layout of one kind.
type events[T any] struct {
	table table[T]
	first int // columns that the first version had: no writer leaves them out
	rows  func(*Batch) *[]T
	judge func(*T, *ledger, *amount) string // says what is impossible, "" if nothing is; counts the event
	end   func(*T) int64
}

func (l events[T]) count(b *Batch) int { return len(*l.rows(b)) }

func (l events[T]) reset(b *Batch) {
	rows := l.rows(b)
	*rows = (*rows)[:0]
}

func (l events[T]) time(b *Batch, i int) (int64, bool) {
	rows := *l.rows(b)
	if i >= len(rows) {
		return 0, false
	}
	return l.end(&rows[i]), true
}

func (l events[T]) span(b *Batch, s *Span) {
	rows := *l.rows(b)
	for i := range rows {
		t := l.end(&rows[i])
		s.From, s.To = min(s.From, t), max(s.To, t)
	}
}

func (l events[T]) append(e *encoder, b *Batch) {
	rows := *l.rows(b)
	e.contexts.reset(len(rows))
	appendTable(e, l.table, rows)
}

func (l events[T]) read(d *decoder, payload []byte, n int) error {
	rows := l.rows(d.batch)
	old := len(*rows)
	extents, parents := len(d.batch.extents), len(d.batch.parents)
	*rows = slices.Grow(*rows, n)[:old+n]
	d.contexts.reset(n)
	if err := readTable(d, l.table, l.first, payload, (*rows)[old:], l.filled(d)); err != nil {
		*rows = (*rows)[:old]
		d.batch.extents, d.batch.parents = d.batch.extents[:extents], d.batch.parents[:parents]
		return err
	}
	return nil
}

func (l events[T]) cut(b *Batch, n int) {
	rows := l.rows(b)
	*rows = (*rows)[:n]
}

// filled is what looks at the rows while they are in the caches of the processor;
// nil if it has to wait, because there are columns that are read later.
func (l events[T]) filled(d *decoder) func([]T) {
	for _, c := range l.table {
		if _, ok := c.(whole[T]); ok || d.sieve.ledger == nil {
			return nil
		}
	}
	return func(rows []T) { l.look(&d.sieve, rows) }
}

// look judges the next rows.
func (l events[T]) look(s *sieve, rows []T) {
	for i := range rows {
		if why := l.judge(&rows[i], s.ledger, &s.sum); why != "" {
			s.reject(s.seen+i, why)
		}
	}
	s.seen += len(rows)
}

func (l events[T]) sift(d *decoder, from int) error {
	rows, s := (*l.rows(d.batch))[from:], &d.sieve
	l.look(s, rows[s.seen:])
	if err := s.ledger.spend(s.sum); err != nil {
		l.cut(d.batch, from)
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
	l.cut(d.batch, from+kept)
	return fmt.Errorf("%d events are impossible and left out; the first, in row %d: %s", len(rows)-kept, s.rejected[0], s.why)
}
