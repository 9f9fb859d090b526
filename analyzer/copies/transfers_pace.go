package copies

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
)

// pace watches the calls of a transfer: what was in flight, and the pauses. Of
// files that are not listed there is none.
type pace struct {
	Begun                  bool
	Read, Write, Any       int64 // time with one in flight
	readEnd, writeEnd, end int64
	Think                  measure.Histogram
	Gaps                   measure.Gaps
	last                   measure.Way // what ended last
	Threads                []uint32
}

// maxPaced is how many threads of a transfer are told apart.
const maxPaced = 64

func (p *pace) add(x *world.Access, read, write bool) {
	if p == nil {
		return
	}
	start, end := x.Start, x.End
	if n := len(p.Threads); n < maxPaced && (n == 0 || p.Threads[n-1] != x.TID) && !slices.Contains(p.Threads, x.TID) {
		p.Threads = append(p.Threads, x.TID)
	}
	if !p.Begun {
		p.Begun = true
		p.readEnd, p.writeEnd, p.end = start, start, start
	}
	if start > p.end {
		p.Think.Add(start - p.end)
		p.Gaps.Add(p.last, measure.Way{Reads: read, Writes: write}, start-p.end)
	}
	if read {
		p.Read += max(end-max(start, p.readEnd), 0)
		p.readEnd = max(p.readEnd, end)
	}
	if write {
		p.Write += max(end-max(start, p.writeEnd), 0)
		p.writeEnd = max(p.writeEnd, end)
	}
	p.Any += max(end-max(start, p.end), 0)
	if end >= p.end {
		p.end, p.last = end, measure.Way{Reads: read, Writes: write}
	}
}
