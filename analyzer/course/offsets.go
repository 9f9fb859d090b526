package course

// This file follows where in its files the workload read, wrote and waited for
// mapped pages, so that a picture tells order from disorder: in bounded memory, the
// heaviest files.

import (
	"cmp"
	"maps"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
)

const (
	maxFollowed = 200  // files: the heaviest
	maxFiles    = 8    // of those: the ones that were touched most often
	maxBins     = 300  // of time
	rows        = 96   // of a file; each holds twice as much whenever the file does not fit
	firstRow    = 4096 // bytes
)

// Offsets follows the heaviest files.
type Offsets struct {
	width int64 // of a bin of time
	files world.Table[file]
	list  []*file
}

// file is the places of one file: bytes by bin, row and way.
type file struct {
	*world.File
	row     int64 // bytes
	cells   map[place]int64
	steps   map[place]int64 // by how much a bin has more than the one before, of what goes on over several
	touches int64
}

type place struct{ bin, row, way int64 }

// NewOffsets follows files from the beginning of a recording to its end.
func NewOffsets(s *survey.Survey, end int64) *Offsets {
	c := &Offsets{width: measure.RoundUp(end/maxBins + 1)}
	var heavy []*world.File
	for _, f := range s.Files.All {
		if f.Weight > 0 && f.Data() {
			heavy = append(heavy, f)
		}
	}
	slices.SortStableFunc(heavy, func(a, b *world.File) int { return cmp.Compare(b.Weight, a.Weight) })
	for _, f := range heavy[:min(len(heavy), maxFollowed)] {
		x := &file{File: f, row: firstRow, cells: map[place]int64{}, steps: map[place]int64{}}
		c.files.Set(f.Number, x)
		c.list = append(c.list, x)
	}
	return c
}

// Data follows reads and writes.
func (c *Offsets) Data(x *world.Access) {
	if x.Reads {
		c.add(x.File, profile.TouchRead, x.Start, x.End, x.At, x.Bytes)
	}
	if out, at := x.Out(); x.Writes {
		c.add(out, profile.TouchWrite, x.Start, x.End, at, x.Bytes)
	}
}

// Fault follows waits for mapped pages, of which at least one came.
func (c *Offsets) Fault(e *world.Fault) {
	if e.File != nil {
		c.add(e.File, profile.TouchFault, e.Start, e.Start+max(e.Duration, 0), e.Offset, max(e.Filled, 4096))
	}
}

// add spreads bytes over the rows they lie in, and the time it took over those: a call
// that moves a whole file passes through it.
func (c *Offsets) add(f *world.File, way, start, end, at, bytes int64) {
	x := c.files.Known(f.Number)
	if x == nil || at < 0 || bytes <= 0 || at > 1<<60 || bytes > 1<<60 {
		return
	}
	x.touches++
	for at+bytes > rows*x.row {
		x.widen()
	}
	for done := int64(0); done < bytes; {
		row := (at + done) / x.row
		part := min(bytes-done, (row+1)*x.row-at-done)
		from := start + int64(float64(end-start)*float64(done)/float64(bytes))
		to := start + int64(float64(end-start)*float64(done+part)/float64(bytes))
		first, last := from/c.width, max(from, to-1)/c.width
		if first == last {
			x.cells[place{first, row, way}] += part
		} else {
			each := max(part/(last-first+1), 1)
			x.steps[place{first, row, way}] += each
			x.steps[place{last + 1, row, way}] -= each
		}
		done += part
	}
}

// widen makes rows hold twice as much.
func (x *file) widen() {
	for _, m := range []*map[place]int64{&x.cells, &x.steps} {
		wide := make(map[place]int64, len(*m))
		for p, bytes := range *m {
			wide[place{p.bin, p.row / 2, p.way}] += bytes
		}
		*m = wide
	}
	x.row *= 2
}

// settle adds what went on over several bins to each of them.
func (x *file) settle() {
	order := slices.Collect(maps.Keys(x.steps))
	sorting.Stably(order, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.way, b.way), cmp.Compare(a.bin, b.bin))
	})
	bytes := int64(0)
	for i, p := range order {
		if bytes += x.steps[p]; bytes == 0 {
			continue
		}
		for bin := p.bin; bin < order[i+1].bin; bin++ { // the last step of a row ends it
			x.cells[place{bin, p.row, p.way}] += bytes
		}
	}
	clear(x.steps)
}

// Finish adds the files that were touched most often.
func (c *Offsets) Finish(p *profile.Profile) {
	if p.Charts == nil {
		p.Charts = &profile.Charts{}
	}
	p.Charts.Offsets = []profile.Offsets{}
	slices.SortStableFunc(c.list, func(a, b *file) int { return cmp.Compare(b.touches, a.touches) })
	for _, x := range c.list[:min(len(c.list), maxFiles)] {
		if x.settle(); len(x.cells) < 2 {
			continue
		}
		out := profile.Offsets{File: x.Path, BinNS: c.width, RowBytes: x.row, Cells: make([]profile.Touch, 0, len(x.cells))}
		for at, bytes := range x.cells {
			out.Rows = max(out.Rows, at.row+1)
			out.Cells = append(out.Cells, profile.Touch{at.bin, at.row, at.way, bytes})
		}
		sorting.Stably(out.Cells, func(a, b profile.Touch) int { return slices.Compare(a[:], b[:]) })
		p.Charts.Offsets = append(p.Charts.Offsets, out)
	}
}
