package drive

import (
	"math"
	"testing"
)

// A drive measured with a model's own queue gives that model back.
func TestModelOf(t *testing.T) {
	for _, want := range []Model{
		{Latency: [services]float64{80e3, 60e3, 20e3, 18e3, 0}, Rate: [2]float64{3, 2}, Parallel: 16},
		{Latency: [services]float64{10e6, 1e6, 11e6, 1e6, 0}, Rate: [2]float64{0.2, 0.15}, Parallel: 1},
	} {
		var cells []Cell
		for _, kind := range []service{randomRead, sequentialRead, randomWrite, sequentialWrite} {
			for _, c := range []Cell{
				{Block: 4096, Depth: 1}, {Block: 4096, Depth: 32}, {Block: 1 << 20, Depth: 1}, {Block: 1 << 20, Depth: 32},
			} {
				c.Write, c.Random = kind.direction() == 1, kind == randomRead || kind == randomWrite
				cells = append(cells, measured(want, kind, c))
			}
		}
		got, ok := ModelOf(cells)
		if !ok || got.Parallel != want.Parallel {
			t.Errorf("%d requests at once, want %d", got.Parallel, want.Parallel)
		}
		for k := range flush {
			if d := math.Abs(got.Latency[k]/want.Latency[k] - 1); d > 0.05 {
				t.Errorf("kind %d: latency %.0f ns, want %.0f", k, got.Latency[k], want.Latency[k])
			}
		}
		for d := range got.Rate {
			if want.Parallel > 1 && math.Abs(got.Rate[d]/want.Rate[d]-1) > 0.05 {
				t.Errorf("direction %d: rate %.3f, want %.3f", d, got.Rate[d], want.Rate[d])
			}
		}
	}
	if _, ok := ModelOf([]Cell{{Block: 1 << 20, Depth: 8, Rate: 3}}); ok {
		t.Error("a drive of which no latency is known has a model")
	}
}

// measured is what a benchmark with so many in flight measures on a drive.
func measured(m Model, kind service, c Cell) Cell {
	q, ends := queue{Model: m}, make([]float64, 0, 4000)
	for i := range cap(ends) {
		at := 0.0
		if i >= c.Depth {
			at = ends[i-c.Depth]
		}
		ends = append(ends, q.serve(at, kind, c.Block, 0))
	}
	c.Rate = float64(c.Block) * float64(len(ends)) / ends[len(ends)-1]
	c.Latency = ends[len(ends)-1] - ends[len(ends)-1-c.Depth]
	return c
}
