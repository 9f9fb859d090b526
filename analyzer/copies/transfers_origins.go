package copies

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
)

// rule says where in a source the n bytes that were written at a place come from;
// it does not hold if they cannot.
type rule func(src *source, at, n int64) (from int64, holds bool)

// origins are the rules, best first.
var origins = []rule{
	func(src *source, at, n int64) (int64, bool) { // one of the last reads, at the same place
		e := measure.Extent{From: at, To: at + n}
		return at, slices.ContainsFunc(src.last, func(r readCall) bool { return r.Extent == e }) && !src.Consumed.Has(e)
	},
	func(src *source, _, n int64) (int64, bool) { // what was read last, and only that
		e := src.latest()
		return e.From, e.Bytes() == n && !src.Consumed.Has(e)
	},
	func(src *source, _, n int64) (int64, bool) { // all that waits
		e := src.Read.Missing(&src.Consumed)
		return e.From, e.Bytes() == n
	},
	func(src *source, at, n int64) (int64, bool) { // the same place
		return at, !src.Consumed.Has(measure.Extent{From: at, To: at + n})
	},
	func(src *source, _, n int64) (int64, bool) { // the first that waits
		e := src.Read.Missing(&src.Consumed)
		return e.From, e.Bytes() >= n
	},
	func(src *source, _, n int64) (int64, bool) { // what was read last, once more
		e := src.latest()
		return e.From, e.Bytes() == n
	},
	func(src *source, at, _ int64) (int64, bool) { return at, true }, // the same place, once more
}

// passedOn is the first of the origins that takes bytes a second time.
const passedOn = 5

// originIn is where in a source the n bytes that were written at a place come from,
// and by which rule; none if they cannot.
func originIn(src *source, at, n int64) (from int64, rank int, ok bool) {
	for i, r := range origins {
		if from, ok := r(src, at, n); ok && src.Read.Has(measure.Extent{From: from, To: from + n}) {
			return from, i, true
		}
	}
	return 0, 0, false
}
