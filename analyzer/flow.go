package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/timeline"
)

// flow gathers the operations in one direction at one layer. They are added in
// the order of their starts.
type flow struct {
	count, bytes, errors int64
	first, last          int64
	size, latency        histogram
	sizes                tally
	depth                timeline.Depth
}

// add adds an operation that moved bytes, or failed.
func (f *flow) add(start, end, bytes int64, failed bool) {
	if f.count == 0 {
		f.first = start
	}
	end = max(start, end)
	f.last = max(f.last, end)
	f.count++
	f.latency.add(end - start)
	f.depth.Add(start, end)
	if failed {
		f.errors++
		return
	}
	f.bytes += bytes
	f.size.add(bytes)
	f.sizes.add(bytes)
}

// flow returns what was gathered, with mean depths over a wall time; nil if
// there was nothing.
func (f *flow) flow(wall int64) *Flow {
	if f == nil || f.count == 0 {
		return nil
	}
	f.depth.Finish()
	return &Flow{
		Count: f.count, Bytes: f.bytes, Errors: f.errors, FirstNS: f.first, LastNS: f.last,
		Size: sizeDist(&f.size, &f.sizes), Latency: f.latency.dist(), Depth: depthOf(&f.depth, f.latency.sum, wall),
	}
}

func sizeDist(h *histogram, t *tally) Dist {
	d := h.dist()
	d.Top = t.top(5)
	return d
}

// depthOf is the depth whose area is known.
func depthOf(d *timeline.Depth, area, wall int64) Depth {
	d.Finish()
	r := Depth{Max: d.Max(), BusyNS: d.Busy()}
	if wall > 0 {
		r.MeanWall = float64(area) / float64(wall)
	}
	if r.BusyNS > 0 {
		r.MeanBusy = float64(area) / float64(r.BusyNS)
	}
	d.Levels(func(depth int, ns int64) { r.Levels = append(r.Levels, Level{depth, ns}) })
	return r
}
