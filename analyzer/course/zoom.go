package course

import (
	"cmp"
	"math"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
)

const (
	zoomFactor = 5      // from one level of the curves to the next
	zoomLevels = 6      // below the bins that show everything
	zoomFinest = 1000   // ns
	zoomOpen   = 8192   // bins of a curve in which something under way begins or ends
	zoomRows   = 40_000 // changes of all curves of a level together
)

// zoom is one finer level of the curves. It is kept for the whole recording as
// long as its curves change at most zoomRows times, then only for the windows
// in which events are shown singly, and if even that is too much, not at all.
type zoom struct {
	width   int64
	bins    int64
	windows []profile.Window // in bins
	whole   bool
	dead    bool
	changes [2]int // of everything; within the windows
	stack   fineStack
	curves  []*fineCurve
	cells   [2]int // of heat maps, as changes
	heated  bool   // heat maps are kept for the whole recording
	cold    bool   // not at all
}

// newZooms makes the levels below bins of the given width.
func newZooms(width, end int64, detail []profile.Window) []*zoom {
	var list []*zoom
	for width%zoomFactor == 0 && width/zoomFactor >= zoomFinest && len(list) < zoomLevels {
		width /= zoomFactor
		z := &zoom{width: width, bins: end/width + 1, whole: true, heated: true}
		for _, w := range detail {
			z.windows = append(z.windows, profile.Window{FromNS: w.FromNS / width, ToNS: min(w.ToNS/width+1, z.bins)})
		}
		z.windows = measure.JoinWindows(z.windows)
		z.stack.zoom, z.stack.steps.unknown[0] = z, profile.Unknown
		list = append(list, z)
	}
	return list
}

// skips tells whether a level has no use for an event from start to end; w is
// the first window that may still reach it. Events come by start.
func (z *zoom) skips(w *int, start, end int64) bool {
	if z.whole || z.dead {
		return z.dead
	}
	for *w < len(z.windows) && z.windows[*w].ToNS*z.width <= start {
		*w++
	}
	return *w == len(z.windows) || z.windows[*w].FromNS*z.width > end
}

// changed counts a change; it gives up what has become too much.
func (z *zoom) changed(of int) {
	if z.changes[of]++; z.changes[of] <= zoomRows {
		return
	}
	if of == 0 {
		z.whole = false
	} else {
		z.dead = true
	}
}

// steps is a value per bin, kept where it changes: for everything, and within
// the windows, after each of which it is the value that means unknown.
type steps[T comparable] struct {
	unknown T
	window  int
	all     spells[T]
	within  spells[T]
}

type spells[T comparable] struct {
	at    []int64
	value []T
}

func (r *spells[T]) add(at int64, v T) bool {
	if n := len(r.value); n > 0 && r.value[n-1] == v {
		return false
	}
	r.at, r.value = append(r.at, at), append(r.value, v)
	return true
}

// emit gives the bins [from, to) a value. Bins come in order.
func (s *steps[T]) emit(z *zoom, from, to int64, v T) {
	if from >= to || z.dead {
		return
	}
	if z.whole {
		if s.all.add(from, v) {
			z.changed(0)
		}
	} else {
		s.all = spells[T]{}
	}
	for ; s.window < len(z.windows) && z.windows[s.window].FromNS < to; s.window++ {
		w := z.windows[s.window]
		if a, b := max(from, w.FromNS), min(to, w.ToNS); a < b && s.within.add(a, v) {
			z.changed(1)
		}
		if w.ToNS > to {
			break
		}
		if s.within.add(w.ToNS, s.unknown) {
			z.changed(1)
		}
	}
}

// kept is what there is in the end.
func (s *steps[T]) kept(z *zoom) spells[T] {
	if z.whole {
		return s.all
	}
	if len(s.within.at) > 0 && s.within.at[0] > 0 {
		return spells[T]{append([]int64{0}, s.within.at...), append([]T{s.unknown}, s.within.value...)}
	}
	return s.within
}

// fineCurve is one direction of one layer at a finer level. Operations come in
// the order of starts, so a bin is finished once one starts after it; only bins
// in which something begins or ends are kept open.
type fineCurve struct {
	zoom    *zoom
	window  int
	next    int64   // first bin that is not finished
	running int64   // operations that fill all bins from next on, up to further notice
	slope   float64 // their bytes per bin
	open    []*openBin
	steps   steps[fineBin]
	heat    [2]fineHeat // latency, size
}

type openBin struct {
	at, bytes, inFlight int64
	running             int64   // change from this bin on
	slope               float64 // likewise
	size, latency       measure.Histogram
}

// fineBin is what a curve says about a bin, comparable.
type fineBin struct {
	bytes                            int64 // -1: unknown
	depth                            float64
	sizeP50, sizeP90, latP50, latP99 int64
}

func (z *zoom) curve() *fineCurve {
	c := &fineCurve{zoom: z}
	c.steps.unknown = fineBin{bytes: profile.Unknown}
	z.curves = append(z.curves, c)
	return c
}

func (c *fineCurve) add(start, end, bytes int64) {
	z := c.zoom
	if z.skips(&c.window, start, end) {
		return
	}
	start = max(start, c.next*z.width)
	end = max(end, start)
	first, last := min(start/z.width, z.bins-1), min(end/z.width, z.bins-1)
	c.finish(first)
	o := c.at(last)
	o.size.Add(bytes)
	o.latency.Add(end - start)
	if first == last {
		o.bytes += bytes
		o.inFlight += end - start
		return
	}
	rest := end - last*z.width
	tail := mulDiv(bytes, rest, end-start)
	o.bytes += tail
	o.inFlight += rest
	o.running--
	part := (first+1)*z.width - start
	head := mulDiv(bytes, part, end-start)
	f := c.at(first)
	f.bytes += head
	f.inFlight += part
	n := last - first - 1 // bins that it fills
	slope := 0.0
	if n > 0 {
		slope = float64(bytes-head-tail) / float64(n)
	}
	o.slope -= slope
	f = c.at(first + 1)
	f.running++
	f.slope += slope
}

