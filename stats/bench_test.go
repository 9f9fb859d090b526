package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// drawn is a sample of n values of a normal distribution.
func drawn(n int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 22))
	x := make([]float64, n)
	for i := range x {
		x[i] = 10 + rng.NormFloat64()
	}
	return x
}

func BenchmarkSamples(b *testing.B) {
	for _, n := range []int{20, 160, 100000} {
		x, y := drawn(n, 1), drawn(n, 2)
		for _, f := range []struct {
			name string
			call func()
		}{
			{"Median", func() { Median(x) }},
			{"MedianCI", func() { MedianCI(x, 0.95) }},
			{"TrimmedMean", func() { TrimmedMean(x, DefaultTrim) }},
			{"MAD", func() { MAD(x) }},
			{"MannWhitney", func() { MannWhitney(x, y) }},
			{"HodgesLehmann", func() { HodgesLehmann(x, y) }},
			{"KolmogorovSmirnov", func() { KolmogorovSmirnov(x, y) }},
			{"Wasserstein", func() { Wasserstein(x, y) }},
			{"RatioOfMedians", func() { RatioOfMedians(x, y, Resampling{}) }},
			{"TestDip", func() { TestDip(x) }},
			{"TheilSen", func() { TheilSen(x, y, 0.95) }},
		} {
			b.Run(fmt.Sprintf("%s/%d", f.name, n), func(b *testing.B) {
				for b.Loop() {
					f.call()
				}
			})
		}
	}
}

func BenchmarkTheilSenAroundTheLimit(b *testing.B) {
	for _, n := range []int{2000, 2800, 3000, 10000} {
		x, y := drawn(n, 1), drawn(n, 2)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				TheilSen(x, y, 0.95)
			}
		})
	}
}

func BenchmarkSiegel(b *testing.B) {
	x, y := drawn(3000, 1), drawn(3000, 2)
	for b.Loop() {
		Siegel(x, y)
	}
}

func BenchmarkPermutationTest(b *testing.B) {
	x, y := drawn(20, 1), drawn(20, 2)
	for b.Loop() {
		PermutationTest(x, y, MeanDifference, Resampling{})
	}
}

func BenchmarkAttribute(b *testing.B) {
	cells := make([][]float64, 16)
	for i := range cells {
		cells[i] = scaled(drawn(6, uint64(i)), math.Abs)
	}
	for b.Loop() {
		Attribute(cells, Resampling{})
	}
}
