package stats

import (
	"math"
	"sort"
)

//go:generate go test -run TestDipTable -update -timeout 20m .

// dipTest is the result of Hartigan's test for more than one mode.
type dipTest struct {
	Dip float64
	P   float64 // from 0.001, which means "or less", to 1
}

// dipP tests the hypothesis that n values with the dip d have one mode. It is the share of samples of the uniform
// distribution, the least favourable unimodal one, that have a larger dip, interpolated from a table of our own
// simulations (dip_table.go): linearly in ln n and √n·dip, and above the largest n of the table the distribution of
// √n·dip is taken as its limit.
//
// Equal values raise the dip: a clock that shows every value ten times makes any sample multimodal. With less than four
// values P is 1.
func dipP(d float64, n int) float64 {
	if n < dipSizes[0] {
		return 1
	}
	// Row and position between the rows of the table.
	hi := sort.SearchInts(dipSizes[:], n)
	hi = min(hi, len(dipSizes)-1)
	lo, share := hi, 0.0
	if n < dipSizes[hi] {
		lo = hi - 1
		share = math.Log(float64(n)/float64(dipSizes[lo])) / math.Log(float64(dipSizes[hi])/float64(dipSizes[lo]))
	}
	y := math.Sqrt(float64(n)) * d
	critical := func(i int) float64 { return dipQuantiles[lo][i] + share*(dipQuantiles[hi][i]-dipQuantiles[lo][i]) }
	// Critical values grow as P falls. They are rounded to 1e-5, and small
	// samples have their least dip often: all of that is P = 1.
	i := sort.Search(len(dipLevels), func(i int) bool { return critical(i) >= y-1e-5 })
	switch i {
	case 0:
		return 1
	case len(dipLevels):
		return dipLevels[len(dipLevels)-1]
	}
	a, b := critical(i-1), critical(i)
	return dipLevels[i-1] + min(1, (y-a)/(b-a))*(dipLevels[i]-dipLevels[i-1])
}
