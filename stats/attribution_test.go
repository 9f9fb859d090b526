package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// device is a simulated drive: a cost per operation, a latency that queued
// operations share, a bandwidth, and a link that reads and writes take turns on.
type device struct {
	perOp     float64 // s of CPU per operation
	latency   float64 // s until an operation is done
	bandwidth float64 // bytes/s, writing
	reading   float64 // bytes/s
}

// The factors of the simulated experiment, as bits of a cell.
const (
	smallBlocks  = 1 << iota // 128 KiB instead of 1 MiB
	oneAtATime               // depth 1 instead of 8
	readSide                 // every byte is read before it is written
	compressible             // which this device does not notice
	simulated    = 4
)

// seconds is what a gigabyte takes in a cell.
func (d device) seconds(cell int) float64 {
	const bytes = 1e9
	size, depth := float64(1<<20), 8.0
	if cell&smallBlocks != 0 {
		size = 128 << 10
	}
	if cell&oneAtATime != 0 {
		depth = 1
	}
	t := bytes/size*d.perOp + bytes/math.Min(depth*size/d.latency, d.bandwidth)
	if cell&readSide != 0 {
		t += bytes / d.reading
	}
	return t
}

// measure repeats every cell with noise that is skewed to the slow side.
func (d device) measure(rng *rand.Rand, reps int, cv float64) [][]float64 {
	cells := make([][]float64, 1<<simulated)
	for cell := range cells {
		for range reps {
			cells[cell] = append(cells[cell], d.seconds(cell)*math.Exp(cv*rng.NormFloat64()))
		}
	}
	return cells
}

// TestAttributionCoverage runs the whole experiment 200 times on each device
// and expects intervals to hold the true contributions as often as they say.
func TestAttributionCoverage(t *testing.T) {
	t.Parallel()
	const runs = 200
	for name, d := range map[string]device{
		"fast, far":  {20e-6, 200e-6, 4.4e9, 5.085e9},
		"slow, near": {5e-6, 60e-6, 0.9e9, 1.0e9},
		"costly ops": {150e-6, 80e-6, 3.0e9, 3.3e9},
	} {
		for _, cv := range []float64{0.05, 0.25} {
			table := make([]float64, 1<<simulated)
			for cell := range table {
				table[cell] = d.seconds(cell)
			}
			truth := Shapley(table)
			rng := rand.New(rand.NewPCG(20, 1))
			covered, gap, dummies := make([]int, simulated), 0, 0
			for run := range runs {
				cells := d.measure(rng, 6, cv)
				a := Attribute(cells, Resampling{N: 600, Seed: uint64(run)})
				sum := 0.0
				for i, c := range a.Contributions {
					sum += c.Phi.Value
					if c.Phi.Contains(truth[i].Phi.Value) {
						covered[i]++
					}
				}
				Check(t, "closure", sum, a.Gap.Value, 1e-12)
				if a.Gap.Contains(table[len(table)-1] - table[0]) {
					gap++
				}
				if a.Verdicts[3] == notResolved {
					dummies++
				}
				if cv == 0.05 && a.Verdicts[2] != Resolved {
					t.Errorf("%s: the read side is %v: %+v", name, a.Verdicts[2], a.Contributions[2])
				}
			}
			t.Logf("%-10s cv=%.2f: contributions covered %v of %d, gap %d, factor without effect not resolved %d", name, cv,
				covered, runs, gap, dummies)
			total := 0
			for _, c := range covered {
				total += c
			}
			if rate := float64(total) / (simulated * runs); rate < 0.935 || rate > 0.995 {
				t.Errorf("%s, cv=%g: 95 %% intervals cover in %.3f", name, cv, rate)
			}
			if float64(gap) < 0.90*runs || float64(dummies) < 0.93*runs {
				t.Errorf("%s, cv=%g: gap covered %d of %d, dummy not resolved %d", name, cv, gap, runs, dummies)
			}
		}
	}
}

func TestVerdicts(t *testing.T) {
	known := func(low, high float64) Estimate {
		return Estimate{(low + high) / 2, Interval{low, high, 0.95}}
	}
	for _, c := range []struct {
		c    contribution
		want verdict
	}{
		{contribution{known(1, 2), 0.5, 3}, Resolved},
		{contribution{known(-2, -1), -3, -0.1}, Resolved},
		{contribution{known(1, 2), -0.5, 3}, orderDecides},
		{contribution{known(-1, 2), 0.1, 3}, notResolved},
		{contribution{Estimate{Value: 1}, 0.5, 3}, notResolved},
	} {
		if got := c.c.Verdict(); got != c.want || got.String() == "" {
			t.Errorf("%+v: %v, want %v", c.c, got, c.want)
		}
	}
}

// TestDriftIsSeen: what a device that slows down during an experiment does to
// it is found in the order of the runs, before any contribution is believed.
func TestDriftIsSeen(t *testing.T) {
	d := device{20e-6, 200e-6, 4.4e9, 5.085e9}
	for _, drifts := range []bool{false, true} {
		seen := 0
		const runs = 100
		rng := rand.New(rand.NewPCG(21, 1))
		for range runs {
			var series []float64 // each run over the median of its cell
			cells := make([][]float64, 1<<simulated)
			type place struct{ cell, rep int }
			var order []place
			for block := range 6 {
				for _, cell := range rng.Perm(len(cells)) {
					v := d.seconds(cell) * math.Exp(0.1*rng.NormFloat64())
					if drifts && block >= 3 {
						v *= 1.6
					}
					order = append(order, place{cell, len(cells[cell])})
					cells[cell] = append(cells[cell], v)
				}
			}
			for _, p := range order {
				series = append(series, cells[p.cell][p.rep]/Median(cells[p.cell]))
			}
			if len(ChangePoints(series, ChangeOptions{}).Levels) > 1 {
				seen++
			}
		}
		t.Logf("drift %v: seen in %d of %d", drifts, seen, runs)
		if drifts && seen < 98 || !drifts && seen > 2 {
			t.Errorf("drift %v: seen in %d of %d", drifts, seen, runs)
		}
	}
}

func TestAttributeWithoutIntervals(t *testing.T) {
	few := make([][]float64, 4)
	for i := range few {
		few[i] = []float64{float64(i), float64(i)}
	}
	a := Attribute(few, Resampling{})
	if len(a.Contributions) != 2 || a.Contributions[0].Phi.Known() || a.Gap.Known() || a.Verdicts[0] != notResolved {
		t.Errorf("two repetitions: %+v", a)
	}
	few[2] = nil
	if a := Attribute(few, Resampling{}); a.Contributions != nil || !math.IsNaN(a.Gap.Value) {
		t.Errorf("an empty cell: %+v", a)
	}
	if a := Attribute(few[:3], Resampling{}); a.Contributions != nil {
		t.Errorf("three cells: %+v", a)
	}
}
