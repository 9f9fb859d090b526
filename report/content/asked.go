package content

import (
	"math"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/internal/visible"
)

// A Spread is how a quantity was spread over the operations of a workload, and over those of a benchmark.
type Spread struct {
	Title     string
	Format    string // "size", "number"
	Workload  profile.Dist
	Benchmark profile.Dist
	Name      string // of the benchmark
}

// Spreads are block sizes and queue depths of a workload and a benchmark, in each direction of the benchmark: of calls,
// and of the drive that moved most. A depth weighs what it lasted. What either does not tell is left out.
func Spreads(p *profile.Profile, b *gap.Reference) (list []Spread) {
	name := visible.Shorten(visible.Line(b.Name), longestName)
	add := func(title, format string, workload, benchmark profile.Dist) {
		if workload.Count > 0 && benchmark.Count > 0 {
			list = append(list, Spread{title, format, workload, benchmark, name})
		}
	}
	inFlight := false
	for _, write := range []bool{false, true} {
		if write && !b.Setting.Write || !write && !b.Setting.Read {
			continue
		}
		step := ofStep(b, name, write)
		if l := LayerOf(p, 0, "calls"); l != nil {
			f, title := l.Read, "Calls that read: block size"
			if write {
				f, title = l.Write, "Calls that write: block size"
			}
			if f != nil && !b.Setting.InKernel {
				add(title, "size", Moving(f.Size), only(b.Setting.Block))
			}
			if !inFlight {
				add("Calls: queue depth", "number", lasted(&p.Pattern.CallDepth), only(int64(math.Round(step.depth))))
			}
			inFlight = true
		}
		d := wording.Busiest(p, write)
		x, known := ofRequests(b, name, write)
		if d == nil || !known {
			continue
		}
		add(visible.Text(d.Name)+", "+verb(write)+": request size", "size", Moving(d.Flow.Size), requested(b))
		for i := range p.Devices {
			if p.Devices[i].Name == d.Name {
				add(visible.Text(d.Name)+": queue depth", "number", lasted(&p.Devices[i].Depth), only(int64(math.Round(x.depth))))
			}
		}
	}
	return list
}

// only is a distribution of one value.
func only(v int64) profile.Dist {
	if v <= 0 {
		return profile.Dist{}
	}
	return weighed(map[int64]int64{v: 1})
}

// lasted weighs each depth with how long it lasted.
func lasted(d *profile.Depth) profile.Dist {
	weights := map[int64]int64{}
	for _, l := range d.Levels {
		if l.Depth > 0 && l.NS > 0 {
			weights[int64(l.Depth)] += l.NS
		}
	}
	return weighed(weights)
}

// requested are the sizes of requests in the runs of a benchmark that count.
func requested(b *gap.Reference) profile.Dist {
	weights := map[int64]int64{}
	for i := range b.Result.Runs {
		if r := &b.Result.Runs[i]; r.Requests != nil && r.Counted {
			for _, s := range r.Requests.Sizes {
				weights[s.Bytes] += s.Count
			}
		}
	}
	return weighed(weights)
}

// weighed is a distribution of values with their weights.
func weighed(weights map[int64]int64) (d profile.Dist) {
	for v, n := range weights {
		if v > 0 && n > 0 {
			d.Bins = append(d.Bins, profile.Bin{From: v, To: v + 1, Count: n})
			d.Count += n
		}
	}
	sorting.Stably(d.Bins, func(a, b profile.Bin) int { return int(min(max(a.From-b.From, -1), 1)) })
	for below, i := int64(0), 0; i < len(d.Bins); i++ {
		if below += d.Bins[i].Count; d.P50 == 0 && 2*below >= d.Count {
			d.P50 = d.Bins[i].From
		}
	}
	if n := len(d.Bins); n > 0 {
		d.Min, d.Max = d.Bins[0].From, d.Bins[n-1].From
	}
	return d
}
