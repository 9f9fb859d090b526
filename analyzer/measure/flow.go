package measure

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
)

// Flow gathers the operations in one direction at one layer. They are added in
// the order of their starts.
type Flow struct {
	Count, Bytes, errors int64
	empty                int64 // operations that moved nothing
	First, Last          int64
	largest              int64 // bytes moved by one operation
	Light                bool  // sums only: of a file that is not listed
	Detail               *flowDetail
}

// flowDetail is what the listed flows are described by.
type flowDetail struct {
	sizes   Sizes
	Latency Histogram
	depth   timeline.Depth
}

// Add adds an operation that moved bytes, or failed.
func (f *Flow) Add(start, end, bytes int64, failed bool) {
	if f.Count == 0 {
		f.First = start
	}
	end = max(start, end)
	f.Last = max(f.Last, end)
	f.Count++
	if failed || bytes == 0 { // as at the end of a file
		f.empty++
	}
	if failed {
		f.errors++
	} else {
		f.Bytes += bytes
		f.largest = max(f.largest, bytes)
	}
	if !f.Light {
		f.describe(start, end, bytes, failed)
	}
}

func (f *Flow) describe(start, end, bytes int64, failed bool) {
	if f.Detail == nil {
		f.Detail = new(flowDetail)
	}
	d := f.Detail
	d.Latency.Add(end - start)
	d.depth.Add(start, end)
	if !failed && bytes > 0 { // the end of a file is no block size
		d.sizes.Add(bytes)
	}
}

// Join sums up two flows. Depths cannot be added: those of the larger are kept.
func (f *Flow) Join(o *Flow) *Flow {
	switch {
	case f == nil || f == o:
		return o
	case o == nil:
		return f
	case f.Bytes < o.Bytes:
		f, o = o, f
	}
	r := *f
	r.Count, r.Bytes, r.errors = f.Count+o.Count, f.Bytes+o.Bytes, f.errors+o.errors
	r.empty = f.empty + o.empty
	r.First, r.Last, r.largest = min(f.First, o.First), max(f.Last, o.Last), max(f.largest, o.largest)
	if f.Detail != nil && o.Detail != nil {
		d := *f.Detail
		d.sizes, d.Latency = f.Detail.sizes.with(&o.Detail.sizes), f.Detail.Latency.clone()
		d.Latency.Merge(&o.Detail.Latency)
		r.Detail = &d
	}
	return &r
}

// Moved is how many operations moved something.
func (f *Flow) Moved() int64 { return f.Count - f.empty }

// Usual is the most common size of an operation; of a light flow the largest.
func (f *Flow) Usual() int64 {
	if f.Detail == nil {
		return f.largest
	}
	return f.Detail.sizes.Usual()
}

// Profile returns what was gathered, with mean depths over a wall time; nil if
// there was nothing, or only sums.
func (f *Flow) Profile(wall int64) *profile.Flow {
	if f == nil || f.Detail == nil {
		return nil
	}
	d := f.Detail
	return &profile.Flow{
		Count: f.Count, Bytes: f.Bytes, Errors: f.errors, FirstNS: f.First, LastNS: f.Last,
		Size: d.sizes.Dist(), Latency: d.Latency.Dist(), Depth: DepthOf(&d.depth, d.Latency.Sum, wall),
	}
}

// DepthOf is the depth whose area is known.
func DepthOf(d *timeline.Depth, area, wall int64) profile.Depth {
	d.Finish()
	r := profile.Depth{Max: d.Max(), BusyNS: d.Busy()}
	if wall > 0 {
		r.MeanWall = float64(area) / float64(wall)
	}
	if r.BusyNS > 0 {
		r.MeanBusy = float64(area) / float64(r.BusyNS)
	}
	d.Levels(func(depth int, ns int64) { r.Levels = append(r.Levels, profile.Level{Depth: depth, NS: ns}) })
	return r
}
