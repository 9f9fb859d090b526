package whatif

import (
	"cmp"
	"maps"
	"slices"
	"sort"

	"github.com/iotrace/iotrace/analyzer/program"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// page is what a fault waits for.
const page = 4096

// access is a part of a file that a call or an asynchronous operation moved.
type access struct {
	*program.Step
	by *history
}

// end is where it ends in the file: a page is touched as a whole.
func (a *access) end() int64 {
	if a.Page {
		return a.Offset + page
	}
	return a.Offset + a.Moved
}

// data makes threads need the requests that brought the data they read, also where
// those were complete already: at the earliest when they were, so that the recording
// follows from itself. Of several requests for a part of a file the last one counts.
func data(e *events, threads []*history) {
	reads, writes := map[trace.FileID][]access{}, map[trace.FileID][]access{}
	for _, h := range threads {
		for i := range h.calls {
			c := &h.calls[i]
			f := e.files[c.File]
			if f != nil && len(f.reads) > 0 && c.Op.Reads() && (c.Moved > 0 || c.Page) && c.Offset >= 0 {
				reads[c.File] = append(reads[c.File], access{c, h})
			}
		}
		for i := range h.asyncs {
			a, list := &h.asyncs[i], writes
			if a.Op.Reads() {
				list = reads
			}
			if e.files[a.File] != nil && a.Moved > 0 && a.Offset >= 0 {
				list[a.File] = append(list[a.File], access{a, h})
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(reads)) {
		brought(e.requests, e.files[id].reads, reads[id])
	}
	for _, id := range slices.Sorted(maps.Keys(writes)) {
		brought(e.requests, e.files[id].writes, writes[id])
	}
}

// brought follows the requests for a file and what was done with its data in the
// order of time.
func brought(requests []Request, list []piece, accesses []access) {
	sorting.Stably(accesses, func(a, b access) int { return cmp.Compare(a.End, b.End) })
	latest, next := newLatest(list), 0
	for _, a := range accesses {
		for ; next < len(list) && requests[list[next].request].Completed <= a.End; next++ {
			latest.put(list[next])
		}
		n := latest.of(a.Offset, a.end())
		if n == noRequest {
			continue
		}
		r, at := &requests[n], a.End
		switch {
		case a.API != 0 && (r.Queued < a.Start || r.Thread != a.by.thread):
			continue // another operation's
		case a.API == 0 && r.Queued >= a.Start:
			continue // asked for in the call, which waits for it if it has to
		case a.API == 0:
			at = max(a.Start, r.Completed)
		}
		a.by.add(cutPoint{at: at, what: Needs, index: n})
	}
}

// latest knows of a file which request was the last one for each part of it: a
// tree over the places where pieces begin and end.
type latest struct {
	places []int64
	whole  []int32 // of each node: the last request for all of it
	part   []int32 // the last one for any of it
}

func newLatest(list []piece) *latest {
	places := make([]int64, 0, 2*len(list))
	for _, p := range list {
		places = append(places, p.offset, p.offset+p.bytes)
	}
	slices.Sort(places)
	places = slices.Compact(places)
	l := &latest{places: places, whole: make([]int32, 2*len(places)), part: make([]int32, 2*len(places))}
	for i := range l.whole {
		l.whole[i], l.part[i] = noRequest, noRequest
	}
	return l
}

// leaves are the nodes of a range: from the first to before the last.
func (l *latest) leaves(from, to int64) (int, int) {
	n := len(l.places)
	first := sort.Search(n, func(i int) bool { return l.places[i] > from }) - 1
	last := sort.Search(n, func(i int) bool { return l.places[i] >= to })
	return max(first, 0) + n, last + n
}

// put notes a piece of a later request than all before it.
func (l *latest) put(p piece) {
	first, last := l.leaves(p.offset, p.offset+p.bytes)
	if first >= last {
		return
	}
	for i, k := first, last; i < k; i, k = i/2, k/2 {
		if i%2 == 1 {
			l.whole[i], l.part[i] = p.request, p.request
			i++
		}
		if k%2 == 1 {
			k--
			l.whole[k], l.part[k] = p.request, p.request
		}
	}
	for i, k := first/2, (last-1)/2; i > 0; i, k = i/2, k/2 {
		l.part[i], l.part[k] = p.request, p.request
	}
}

// of is the last request for any part of a range, gone if there was none.
func (l *latest) of(from, to int64) int32 {
	n := int32(noRequest)
	first, last := l.leaves(from, to)
	if first >= last {
		return n
	}
	for i, k := first, last; i < k; i, k = i/2, k/2 {
		if i%2 == 1 {
			n = max(n, l.part[i])
			i++
		}
		if k%2 == 1 {
			k--
			n = max(n, l.part[k])
		}
	}
	for i, k := first/2, (last-1)/2; i > 0; i, k = i/2, k/2 {
		n = max(n, l.whole[i], l.whole[k])
	}
	return n
}