// at is the open bin with this number.
func (c *fineCurve) at(bin int64) *openBin {
	i, found := slices.BinarySearchFunc(c.open, bin, func(o *openBin, bin int64) int { return cmp.Compare(o.at, bin) })
	if !found {
		if len(c.open) >= zoomOpen {
			c.zoom.dead = true
		}
		c.open = slices.Insert(c.open, i, &openBin{at: bin})
	}
	return c.open[i]
}

// finish closes all bins before the given one.
func (c *fineCurve) finish(bin int64) {
	if bin <= c.next {
		return
	}
	done := 0
	for _, o := range c.open {
		if o.at >= bin {
			break
		}
		c.steps.emit(c.zoom, c.next, o.at, c.steady())
		if c.running += o.running; c.running == 0 {
			c.slope = 0 // rounding must not pile up
		} else {
			c.slope += o.slope
		}
		v := c.steady()
		v.bytes += o.bytes
		v.depth += float64(o.inFlight) / float64(c.zoom.width)
		v.sizeP50, v.sizeP90 = o.size.SizeQuantile(.5), o.size.SizeQuantile(.9)
		v.latP50, v.latP99 = o.latency.Quantile(.5), o.latency.Quantile(.99)
		c.steps.emit(c.zoom, o.at, o.at+1, v)
		c.heat[0].add(c.zoom, o.at, &o.latency)
		c.heat[1].add(c.zoom, o.at, &o.size)
		c.next = o.at + 1
		done++
	}
	c.open = slices.Delete(c.open, 0, done)
	c.steps.emit(c.zoom, c.next, bin, c.steady())
	c.next = bin
}

// steady is a bin in which nothing begins or ends.
func (c *fineCurve) steady() fineBin {
	return fineBin{bytes: int64(math.Round(max(c.slope, 0))), depth: float64(c.running)}
}

func (c *fineCurve) profile(s *series) profile.Steps {
	c.finish(c.zoom.bins)
	r := c.steps.kept(c.zoom)
	p := profile.Steps{Layer: s.layer, Device: s.device, Direction: s.direction, At: r.at}
	for _, v := range r.value {
		p.Bytes, p.Depth = append(p.Bytes, v.bytes), append(p.Depth, v.depth)
		p.SizeP50, p.SizeP90 = append(p.SizeP50, v.sizeP50), append(p.SizeP90, v.sizeP90)
		p.LatP50, p.LatP99 = append(p.LatP50, v.latP50), append(p.LatP99, v.latP99)
	}
	return p
}

// fineStack is the time stack at a finer level.
type fineStack struct {
	zoom   *zoom
	window int
	next   int64
	ns     [timeline.NumKinds]int64 // of the bin next
	steps  steps[[timeline.NumKinds]int64]
}

// label adds a stretch; they come in order.
func (f *fineStack) label(k timeline.Kind, from, to int64) {
	z := f.zoom
	if z.skips(&f.window, from, to) {
		return
	}
	for from = max(from, f.next*z.width); from < to; {
		bin := min(from/z.width, z.bins-1)
		f.finish(bin)
		if n := to / z.width; from == bin*z.width && n > bin { // fills bins whole
			var whole [timeline.NumKinds]int64
			whole[k] = z.width
			f.steps.emit(z, bin, min(n, z.bins), whole)
			if f.next = min(n, z.bins); f.next == z.bins {
				return
			}
			from = n * z.width
			continue
		}
		part := min(to, (bin+1)*z.width) - from
		f.ns[k] += part
		from += part
	}
}

// finish closes all bins before the given one.
func (f *fineStack) finish(bin int64) {
	if bin <= f.next {
		return
	}
	f.steps.emit(f.zoom, f.next, f.next+1, f.ns)
	f.ns = [timeline.NumKinds]int64{}
	f.steps.emit(f.zoom, f.next+1, bin, f.ns)
	f.next = bin
}

// profile is the level, with the names of the curves and the rows of the coarse
// heat maps, two for each curve.
func (z *zoom) profile(list []*series, heats map[*series][2]profile.Heat) profile.Zoom {
	p := profile.Zoom{BinNS: z.width, Whole: z.whole, Series: []profile.Steps{}, Stack: []profile.Labels{},
		Heatmaps: []profile.Heat{}}
	z.stack.finish(z.bins)
	for i, c := range z.curves {
		if !list[i].empty() {
			p.Series = append(p.Series, c.profile(list[i]))
		}
	}
	if p.HeatWhole = z.heated && z.whole; !z.cold {
		for i, c := range z.curves {
			for k, coarse := range heats[list[i]] {
				if !list[i].empty() {
					p.Heatmaps = append(p.Heatmaps, c.heat[k].profile(z, coarse))
				}
			}
		}
	}
	r := z.stack.steps.kept(z)
	p.StackAt = r.at
	for k := range timeline.NumKinds {
		ns := make([]int64, len(r.value))
		for i, v := range r.value {
			ns[i] = v[k]
		}
		if slices.ContainsFunc(ns, func(v int64) bool { return v > 0 }) {
			p.Stack = append(p.Stack, profile.Labels{Label: k.Label().String(), Within: k.Within(), NS: ns})
		}
	}
	return p
}
