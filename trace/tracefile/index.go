package tracefile

import "github.com/iotrace/iotrace/trace"

// Span is a stretch of a trace: one batch, or several that follow each other.
type Span struct {
	Offset int64                  `column:"1 previous"`   // of its first frame, bytes from the start of the trace
	Batch  uint32                 `column:"2 previous"`   // number of its first batch, from 1
	From   int64                  `column:"3 previous"`   // ns: when its first event ended
	To     int64                  `column:"4 above From"` // ns: when its last event ended
	Counts [trace.NumKinds]uint64 // events by Kind
}

// maxSpans is the length of an index. A long trace has longer spans instead of
// more, so that the index has a fixed size however long the recording goes on.
const maxSpans = 4096

// index collects the spans of a trace.
type index struct {
	spans []Span
	per   int // batches in each span
	last  int // batches in the last one
}

func (x *index) add(s Span) {
	if x.last > 0 && x.last < x.per {
		x.spans[len(x.spans)-1].join(s)
		x.last++
		return
	}
	if len(x.spans) == maxSpans {
		for i := range maxSpans / 2 {
			x.spans[i] = x.spans[2*i]
			x.spans[i].join(x.spans[2*i+1])
		}
		x.spans = x.spans[:maxSpans/2]
		x.per *= 2
	}
	x.per = max(x.per, 1)
	x.spans = append(x.spans, s)
	x.last = 1
}

// join appends next, the span that follows s.
func (s *Span) join(next Span) {
	s.From, s.To = min(s.From, next.From), max(s.To, next.To)
	for k, n := range next.Counts {
		s.Counts[k] += n
	}
}

// spanTable is the layout of the index frame and, with one row, of the frame
// that ends a batch. There is one more column for each new kind of event.
var spanTable = func() table[Span] {
	counts := map[int]column[Span]{}
	for k := trace.KindSyscall; k < trace.NumKinds; k++ {
		counts[4+int(k)] = derived(
			func(s *Span) int64 { return int64(s.Counts[k]) }, func(s *Span, n int64) { s.Counts[k] = uint64(n) })
	}
	return columnsOf(counts)
}()

// readSpans reads n rows of spanTable.
func readSpans(d *columnDecoder, payload []byte, n int) ([]Span, error) {
	d.Begin(n)
	spans := make([]Span, n)
	return spans, readRows(d, spanTable, 0, payload, spans, nil)
}
