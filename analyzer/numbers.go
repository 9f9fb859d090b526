package analyzer

import (
	"math"

	"github.com/iotrace/iotrace/stats"
)

// modes lists the modes of a sample that has several.
func modes(y []float64) []Mode {
	m := stats.Modes(y)
	if !m.Bimodal {
		return nil
	}
	var list []Mode
	for _, x := range m.Modes {
		list = append(list, Mode{whole(x.Median), x.Weight})
	}
	return list
}

// whole rounds a number for the profile; what is not finite becomes Unknown.
func whole(x float64) int64 {
	if math.IsNaN(x) || math.Abs(x) > math.MaxInt64/2 {
		return Unknown
	}
	return int64(math.Round(x))
}

// rate is bytes per second.
func rate(bytes, ns int64) int64 {
	if ns <= 0 {
		return 0
	}
	return int64(float64(bytes) / float64(ns) * 1e9)
}

// roundUp returns the least of 1, 2, 5, 10, 20, 50, … that is not below n.
func roundUp(n int64) int64 {
	for unit := int64(1); ; unit *= 10 {
		for _, m := range []int64{1, 2, 5} {
			if m*unit >= n || unit > 1e17 {
				return m * unit
			}
		}
	}
}
