package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/timeline"
)

// flow gathers the operations in one direction at one layer. They are added in
// the order of their starts.
type flow struct {
	count, bytes, errors int64
	first, last          int64
	largest              int64 // bytes moved by one operation
	light                bool  // sums only: of a file that is not listed
	detail               *flowDetail
}

// flowDetail is what the listed flows are described by.
type flowDetail struct {
	size, latency histogram
	sizes         tally
	depth         timeline.Depth
}

// add adds an operation that moved bytes, or failed.
func (f *flow) add(start, end, bytes int64, failed bool) {
	if f.count == 0 {
		f.first = start
	}
	end = max(start, end)
	f.last = max(f.last, end)
	f.count++
	if failed {
		f.errors++
	} else {
		f.bytes += bytes
		f.largest = max(f.largest, bytes)
	}
	if !f.light {
		f.describe(start, end, bytes, failed)
	}
}

func (f *flow) describe(start, end, bytes int64, failed bool) {
	if f.detail == nil {
		f.detail = new(flowDetail)
	}
	d := f.detail
	d.latency.add(end - start)
	d.depth.Add(start, end)
	if !failed {
		d.size.add(bytes)
		d.sizes.add(bytes)
	}
}

// usual is the most common size of an operation; of a light flow the largest.
func (f *flow) usual() int64 {
	if f.detail == nil {
		return f.largest
	}
	if top := f.detail.sizes.top(1); len(top) > 0 {
		return top[0].Value
	}
	return 0
}

// flow returns what was gathered, with mean depths over a wall time; nil if
// there was nothing, or only sums.
func (f *flow) flow(wall int64) *Flow {
	if f == nil || f.detail == nil {
		return nil
	}
	d := f.detail
	return &Flow{
		Count: f.count, Bytes: f.bytes, Errors: f.errors, FirstNS: f.first, LastNS: f.last,
		Size: sizeDist(&d.size, &d.sizes), Latency: d.latency.dist(), Depth: depthOf(&d.depth, d.latency.sum, wall),
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
