package copies

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
)

// inParts joins what lay in parts in between, each in a file of its own: split and cat, or ranges that were downloaded
// one by one. Copies of a file to parts, and of these to another file, are one copy of the first to the last.
func inParts(list []judgedCopy, t *transfers, streams []route, read func() readings, c contents) []judgedCopy {
	into := map[*world.File][]*judgedCopy{}
	var order []*world.File
	for i := range list {
		f := &list[i]
		if into[f.Dest] == nil {
			order = append(order, f.Dest)
		}
		into[f.Dest] = append(into[f.Dest], f)
	}
	var whole []judgedCopy
	for _, dest := range order {
		last := into[dest]
		if !assembles(last, t) {
			continue
		}
		f := composed(into, last)
		if f == nil {
			f = fetched(last, t, streams, read, c)
		}
		if f == nil {
			continue
		}
		if same, known := c.same(f.Source, f.Dest); known && !same && f.Bytes == f.Source.Size {
			continue
		}
		whole = append(whole, *f)
	}
	return append(slices.DeleteFunc(list, func(f judgedCopy) bool {
		return slices.ContainsFunc(whole, func(w judgedCopy) bool {
			return f.Dest == w.Dest && slices.Contains(w.Through, f.Source) ||
				f.Source == w.Source && slices.Contains(w.Through, f.Dest)
		})
	}), whole...)
}

// assembles reports whether copies put a whole file together from several that the workload has written. It puts them
// into the order of their places.
func assembles(last []*judgedCopy, t *transfers) bool {
	slices.SortStableFunc(last, func(a, b *judgedCopy) int { return cmp.Compare(a.DestAt, b.DestAt) })
	at, dest := int64(0), last[0].Dest
	for i, f := range last {
		if f.DestAt != at || f.Interrupted || f.To != "" || f.Source == dest || len(t.Written[f.Source]) == 0 ||
			i > 0 && f.Source == last[i-1].Source {
			return false
		}
		at += f.Bytes
	}
	return len(last) > 1 && at == dest.Size
}

// composed is the copy of a file to parts, and of these to one file; nil if they are not all of one file, in order.
func composed(into map[*world.File][]*judgedCopy, last []*judgedCopy) *judgedCopy {
	var first []*judgedCopy
	distance := int64(0)
	for i, b := range last {
		k := slices.IndexFunc(into[b.Source], func(a *judgedCopy) bool {
			return !a.Interrupted && a.To == "" && a.DestAt <= b.SourceAt && b.SourceAt+b.Bytes <= a.DestAt+a.Bytes &&
				(i == 0 || a.Source == first[0].Source)
		})
		if k < 0 {
			return nil
		}
		a := into[b.Source][k]
		from := a.SourceAt + b.SourceAt - a.DestAt
		if i == 0 {
			distance = b.DestAt - from
		}
		if a.Source == b.Dest || b.DestAt-from != distance {
			return nil
		}
		first = append(first, a)
	}
	f := joinedTo(last)
	f.Source, f.ID, f.Reader, f.SourceAt = first[0].Source, first[0].ID, first[0].Reader, -distance
	f.Parts.Add(measure.Extent{From: f.SourceAt, To: f.SourceAt + f.Bytes})
	f.Evidence, f.Via = first[0].Evidence, first[0].Via
	f.Because = "the file was copied to parts, and these to the other file, in order"
	for i := range first {
		f.Calls.Merge(first[i].Calls)
		f.In = f.In.Join(first[i].In)
		for _, p := range first[i].Between {
			f.through(p)
		}
		f.Certainty = weaker(f.Certainty, first[i].Certainty)
	}
	return f
}

// fetched is the copy of a file of which parts came through streams, each into a file of its own; nil if something is
// missing. All sessions together read the whole of it, the streams carried as much, and both files hold the same.
func fetched(last []*judgedCopy, t *transfers, streams []route, read func() readings, c contents) *judgedCopy {
	held, known := c[last[0].Dest]
	if !known || last[0].Dest.Size < small {
		return nil
	}
	var sinks []*sink
	for _, b := range last {
		sinks = append(sinks, t.Written[b.Source]...)
	}
	for _, sources := range read()[sampleOf(held)] {
		if sources[0].File == last[0].Dest || sources[0].File.HadName(last[0].Dest.Path) {
			continue
		}
		ends := carry(streams, sources, sinks)
		if ends.carried < last[0].Dest.Size || !ends.Parts.Whole(last[0].Dest.Size) {
			continue
		}
		f := joinedTo(last)
		f.Source, f.ID, f.Reader, f.In, f.Parts = ends.Source, ends.ID, ends.Reader, ends.In, ends.Parts
		f.Evidence, f.Via, f.Certainty = "content", ends.Via, ""
		f.Calls.Merge(ends.Calls)
		f.Because = "the whole file was read at one end of streams, the parts were written at the other, the streams " +
			"carried as many bytes, and what was put together holds the same"
		for _, p := range ends.Between {
			f.through(p)
		}
		return f
	}
	return nil
}

// joinedTo is what the copies of parts to one file have in common.
func joinedTo(last []*judgedCopy) *judgedCopy {
	f := &judgedCopy{Dest: last[0].Dest, Into: last[0].Into, Writer: last[0].Writer, Certainty: Certain}
	for _, b := range last {
		f.Bytes += b.Bytes
		f.Out = f.Out.Join(b.Out)
		f.Calls.Merge(b.Calls)
		f.Through = append(f.Through, b.Source)
		for _, p := range b.Between {
			f.through(p)
		}
		f.Certainty = weaker(f.Certainty, b.Certainty)
	}
	return f
}

// weaker is the lower one of two certainties.
func weaker(a, b string) string {
	order := []string{Certain, Traced, Checked, Likely, "", SameSize}
	return order[max(slices.Index(order, a), slices.Index(order, b))]
}
