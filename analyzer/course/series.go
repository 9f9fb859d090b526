package course

import (
	"math/bits"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// series gathers one direction of one layer per time bin.
type series struct {
	layer, device, direction string
	level                    int
	width                    int64
	bins                     []bin
	finer                    []*fineCurve
}

// bin is one stretch of time. Operations count where they end; their bytes and
// their time in flight are spread over their duration.
type bin struct {
	bytes, inFlight int64
	size, latency   measure.Histogram
}

func newSeries(layer, device, direction string, level int, width int64, bins int) *series {
	return &series{layer: layer, device: device, direction: direction, level: level, width: width, bins: make([]bin, bins)}
}

func (s *series) add(start, end, bytes int64) {
	for _, c := range s.finer {
		c.add(start, end, bytes)
	}
	first, last := s.at(start), s.at(end)
	s.bins[last].size.Add(bytes)
	s.bins[last].latency.Add(end - start)
	if first == last {
		s.bins[first].bytes += bytes
		s.bins[first].inFlight += end - start
		return
	}
	done, from := int64(0), start
	for i := first; i <= last; i++ {
		to := min(int64(i+1)*s.width, end)
		if i == last {
			to = end
		}
		share := mulDiv(bytes, to-start, end-start)
		s.bins[i].bytes += share - done
		s.bins[i].inFlight += to - from
		done, from = share, to
	}
}

func (s *series) at(t int64) int { return int(min(max(t, 0)/s.width, int64(len(s.bins)-1))) }

// mulDiv is a·b/c without overflow, for 0 <= b <= c and c > 0.
func mulDiv(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(max(a, 0)), uint64(b))
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(q)
}

// empty reports whether nothing was added.
func (s *series) empty() bool {
	for i := range s.bins {
		if s.bins[i].latency.Count > 0 {
			return false
		}
	}
	return true
}

func (s *series) profile() profile.Series {
	p := profile.Series{Layer: s.layer, Device: s.device, Level: s.level, Direction: s.direction}
	for i := range s.bins {
		b := &s.bins[i]
		p.Bytes = append(p.Bytes, b.bytes)
		p.Ops = append(p.Ops, b.latency.Count)
		p.Depth = append(p.Depth, float64(b.inFlight)/float64(s.width))
		p.SizeP50 = append(p.SizeP50, b.size.SizeQuantile(.5))
		p.SizeP90 = append(p.SizeP90, b.size.SizeQuantile(.9))
		p.LatP50 = append(p.LatP50, b.latency.Quantile(.5))
		p.LatP99 = append(p.LatP99, b.latency.Quantile(.99))
		p.LatMax = append(p.LatMax, b.latency.Max)
	}
	return p
}

// heat makes the heat map of a quantity: rows are four per octave.
func (s *series) heat(quantity string, of func(*bin) *measure.Histogram) profile.Heat {
	h := profile.Heat{Quantity: quantity, Layer: s.layer, Device: s.device, Direction: s.direction}
	var whole measure.Histogram
	for i := range s.bins {
		whole.Merge(of(&s.bins[i]))
	}
	row := map[int64]int64{}
	from, last := measure.BinOf(measure.BucketOf(whole.Min))
	for last <= whole.Max && last > from { // the last row of all has no end that can be told
		row[from] = int64(len(h.Rows))
		h.Rows = append(h.Rows, from)
		from, last = measure.BinOf(measure.BucketOf(last))
	}
	row[from] = int64(len(h.Rows))
	h.Rows = append(h.Rows, from)
	for i := range s.bins {
		var bins []profile.Bin
		of(&s.bins[i]).Each(func(b int, n int64) { bins = measure.AddToBin(bins, b, n) })
		for _, b := range bins {
			h.Cells = append(h.Cells, profile.Cell{int64(i), row[b.From], b.Count})
		}
	}
	return h
}

// curves are all series of an analysis.
type curves struct {
	width   int64
	count   int
	calls   [2]*series // read, write
	devices map[trace.DeviceID]*[2]*series
	list    []*series
	zooms   []*zoom
}

// newCurves makes curves over time bins.
func newCurves(width int64, bins int, t *world.Devices, zooms []*zoom) *curves {
	c := &curves{width: width, count: bins, devices: map[trace.DeviceID]*[2]*series{}, zooms: zooms}
	c.calls = *c.pair("calls", "", 0)
	for _, d := range t.Heaviest(world.MaxCurves) {
		c.devices[d.ID] = c.pair("requests", d.Name, d.Level)
	}
	return c
}

func (c *curves) pair(layer, device string, level int) *[2]*series {
	p := &[2]*series{
		newSeries(layer, device, "read", level, c.width, c.count),
		newSeries(layer, device, "write", level, c.width, c.count),
	}
	for _, s := range p {
		for _, z := range c.zooms {
			s.finer = append(s.finer, z.curve())
		}
		c.list = append(c.list, s)
	}
	return p
}

func (c *curves) request(e *world.Request) {
	p := c.devices[e.Request.Device]
	if p == nil {
		return
	}
	switch e.Op {
	case trace.ReqRead:
		p[0].add(e.Issued, max(e.Issued, e.Completed), e.Bytes)
	case trace.ReqWrite:
		p[1].add(e.Issued, max(e.Issued, e.Completed), e.Bytes)
	}
}
