package copies

import (
	"cmp"
	"maps"
	"slices"

	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
)

// route is a stream from one process to another, or several.
type route struct {
	from, to *process
	through  []*process // that passed the bytes on, in order
	bytes    int64
	total    int64 // of one stream: what all processes together sent by it
	kind     string
	files    []*world.File // in which the bytes lay in between, where it is no stream
}

// processes are all that the bytes went through.
func (r *route) processes() []*world.Process {
	list := []*world.Process{r.from.Process}
	for _, p := range r.through {
		list = append(list, p.Process)
	}
	return append(list, r.to.Process)
}

// maxEnds bounds the processes at one end of a stream between which routes are looked for. More share one only for a
// few bytes each, as the programs that make runs share the pipe of its job server: data goes between few.
const maxEnds = 128

// heaviest lists the processes at an end of a stream, those that moved most first.
func heaviest(end map[*process]int64) []*process {
	list := slices.SortedFunc(maps.Keys(end), func(a, b *process) int {
		return cmp.Or(cmp.Compare(end[b], end[a]), cmp.Compare(a.Process.PID, b.Process.PID))
	})
	return list[:min(len(list), maxEnds)]
}

// strands lists which process sent how much to which by each stream.
func strands(streams map[*world.File]*stream, peers peers) (list []route) {
	add := func(from, to *stream) {
		readers := heaviest(to.Readers)
		for _, w := range heaviest(from.Writers) {
			for _, r := range readers {
				if w != r {
					list = append(list, route{from: w, to: r, kind: from.File.Kind.String(),
						bytes: min(from.Writers[w], to.Readers[r]), total: min(from.Given, to.Taken)})
				}
			}
		}
	}
	for f, c := range streams {
		add(c, c)
		if peer := peers[f]; peer != nil {
			add(streams[peer], c)
		}
	}
	heaviestFirst(list)
	return list
}

func heaviestFirst(list []route) {
	sorting.Stably(list, func(a, b route) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.from.Process.PID, b.from.Process.PID),
			cmp.Compare(a.to.Process.PID, b.to.Process.PID), cmp.Compare(a.kind, b.kind))
	})
}

// routes lists which process sent how much to which by all streams together.
func routes(strands []route) (list []route) {
	at := map[[2]*process]int{}
	for i := range strands {
		s := &strands[i]
		k := [2]*process{s.from, s.to}
		n, known := at[k]
		if !known {
			at[k] = len(list)
			list = append(list, *s)
			continue
		}
		list[n].bytes += s.bytes
	}
	heaviestFirst(list)
	return list
}
