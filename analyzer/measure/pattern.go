package measure

import "github.com/iotrace/iotrace/analyzer/profile"

// Pattern watches where accesses in one direction go: in a file or on a device.
type Pattern struct {
	accesses    int64
	consecutive int64 // began where the one before ended
	continued   int64 // began where one of the last streams ended
	forward     int64 // began there or beyond
	backward    int64
	overlapping int64 // began within the access before, beyond its beginning
	from        int64 // where the access before began
	at, end     int64 // of the access before
	again       int64 // accesses at the same place after the first, see settle
	streams     streams
	turns       turns
	gaps        Tally // distances to the access before, if it was not consecutive
	runs        Histogram
	Touched     Regions
}

// Add adds an access; those without bytes or place do not count.
func (o *Pattern) Add(at, n int64) {
	if o == nil || n <= 0 || at < 0 {
		return
	}
	if at != o.at || at+n != o.end {
		o.settle()
		o.at, o.again = at, 0
	} else if o.again++; o.again > settled {
		return // see settle
	}
	o.add(at, n)
}

// settled is how often an access comes again at the same place until every stream is of that access alone: first it
// may go on with each of them, then it begins as many in their places.
const settled = 2 * maxStreams

// settle enters the accesses that came again at the same place and were only counted. Each ends the oldest stream and
// begins one that is like it, so that after as many as there are streams all is as it was.
func (o *Pattern) settle() {
	n := max(o.again-settled, 0)
	o.again = min(o.again, settled)
	rounds := n / maxStreams * maxStreams
	if rounds > 0 {
		o.accesses += rounds
		o.backward += rounds
		o.gaps.addTimes(o.at-o.end, rounds)
		o.runs.AddTimes(o.end-o.at, rounds)
	}
	for range n - rounds {
		o.add(o.at, o.end-o.at)
	}
}

func (o *Pattern) add(at, n int64) {
	o.Touched.Add(at, n)
	if o.accesses > 0 {
		o.compare(at)
	}
	o.accesses++
	o.from, o.end = at, at+n
	o.turns.add(at, n)
	o.follow(at, n)
}

func (o *Pattern) compare(at int64) {
	switch {
	case at == o.end:
		o.consecutive++
		o.forward++
		return
	case at > o.end:
		o.forward++
	default:
		o.backward++
		if at > o.from {
			o.overlapping++
		}
	}
	o.gaps.Add(at - o.end)
}

// follow finds the stream that an access continues, or begins one.
func (o *Pattern) follow(at, n int64) {
	if o.streams.goOn(at, n) {
		if o.accesses > 1 {
			o.continued++
		}
		return
	}
	if ended := o.streams.begin(at, n); ended > 0 {
		o.runs.Add(ended)
	}
}

// Profile says what kind of access it was; nil if there was none.
func (o *Pattern) Profile() *profile.AccessPattern {
	if o == nil || o.accesses == 0 {
		return nil
	}
	o.settle()
	runs, live := o.runs.clone(), 0 // runs that are still going on count as well
	for _, s := range o.streams.runs {
		runs.Add(s.bytes)
		if s.hits > 2 {
			live++
		}
	}
	p := &profile.AccessPattern{
		Accesses: o.accesses, Streams: max(live, 1), Run: runs.Dist(),
		WorkingSet: o.Touched.Bytes(), Coarse: o.Touched.coarse(), Class: "single",
	}
	if n := float64(o.accesses - 1); n > 0 {
		p.Consecutive, p.Sequential, p.Backward = float64(o.consecutive)/n, float64(o.forward)/n, float64(o.backward)/n
		p.Overlapping, p.Turns = float64(o.overlapping)/n, float64(o.turns.count)/n
		o.classify(p, n)
	}
	return p
}

// classify follows Darshan's counters for consecutive, sequential and strided
// access, with the streams of vscsiStats in place of one position. The limits
// are .9 for sequential, .6 for mostly sequential, interleaved and strided, .2
// for random.
func (o *Pattern) classify(p *profile.AccessPattern, n float64) {
	stride := o.gaps.Top(1)
	if jumps := n - float64(o.consecutive); jumps > 0 && len(stride) > 0 && stride[0].Value > 0 {
		p.Stride, p.StrideShare = stride[0].Value, float64(stride[0].Count)/jumps
	}
	switch continued := float64(o.continued) / n; {
	case p.Consecutive >= .9:
		p.Class = "sequential"
	case p.Consecutive >= .6:
		p.Class = "mostly_sequential"
	case continued >= .6:
		p.Class = "interleaved"
	case p.StrideShare >= .6 && o.accesses > 3:
		p.Class = "strided"
	case p.Consecutive < .2 && continued < .2:
		p.Class = "random"
	default:
		p.Class = "mixed"
	}
	if p.Class != "strided" {
		p.Stride, p.StrideShare = 0, 0
	}
	if p.Class != "interleaved" {
		p.Streams = 1
	}
}
