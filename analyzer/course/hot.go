package course

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
)

// fineCells bounds the cells of all heat maps of a finer level together.
const fineCells = 60_000

// fineHeat is a heat map at a finer level: cells as curves are finished, kept
// for the whole recording or for the windows of the level, like its curves.
type fineHeat struct {
	window      int
	all, within []hotCell
}

type hotCell struct{ bin, from, count int64 } // from is the lower edge of the row

// add takes what ended in a bin. Bins come in order.
func (f *fineHeat) add(z *zoom, bin int64, h *measure.Histogram) {
	if z.cold {
		return
	}
	z.heated = z.heated && z.whole // a curve that is not whole leaves operations out
	for f.window < len(z.windows) && z.windows[f.window].ToNS <= bin {
		f.window++
	}
	inside := f.window < len(z.windows) && z.windows[f.window].FromNS <= bin
	if !inside && !z.heated {
		return
	}
	var bins []profile.Bin
	h.Each(func(b int, n int64) { bins = measure.AddToBin(bins, b, n) })
	for _, b := range bins {
		c := hotCell{bin, b.From, b.Count}
		if z.heated {
			f.all = append(f.all, c)
		}
		if inside {
			f.within = append(f.within, c)
		}
	}
	if z.cells[0] += len(bins); z.cells[0] > fineCells {
		z.heated = false
	}
	if inside {
		if z.cells[1] += len(bins); z.cells[1] > fineCells {
			z.cold = true
		}
	}
	if !z.heated {
		f.all = nil
	}
}

// profile is the heat map with the rows of the coarse one.
func (f *fineHeat) profile(z *zoom, coarse profile.Heat) profile.Heat {
	cells := f.within
	if z.heated {
		cells = f.all
	}
	coarse.Cells = make([]profile.Cell, 0, len(cells))
	for _, c := range cells {
		if row, ok := slices.BinarySearch(coarse.Rows, c.from); ok {
			coarse.Cells = append(coarse.Cells, profile.Cell{c.bin, int64(row), c.count})
		}
	}
	return coarse
}
