package top

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// maxSlow is how many requests of an interval are kept as they are: those that took longest.
const maxSlow = 500

// slow is a request that is kept.
type slow struct {
	request trace.Request // without its further pieces
	process uint32
	files   []*file
}

// keep keeps a request that may be one of the longest, by its latency. Now and then the others go, so that it costs
// little.
func (w *window) keep(q *trace.Request, process uint32, files []*file) {
	s := slow{*q, process, files}
	s.request.More = nil
	if w.slow = append(w.slow, s); len(w.slow) >= 2*maxSlow {
		w.thin()
	}
}

// thin leaves the longest.
func (w *window) thin() {
	sorting.Stably(w.slow, func(a, b slow) int { return cmp.Compare(b.request.Latency(), a.request.Latency()) })
	if len(w.slow) > maxSlow {
		clear(w.slow[maxSlow:])
		w.slow = w.slow[:maxSlow]
		w.least = w.slow[maxSlow-1].request.Latency()
	}
}

// of are the files that a request holds data of.
func (t *files) of(q *trace.Request) (list []*file) {
	world.Pieces(q, func(id trace.FileID, _, _ int64) {
		if f := t.get(id); !slices.Contains(list, f) && len(list) < 16 {
			list = append(list, f)
		}
	})
	return list
}

// takeSlow lists them, the longest first.
func (a *activity) takeSlow(w *window) []Request {
	w.thin()
	list := make([]Request, 0, len(w.slow))
	for _, s := range w.slow {
		q := &s.request
		r := Request{Device: a.devices.get(q.Device).Name, Op: q.Op.String(), Sector: q.Sector, Bytes: q.Bytes,
			LatencyNS: q.Latency(), StartNS: q.Issued - a.options.From, Process: s.process}
		if q.Queued >= 0 {
			r.QueuedNS = max(q.Issued-q.Queued, 0)
		}
		for _, f := range s.files {
			r.Paths = append(r.Paths, f.path)
		}
		list = append(list, r)
	}
	return list
}
