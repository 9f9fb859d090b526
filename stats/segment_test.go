package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// squaresCost is what Segment minimises.
func squaresCost(y []float64, cuts []int, penalty float64) float64 {
	cost, first := penalty*float64(len(cuts)), 0
	for _, end := range append(slices.Clone(cuts), len(y)) {
		m := stat.Mean(y[first:end], nil)
		for _, v := range y[first:end] {
			cost += (v - m) * (v - m)
		}
		first = end
	}
	return cost
}

func TestSegmentAgainstRuptures(t *testing.T) {
	type series struct {
		Y       []float64
		Min     int
		Penalty float64
		Cuts    []int
		Cost    float64
	}
	for i, c := range ReadLines[series](t, "testdata/series.jsonl") {
		got := segment(c.Y, c.Penalty, c.Min)
		if !slices.Equal(got, c.Cuts) {
			t.Errorf("line %d: cuts %v (cost %.9g), want %v (cost %.9g)", i+1, got, squaresCost(c.Y, got, c.Penalty), c.Cuts,
				c.Cost)
		}
		Check(t, fmt.Sprintf("line %d: cost", i+1), squaresCost(c.Y, got, c.Penalty), c.Cost, 1e-9)
	}
}

func BenchmarkSegment(b *testing.B) {
	for _, n := range []int{160, 1000, 10000, 100000} {
		for _, kind := range []string{"quiet", "step", "ramp"} {
			b.Run(fmt.Sprintf("%s/%d", kind, n), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(1, 1))
				y := make([]float64, n)
				for i := range y {
					y[i] = rng.NormFloat64()
					switch {
					case kind == "step" && i > n/3:
						y[i] += 5
					case kind == "ramp":
						y[i] += 100 * float64(i) / float64(n)
					}
				}
				for b.Loop() {
					segment(y, 5*math.Log(float64(n)), 5)
				}
			})
		}
	}
}
