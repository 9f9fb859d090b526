package evidence

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/copies/transfers"
	"github.com/iotrace/iotrace/analyzer/world"
)

// route is a stream from one process to another.
type route struct {
	from, to *transfers.Process
	bytes    int64
	kind     string
}

func (r *route) processes() []*world.Process { return []*world.Process{r.from.Process, r.to.Process} }

// routes lists which process sent how much to which.
func routes(streams map[*world.File]*transfers.Stream, peers peers) []route {
	sums := map[[2]*transfers.Process]*route{}
	var order []*route
	add := func(from, to *transfers.Stream) {
		for w, n := range from.Writers {
			for r, m := range to.Readers {
				if w == r {
					continue
				}
				k := [2]*transfers.Process{w, r}
				if sums[k] == nil {
					sums[k] = &route{from: w, to: r, kind: from.File.Kind.String()}
					order = append(order, sums[k])
				}
				sums[k].bytes += min(n, m)
			}
		}
	}
	for f, c := range streams {
		add(c, c)
		if peer := peers[f]; peer != nil {
			add(streams[peer], c)
		}
	}
	var list []route
	for _, r := range order {
		list = append(list, *r)
	}
	slices.SortFunc(list, func(a, b route) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.from.Process.PID, b.from.Process.PID),
			cmp.Compare(a.to.Process.PID, b.to.Process.PID))
	})
	return list
}
