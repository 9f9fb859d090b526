package stats

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func TestShapleyToyTable(t *testing.T) {
	const q, b, r = 1, 2, 4
	table := make([]float64, 8)
	for mask, v := range map[int]float64{0: .2, q: .3, b: .25, r: .5, q | b: .45, q | r: .7, b | r: .6, q | b | r: 1} {
		table[mask] = v
	}
	c := Shapley(table)
	Check(t, "q", c[0].Phi.Value, 0.233333333333333, 1e-14)
	Check(t, "b", c[1].Phi.Value, 0.158333333333333, 1e-14)
	Check(t, "r", c[2].Phi.Value, 0.408333333333333, 1e-14)
	Check(t, "least of b", c[1].Least, 0.05, 1e-14)
	Check(t, "greatest of b", c[1].Greatest, 0.3, 1e-14)
	// q with b: once without r (.45−.3−.25+.2), once with it (1−.7−.6+.5).
	Check(t, "q with b", interactions(table)[0][1], (0.1+0.2)/2, 1e-14)
}

// tables are full factorials of one to six factors.
func tables() *rapid.Generator[[]float64] {
	return rapid.Custom(func(t *rapid.T) []float64 {
		k := rapid.IntRange(1, 6).Draw(t, "factors")
		return rapid.SliceOfN(rapid.Float64Range(-1000, 1000), 1<<k, 1<<k).Draw(t, "table")
	})
}

func TestShapleySumsToGap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := tables().Draw(t, "table")
		sum := 0.0
		for _, c := range Shapley(table) {
			sum += c.Phi.Value
			if c.Phi.Value < c.Least-1e-9 || c.Phi.Value > c.Greatest+1e-9 {
				t.Fatalf("%+v lies outside of its own range", c)
			}
		}
		if !Near(sum, table[len(table)-1]-table[0], 1e-11) {
			t.Fatalf("sum %g, want %g", sum, table[len(table)-1]-table[0])
		}
	})
}

// TestShapleyByOrders compares with the average over all orders.
func TestShapleyByOrders(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 1))
	table := make([]float64, 16)
	for i := range table {
		table[i] = rng.Float64()
	}
	want := make([]float64, 4)
	orders := 0.0
	var walk func(mask int)
	walk = func(mask int) {
		if mask == 15 {
			orders++
			return
		}
		for i := range 4 {
			if mask>>i&1 == 0 {
				walk(mask | 1<<i)
				// The walk comes here once for each order of the factors before; each
				// goes on in as many ways as there are orders of those after.
				after := 3 - bits.OnesCount(uint(mask))
				want[i] += math.Gamma(float64(after)+1) * (table[mask|1<<i] - table[mask])
			}
		}
	}
	walk(0)
	for i, c := range Shapley(table) {
		Check(t, "phi", c.Phi.Value, want[i]/orders, 1e-13)
	}
}

func TestShapleyAxioms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := tables().Draw(t, "table")
		k := bits.Len(uint(len(table))) - 1
		i := rapid.IntRange(0, k-1).Draw(t, "i")

		// A factor without effect gets nothing.
		dummy := make([]float64, len(table))
		for mask := range dummy {
			dummy[mask] = table[mask&^(1<<i)]
		}
		if c := Shapley(dummy)[i]; c.Phi.Value != 0 || c.Least != 0 || c.Greatest != 0 {
			t.Fatalf("dummy: %+v", c)
		}

		// Where effects add, each factor gets its own and no order matters.
		additive := make([]float64, len(table))
		for mask := range additive {
			additive[mask] = table[0]
			for j := range k {
				if mask>>j&1 == 1 {
					additive[mask] += table[1<<j] - table[0]
				}
			}
		}
		for j, c := range Shapley(additive) {
			if !Near(c.Phi.Value, table[1<<j]-table[0], 1e-11) || c.Greatest-c.Least > 1e-9 {
				t.Fatalf("additive: %+v", c)
			}
		}
		for _, row := range interactions(additive) {
			for _, v := range row {
				if math.Abs(v) > 1e-9 {
					t.Fatalf("additive effects interact: %g", v)
				}
			}
		}

		// Factors that act alike get the same.
		alike := make([]float64, len(table))
		for mask := range alike {
			alike[mask] = table[bits.OnesCount(uint(mask))%len(table)]
		}
		for _, c := range Shapley(alike) {
			if !Near(c.Phi.Value, Shapley(alike)[0].Phi.Value, 1e-11) {
				t.Fatalf("alike: %+v", c)
			}
		}
	})
}

func TestShapleyUnusable(t *testing.T) {
	for _, table := range [][]float64{nil, {1}, {1, 2, 3}, {1, math.NaN()}, make([]float64, 2048)} {
		if c := Shapley(table); c != nil {
			t.Errorf("%v: %v", table, c)
		}
		if m := interactions(table); m != nil {
			t.Errorf("%v: %v", table, m)
		}
	}
}

// TestHarmonicBound is the arithmetic of a copy that reads and writes in turn,
// divided in seconds per byte.
func TestHarmonicBound(t *testing.T) {
	read, write, copied := 5085.0, 4400.0, 1980.0
	serial := 1 / (1/read + 1/write)
	Check(t, "serial bound", serial, 2358.88, 1e-5)
	// Factors: read side, all the rest. The rest adds what is left.
	table := []float64{1 / write, 1 / serial, 1/copied - 1/read, 1 / copied}
	c := Shapley(table)
	Check(t, "share of the read side", c[0].Phi.Value/(table[3]-table[0]), 0.70796, 1e-5)
}

func BenchmarkShapley(b *testing.B) {
	table := make([]float64, 1024)
	for i := range table {
		table[i] = float64(i * i % 97)
	}
	for b.Loop() {
		Shapley(table)
	}
}
