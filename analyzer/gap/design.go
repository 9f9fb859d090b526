package gap

import (
	"math/rand/v2"

	"github.com/iotrace/iotrace/stats"
)

// MaxFactors is the number of factors whose cells are all measured; more are
// screened first.
const MaxFactors = 4

// Repetitions of each cell: an interval of a median needs six values.
const Repetitions = 6

// Run is one measurement to be made.
type Run struct {
	Block  int  `json:"block"`
	Mask   int  `json:"mask"`   // factors at the level of the workload; in a screening the row of the design
	Anchor bool `json:"anchor"` // of the start or the end of a block
}

// Factorial orders the runs of a full factorial of k factors: randomised
// complete blocks, each with every cell once, and with both anchors (no factor
// and all factors) at its start and at its end besides.
func Factorial(k, blocks int, seed uint64) []Run {
	rng := rand.New(rand.NewPCG(seed, 0x67_61_70))
	var runs []Run
	all := 1<<k - 1
	for b := range blocks {
		runs = append(runs, Run{b, 0, true}, Run{b, all, true})
		for _, m := range rng.Perm(1 << k) {
			runs = append(runs, Run{Block: b, Mask: m})
		}
		runs = append(runs, Run{b, 0, true}, Run{b, all, true})
	}
	return runs
}

// Screen orders the runs of a Plackett–Burman screening: its twelve rows in
// random order, blocks times. Masks are given for k factors.
func Screen(k, blocks int, seed uint64) []Run {
	rng := rand.New(rand.NewPCG(seed, 0x73_63_72))
	var runs []Run
	for b := range blocks {
		for _, row := range rng.Perm(stats.PlackettBurmanRuns) {
			runs = append(runs, Run{Block: b, Mask: row})
		}
	}
	return runs
}

// ScreenMask is the cell of a row of the screening of k factors.
func ScreenMask(row, k int) int {
	mask := 0
	design := stats.PlackettBurman()
	for i := range k {
		if design[row][i] {
			mask |= 1 << i
		}
	}
	return mask
}

// Screened keeps the factors that matter: those whose effect is more than
// twice the noise, at most most with the group of all others. values are
// seconds per GB, for each row of the design.
func Screened(factors []Factor, values [stats.PlackettBurmanRuns][]float64, most int) []Factor {
	s := stats.ScreenEffects(values, len(factors))
	if s.Effects == nil {
		return factors
	}
	return fold(factors, s.Effects, s.Active, most)
}
