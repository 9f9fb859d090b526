package usage

import (
	"math/bits"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// turns tells for how long requests of the workload waited at a device while it served those of others. The driver does
// not say which one a device works at. One that serves them one after another works at the next to end, since the one
// before has ended. One that serves several at once keeps each no longer than one that has it for itself.
type turns struct {
	flight        timeline.Heap[turn] // requests at the device
	ended         int64               // when the last one did
	theirs        int64               // how long others were served, up to then
	pace          measure.Histogram   // from one end to the next, of requests that had been waiting
	reads, writes behind
}

// turn is a request at the device.
type turn struct {
	issued, end int64
	bytes       int64
	served      int64   // turns.theirs when it was issued
	of          *behind // reads or writes; nil for all else
	own, others bool
	alone       bool // it had the device for itself at first
}

// Before reports whether it ends before another one.
func (t turn) Before(u turn) bool { return t.end < u.end }

// behind is what requests of the workload of one direction waited for others.
type behind struct {
	ns                int64             // if the device serves one at a time
	count, bytes, all int64             // of them, and how long they took
	alone             measure.Histogram // of those that had the device for themselves
	least             [64]int64         // what anybody's took, by size in powers of two; 0: there was none
	cost              measure.Cost      // of anybody's
}

// add adds a request. They come in the order in which they were issued.
func (t *turns) add(e *world.Request, end int64) {
	t.upTo(e.Issued)
	x := turn{issued: e.Issued, end: end, bytes: e.Bytes, served: t.theirs, own: e.Ours, alone: len(t.flight) == 0}
	x.others = !e.Ours && e.Flags&trace.ReqRecorder == 0
	switch e.Op {
	case trace.ReqRead:
		x.of = &t.reads
	case trace.ReqWrite:
		x.of = &t.writes
	}
	t.flight.Push(x)
}

// upTo ends the requests that have ended at a time.
func (t *turns) upTo(at int64) {
	for len(t.flight) > 0 && t.flight[0].end <= at {
		t.end(t.flight.Pop())
	}
}

func (t *turns) end(x turn) {
	took := x.end - max(x.issued, t.ended)
	if x.issued <= t.ended {
		t.pace.Add(took)
	}
	if x.others {
		t.theirs += took
	}
	if x.of != nil {
		x.of.cost.Add(took, x.bytes)
		x.of.add(&x, min(t.theirs-x.served, x.end-x.issued-took), x.alone && t.theirs == x.served)
	}
	t.ended = x.end
}

// add adds a request that waited so long, or had the device for itself.
func (b *behind) add(x *turn, waited int64, alone bool) {
	all := x.end - x.issued
	if least := &b.least[bits.Len64(uint64(x.bytes))]; *least == 0 || all < *least {
		*least = all
	}
	if !x.own {
		return
	}
	b.count, b.bytes, b.all, b.ns = b.count+1, b.bytes+x.bytes, b.all+all, b.ns+waited
	if alone {
		b.alone.Add(all)
	}
}

// unhindered is what a request took at least that was as large as most of the workload's, or larger.
func (b *behind) unhindered() (least int64) {
	for _, ns := range b.least[bits.Len64(uint64(b.bytes/max(b.count, 1))):] {
		if ns > 0 && (least == 0 || ns < least) {
			least = ns
		}
	}
	return least
}

// waited is for how long requests of one direction waited for others, added up: no longer than they took beyond what
// they take alone.
func (t *turns) waited(b *behind) int64 {
	switch {
	case b.alone.Count > 0:
		return max(min(b.ns, b.all-b.alone.Sum/b.alone.Count*b.count), 0)
	case t.oneByOne():
		return b.ns
	}
	return max(min(b.ns, b.all-b.unhindered()*b.count), 0)
}

// fewestAlone is how many requests have to have a device for themselves for what is usual of them to be no chance.
const fewestAlone = 16

// usuallyAlone is how long a request of the workload usually took that had the device for itself; 0 if hardly any had.
func (b *behind) usuallyAlone() int64 {
	if b.alone.Count < fewestAlone {
		return 0
	}
	return b.alone.Quantile(0.5)
}

// evenly is the part of the mean time between two ends that three quarters take at least, where a device serves one
// after another, even if the end of some is seen late. Where it serves several at once, ends come at random: a quarter
// of them within 0.29 of that time.
const evenly = 0.45

// oneByOne reports whether the device seems to serve one request after another: those that wait end at even distances.
func (t *turns) oneByOne() bool {
	d := t.pace.Dist()
	return d.Count > 0 && float64(t.pace.Quantile(0.25)) >= evenly*float64(d.Sum)/float64(d.Count)
}
