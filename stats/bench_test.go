package stats

import (
	"fmt"
	"math"
	"testing"
)

func BenchmarkSamples(b *testing.B) {
	for _, n := range []int{20, 160, 100000} {
		x, y := Drawn(n, 1), Drawn(n, 2)
		for _, f := range []struct {
			name string
			call func()
		}{
			{"Median", func() { Median(x) }},
			{"MedianCI", func() { MedianCI(x, 0.95) }},
			{"TrimmedMean", func() { TrimmedMean(x, DefaultTrim) }},
			{"MannWhitney", func() { MannWhitney(x, y) }},
			{"RatioOfMedians", func() { RatioOfMedians(x, y, Resampling{}) }},
			{"Modes", func() { FindModes(x) }},
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
		x, y := Drawn(n, 1), Drawn(n, 2)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				TheilSen(x, y, 0.95)
			}
		})
	}
}

func BenchmarkAttribute(b *testing.B) {
	cells := make([][]float64, 16)
	for i := range cells {
		cells[i] = scaled(Drawn(6, uint64(i)), math.Abs)
	}
	for b.Loop() {
		Attribute(cells, Resampling{})
	}
}
