package measure

import (
	"math"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/stats"
)

// Modes lists the modes of a sample that has several.
func Modes(y []float64) []profile.Mode {
	m := stats.FindModes(y)
	if !m.Bimodal {
		return nil
	}
	var list []profile.Mode
	for _, x := range m.Modes {
		list = append(list, profile.Mode{Median: Whole(x.Median), Weight: x.Weight})
	}
	return list
}

// Whole rounds a number for the profile; what is not finite becomes Unknown.
func Whole(x float64) int64 {
	if math.IsNaN(x) || math.Abs(x) > math.MaxInt64/2 {
		return profile.Unknown
	}
	return int64(math.Round(x))
}

// Rate is bytes per second.
func Rate(bytes, ns int64) int64 {
	if ns <= 0 {
		return 0
	}
	return int64(float64(bytes) / float64(ns) * 1e9)
}

// RoundUp returns the least of 1, 2, 5, 10, 20, 50, … that is not below n.
func RoundUp(n int64) int64 {
	for unit := int64(1); ; unit *= 10 {
		for _, m := range []int64{1, 2, 5} {
			if m*unit >= n || unit > 1e17 {
				return m * unit
			}
		}
	}
}
