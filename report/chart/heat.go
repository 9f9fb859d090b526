package chart

import (
	"fmt"
	"math"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// A heat is a heat map as the page gets it: parallel arrays of cells.
type heat struct {
	BinNS int64       `json:"bin"`   // ns per time bin
	Edges []float64   `json:"edges"` // logarithms of the lower edges of the rows, and of the last one's upper edge
	Log   float64     `json:"log"`   // their base
	At    array       `json:"at"`
	Row   array       `json:"row"`
	Count array       `json:"count"`
	Max   int64       `json:"max"`
	Color string      `json:"color"`
	Fine  []heatLevel `json:"fine,omitempty"` // coarse to fine

	of *profile.Heat
}

// A heatLevel is a finer level of a heat map: the operations that ended in a bin
// with a value in a row.
type heatLevel struct {
	BinNS int64 `json:"bin"`
	Whole bool  `json:"whole"` // or within the stretches that the page lists as detailed
	At    array `json:"at"`
	Row   array `json:"row"`
	Count array `json:"count"`
	Max   int64 `json:"max"`
}

// maxFineHeat bounds the finer levels of all heat maps together, in bytes of
// the page; levels are added from coarse to fine while they fit.
const maxFineHeat = 350_000

// fineHeats adds the finer levels to the heat maps among the charts, and returns the bins
// of the finest.
func fineHeats(zooms []profile.Zoom, charts []*Chart) (bin int64) {
	room := maxFineHeat
	for i := range zooms {
		z := &zooms[i]
		levels, size := map[*heat]heatLevel{}, 0
		for k := range z.Heatmaps {
			h := &z.Heatmaps[k]
			for _, ch := range charts {
				if ch.Heat == nil || !sameHeat(ch.Heat.of, h) {
					continue
				}
				x := columnsOfCells(h)
				x.BinNS, x.Whole = z.BinNS, z.HeatWhole
				levels[ch.Heat] = x
				size += len(x.At.Data) + len(x.Row.Data) + len(x.Count.Data)
			}
		}
		if room -= size; room < 0 || len(levels) == 0 {
			return bin
		}
		for h, x := range levels {
			h.Fine = append(h.Fine, x)
		}
		bin = z.BinNS
	}
	return bin
}

func sameHeat(a, b *profile.Heat) bool {
	return a.Quantity == b.Quantity && a.Layer == b.Layer && a.Device == b.Device && a.Direction == b.Direction
}

func columnsOfCells(h *profile.Heat) heatLevel {
	var at, row, count []int64
	var top int64
	for _, c := range h.Cells {
		at, row, count = append(at, c[0]), append(row, c[1]), append(count, c[2])
		top = max(top, c[2])
	}
	return heatLevel{At: deltas(at), Row: uint8s(row), Count: integers(count), Max: top}
}

// maxCells bounds the cells of all heat maps together; neighbouring time bins
// are joined until they fit.
const maxCells = 30000

// heatCharts are the heat maps of latency and size of one place.
func heatCharts(p *place, id string, binNS int64, join int, told *profile.Trace) []*Chart {
	var all []*Chart
	for _, h := range p.heats {
		if len(h.Rows) == 0 || operations(h) < fewest || h.Quantity == "size_bytes" && oneRow(h) {
			continue // uniform says so in words
		}
		if h.Quantity == "latency_ns" && !told.TellsLatency(p.took()) {
			continue
		}
		log, base, axis, format := math.Log10, 10.0, "time10", "time"
		title, top := "Latency", unit.Nanoseconds(h.Rows[len(h.Rows)-1])
		if h.Quantity == "size_bytes" {
			log, base, axis, format = math.Log2, 2, "size2", "size"
			title, top = "Block size", unit.BlockSize(h.Rows[len(h.Rows)-1])
		}
		color := "write"
		if h.Direction == "read" {
			color = "read"
		}
		c := &Chart{ID: fmt.Sprintf("%s-heat%d", id, len(all)), Kind: "heat", Title: title + " · " +
			visible.Text(h.Direction), Unit: format, Height: 132}
		if len(h.Rows) < 4 {
			c.Height = 56
		}
		c.Option = newPlot(axis, drawn(c.Title, "heat"))
		c.Heat = heatOf(h, binNS, join, log, base, color)
		c.Summary = fmt.Sprintf("Heat map over time of the %s of %s: %s. Highest row from %s.", title,
			visible.Text(h.Direction), p.name, top)
		all = append(all, c)
	}
	return all
}

// fewest is the number of operations from which on a picture says more than a
// list.
const fewest = 20

func operations(h *profile.Heat) (n int64) {
	for _, c := range h.Cells {
		n += c[2]
	}
	return n
}

func oneRow(h *profile.Heat) bool {
	return !slices.ContainsFunc(h.Cells, func(c profile.Cell) bool { return c[1] != h.Cells[0][1] })
}

func heatOf(h *profile.Heat, binNS int64, join int, log func(float64) float64, base float64, color string) *heat {
	edges := make([]float64, 0, len(h.Rows)+1)
	for _, r := range h.Rows {
		edges = append(edges, log(math.Max(1, float64(r))))
	}
	step := 0.25 * log(2)
	if n := len(edges); n > 1 {
		step = edges[n-1] - edges[n-2]
	}
	edges = append(edges, edges[len(edges)-1]+step)
	cells := joined(h.Cells, join)
	var at, row, count []int64
	var top int64
	for _, c := range cells {
		at, row, count = append(at, c[0]), append(row, c[1]), append(count, c[2])
		top = max(top, c[2])
	}
	return &heat{BinNS: binNS * int64(join), Edges: edges, Log: base, At: uint16s(at), Row: uint16s(row),
		Count: uint32s(count), Max: top, Color: color, of: h}
}

// joined adds up the cells of every join neighbouring time bins.
func joined(cells []profile.Cell, join int) []profile.Cell {
	if join == 1 {
		return cells
	}
	var out []profile.Cell
	at := map[[2]int64]int{}
	for _, c := range cells {
		key := [2]int64{c[0] / int64(join), c[1]}
		if i, known := at[key]; known {
			out[i][2] += c[2]
			continue
		}
		at[key] = len(out)
		out = append(out, profile.Cell{key[0], key[1], c[2]})
	}
	return out
}

// joinFor is how many time bins to join for all heat maps to fit the page.
func joinFor(heats []profile.Heat) int {
	for join := 1; ; join *= 2 {
		n := 0
		for i := range heats {
			n += len(joined(heats[i].Cells, join))
		}
		if n <= maxCells || join >= 1<<16 {
			return join
		}
	}
}

// heatSection is the heat maps of every layer and device.
func heatSection(p *profile.Profile) Section {
	s := Section{ID: "heat", Title: "Heat maps", Note: "How many operations ended at each moment with each latency (how " +
		"long one took) or size: " +
		"the stronger the colour, the more. They follow the zoom above and get finer with it."}
	join := joinFor(p.Charts.Heatmaps)
	for i, pl := range shownPlaces(p.Charts) {
		if charts := heatCharts(pl, placeID(i), p.Charts.BinNS, join, &p.Trace); len(charts) > 0 {
			s.Groups = append(s.Groups, Group{Name: pl.name, Charts: charts})
		}
	}
	s.Folded = true // the curves and the single requests say when and how long
	return s
}
