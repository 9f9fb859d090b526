package path

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// loads compares what devices had to do in the time of an event with what they had to do before. By Little's law the
// times of requests, added up, are the number in flight. So each request has its part of that, and so has whatever it
// belongs to: the parts of each dimension add up to the whole.
type loads struct {
	from, to int64 // the time of the event; before is all from 0 on
	all      pair
	parts    map[part]*pair
	count    [dimensions]int
}

// dimension is what requests are divided by.
type dimension int

const (
	byDevice dimension = iota
	byProcess
	byFile
	bySize
	dimensions
)

var dimensionNames = [dimensions]string{"device", "process", "file", "size"}

type part struct {
	dimension
	value string
}

// sum is requests of one time: how long they were in flight in it, and those that were completed in it.
type sum struct{ flight, count, bytes, latency int64 }

// pair is those before and those in the time of the event.
type pair struct{ before, during sum }

// Bounds of what is told apart, and what is told of that.
const (
	maxApart             = 20_000
	incidentMaxTold      = 5
	incidentWorthTelling = 0.05 // of the increase
)

// short is how much of the time before its end is looked at if the event itself took less: what held it up came
// before it.
const short = int64(time.Second)

func newLoads(t *profile.Trigger) *loads {
	to := ended(t)
	from := max(min(to-t.LatencyNS, to-short), 0)
	return &loads{from: from, to: to, parts: map[part]*pair{}}
}

// request takes one that somebody asked for, not a device above; the recorder's own are left out.
func (l *loads) request(e *world.Request) {
	switch {
	case e.Flags&trace.ReqRecorder != 0, e.Ours && !e.Direct, !e.Ours && e.Device.Level != 1, e.Issued >= l.to:
		return
	}
	x := l.measure(e.Request)
	l.all.add(&x)
	l.part(byDevice, e.Device.Name).add(&x)
	l.part(byProcess, nameOf(e)).add(&x)
	l.part(bySize, e.Op.String()+" "+sizeClass(e.Bytes)).add(&x)
	l.files(e, &x)
}

// measure is what one request adds.
func (l *loads) measure(e *trace.Request) (x pair) {
	within := func(from, to int64) int64 { return max(min(e.Completed, to)-max(e.Issued, from), 0) }
	x.before.flight, x.during.flight = within(0, l.from), within(l.from, l.to)
	switch done := &x.during; {
	case e.Completed > l.to:
	default:
		if e.Completed < l.from {
			done = &x.before
		}
		done.count, done.bytes, done.latency = 1, e.Bytes, e.Latency()
	}
	return x
}

// files divides a request among the files that it holds data of.
func (l *loads) files(e *world.Request, x *pair) {
	if len(e.Pieces) == 0 {
		name := "(no file)"
		if e.Flags&trace.ReqMeta != 0 {
			name = "(journal and metadata)"
		}
		l.part(byFile, name).add(x)
		return
	}
	for i := range e.Pieces {
		y := *x
		y.before.scale(e.Pieces[i].Bytes, e.Bytes)
		y.during.scale(e.Pieces[i].Bytes, e.Bytes)
		l.part(byFile, e.Pieces[i].File.Path).add(&y)
	}
}

// scale takes a part of what one request adds; it still is a request.
func (s *sum) scale(n, of int64) {
	f := float64(n) / float64(max(of, 1))
	s.flight, s.bytes = int64(float64(s.flight)*f), int64(float64(s.bytes)*f)
}

func (s *sum) add(x *sum) {
	s.flight, s.count, s.bytes, s.latency = s.flight+x.flight, s.count+x.count, s.bytes+x.bytes, s.latency+x.latency
}

func (p *pair) add(x *pair) {
	p.before.add(&x.before)
	p.during.add(&x.during)
}

// part is where a value is added up; those beyond the bound are together.
func (l *loads) part(d dimension, value string) *pair {
	p := l.parts[part{d, value}]
	if p == nil {
		if l.count[d]++; l.count[d] > maxApart {
			value = "(others)"
		}
		if p = l.parts[part{d, value}]; p == nil {
			p = &pair{}
			l.parts[part{d, value}] = p
		}
	}
	return p
}

func nameOf(e *world.Request) string {
	if e.Process == nil || e.Process.Command == "" {
		return "(not known)"
	}
	return e.Process.Command
}

// sizeClass is the class of a request: factors of four from 4 KiB on, as readahead and merging make them.
func sizeClass(bytes int64) string {
	const least, most = 4 << 10, 4 << 20
	for n := int64(least); n <= most; n *= 4 {
		if bytes <= n {
			return "up to " + unit.BlockSize(n)
		}
	}
	return "over " + unit.BlockSize(most)
}

// finish tells what was different, if there was a time before.
func (l *loads) finish(out *profile.Incident) {
	out.FromNS, out.ToNS = l.from, l.to
	out.Before, out.During = l.all.before.over(l.from), l.all.during.over(l.to-l.from)
	more := out.During.Depth - out.Before.Depth
	if l.from == 0 || more <= 0 {
		return
	}
	var told [dimensions]int
	for _, k := range l.sorted() {
		p := l.parts[k]
		d := profile.Difference{Dimension: dimensionNames[k.dimension], Value: k.value, Before: p.before.over(l.from),
			During: p.during.over(l.to - l.from)}
		d.Share = (d.During.Depth - d.Before.Depth) / more
		if told[k.dimension]++; d.Share >= incidentWorthTelling && told[k.dimension] <= incidentMaxTold {
			out.Differences = append(out.Differences, d)
		}
	}
}

// sorted are the parts, those first that explain most.
func (l *loads) sorted() []part {
	more := func(k part) float64 {
		p := l.parts[k]
		return p.during.over(l.to-l.from).Depth - p.before.over(l.from).Depth
	}
	list := slices.Collect(maps.Keys(l.parts))
	sorting.Stably(list, func(a, b part) int {
		return cmp.Or(cmp.Compare(more(b), more(a)), cmp.Compare(a.dimension, b.dimension), strings.Compare(a.value, b.value))
	})
	return list
}

// over is the load of requests in a time.
func (s *sum) over(ns int64) (x profile.Load) {
	if ns > 0 {
		x.Depth, x.Requests = float64(s.flight)/float64(ns), float64(s.count)*1e9/float64(ns)
		x.BytesPerS = int64(float64(s.bytes) * 1e9 / float64(ns))
	}
	if s.count > 0 {
		x.LatencyNS = s.latency / s.count
	}
	return x
}
