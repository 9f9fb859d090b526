package copies

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
)

// byFirstWrite puts the sessions that wrote each file in order.
func byFirstWrite(written map[*world.File][]*sink) {
	for _, sessions := range written {
		slices.SortStableFunc(sessions, func(s, o *sink) int { return cmp.Compare(s.Flow.First, o.Flow.First) })
	}
}

// turn is the time in which what a copy wrote was what its place held: until another session wrote
// there, and, if one had before, from its own first write on.
func (d *devices) turn(f *judgedCopy) turn {
	t := always
	if f.Out == nil || f.Writer == nil {
		return t
	}
	dest := place(f)
	sessions := d.written[f.Dest]
	next := d.after(f)
	for _, s := range sessions[next:] {
		if s != f.Writer && s.Written.Overlaps(&dest) {
			t.to = s.Flow.First
			break
		}
	}
	for _, s := range slices.Backward(sessions[:next]) {
		if s != f.Writer && s.Flow.Last <= f.Out.First && s.Written.Overlaps(&dest) {
			t.from = f.Out.First
			break
		}
	}
	return t
}

// after is the first of the sessions that began to write after a copy had written its last.
func (d *devices) after(f *judgedCopy) int {
	next, _ := slices.BinarySearchFunc(d.written[f.Dest], f.Out.Last, func(s *sink, at int64) int {
		return cmp.Compare(s.Flow.First, at)
	})
	return next
}

// place is where in its destination a copy lies.
func place(f *judgedCopy) (dest measure.Ranges) {
	dest.All(&f.Parts, f.DestAt-f.SourceAt)
	return dest
}
