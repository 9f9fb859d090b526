package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
)

// powerTrials is how many pairs of samples LeastShift draws: the standard error of
// a power of 0.8 is then 0.9 points of a hundred.
const powerTrials = 2000

// LeastShift is by how many standard deviations two normal populations have to
// differ for MannWhitney to give P < level with probability power, from n values
// of the one and m of the other. It is infinite if no arrangement of so few values
// gives such a P.
//
// Up to 50 values in all it is found by drawing (always the same numbers), since
// the steps of P are coarse then; for more it is Noether's approximation (Journal
// of the American Statistical Association 82, 1987).
func LeastShift(n, m int, level, power float64) float64 {
	if n < 1 || m < 1 || !(level > 0 && level < 1) || !(power > 0 && power < 1) {
		return nan
	}
	if n+m > exactRanks {
		return noether(float64(n), float64(m), level, power)
	}
	key := shiftKey{n, m, level, power}
	if known, found := shifts.Load(key); found {
		return known.(float64)
	}
	shift := drawnShift(n, m, level, power)
	shifts.Store(key, shift)
	return shift
}

// shifts are those that were drawn: a comparison asks for the same one time and again, and so does each of many. There
// are no more than there are numbers of runs that people compare.
var shifts sync.Map

type shiftKey struct {
	n, m         int
	level, power float64
}

// drawnShift finds the shift by drawing pairs of samples.
func drawnShift(n, m int, level, power float64) float64 {
	tail := -1 // the largest U on the short side that is still significant
	for tail < n*m/2 && exactU(n, m, float64(tail+1)) < level {
		tail++
	}
	if tail < 0 {
		return math.Inf(1)
	}
	// The shift that a pair of samples needs is the least one at which all but tail
	// of the differences between a value of the one and a value of the other are
	// passed: one of the sorted differences.
	rnd := rand.New(rand.NewPCG(uint64(n), uint64(m)))
	need := make([]float64, powerTrials)
	a, differences := make([]float64, n), make([]float64, n*m)
	for t := range need {
		for i := range a {
			a[i] = rnd.NormFloat64()
		}
		for k := range m {
			b := rnd.NormFloat64()
			for i := range a {
				differences[k*n+i] = a[i] - b
			}
		}
		slices.Sort(differences)
		need[t] = differences[n*m-tail-1]
	}
	slices.Sort(need)
	return math.Max(0, need[int(math.Ceil(power*powerTrials))-1])
}

// noether solves his formula for the probability that a value of the one exceeds one
// of the other, and that for the shift.
func noether(n, m, level, power float64) float64 {
	z := normalQuantile(1-level/2) + normalQuantile(power)
	share := n / (n + m)
	p := 0.5 + z/math.Sqrt(12*share*(1-share)*(n+m))
	if p >= 1 {
		return math.Inf(1)
	}
	return math.Sqrt2 * normalQuantile(p)
}
