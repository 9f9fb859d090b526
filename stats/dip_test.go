package stats

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func BenchmarkDip(b *testing.B) {
	for _, n := range []int{20, 100, 1000, 100000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 1))
			x := make([]float64, n)
			for i := range x {
				x[i] = rng.NormFloat64()
			}
			for b.Loop() {
				dip(x)
			}
		})
	}
}
