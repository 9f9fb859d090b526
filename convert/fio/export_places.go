package fio

import (
	"cmp"
	"sort"

	"github.com/iotrace/iotrace/internal/sorting"
)

// unit is what places on a device are kept in: a page. Offsets within it stay as they are.
const unit = 4096

// maxExtents bounds the parts of a device that are told apart while they are collected.
const maxExtents = 1 << 19

// places are the parts of a device that are used, side by side in the order of the device: a file of these can be made
// anywhere, where one of the device's size cannot. A unit lies between two parts, so that what was a jump is one.
type places struct {
	parts []extent
	slack int64 // parts that lie as close together are one
	limit int   // of parts, for tests; 0 for maxExtents
}

// extent is a part of a device, in whole units, and where it lies in the file.
type extent struct{ start, end, to int64 }

// add takes in that something is used.
func (p *places) add(offset, length int64) {
	start, end := offset/unit*unit, (offset+length+unit-1)/unit*unit
	if last := len(p.parts) - 1; last >= 0 && p.parts[last].end >= start && p.parts[last].start <= start {
		p.parts[last].end = max(p.parts[last].end, end)
		return
	}
	p.parts = append(p.parts, extent{start: start, end: end})
	limit := cmp.Or(p.limit, maxExtents)
	if len(p.parts) <= limit {
		return
	}
	for p.join(); len(p.parts) > max(limit/2, 1); p.join() {
		p.slack = max(2*p.slack, unit)
	}
}

// join makes one of parts that overlap or lie close together.
func (p *places) join() {
	sorting.Stably(p.parts, func(a, b extent) int { return cmp.Compare(a.start, b.start) })
	joined := p.parts[:0]
	for _, e := range p.parts {
		if last := len(joined) - 1; last >= 0 && e.start <= joined[last].end+p.slack {
			joined[last].end = max(joined[last].end, e.end)
		} else {
			joined = append(joined, e)
		}
	}
	p.parts = joined
}

// settle gives each part its place in the file, once all are known.
func (p *places) settle() {
	p.join()
	at := int64(0)
	for i := range p.parts {
		e := &p.parts[i]
		e.to = at
		at += e.end - e.start + unit
	}
}

// at is where something lies in the file.
func (p *places) at(offset int64) int64 {
	i := sort.Search(len(p.parts), func(i int) bool { return p.parts[i].end > offset })
	if i == len(p.parts) {
		return offset
	}
	return p.parts[i].to + offset - p.parts[i].start
}
