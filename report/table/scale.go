package table

import (
	"math"
	"slices"
	"strconv"

	"github.com/iotrace/iotrace/internal/unit"
)

// A Scale is a unit and what one of it is worth in the base unit (ns, bytes,
// bytes per second, 1). A whole column of a table has one scale.
type Scale struct {
	Unit string
	per  float64
}

// The families of units. Amounts and rates are decimal (1 MB = 10^6 bytes), as
// drive makers and benchmarks write them; sizes of single calls and requests
// are binary (1 KiB = 2^10), as the kernel counts them.
var (
	Times   = []Scale{{"ns", 1}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}}
	Amounts = []Scale{{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}}
	Rates   = []Scale{{"B/s", 1}, {"kB/s", 1e3}, {"MB/s", 1e6}} // no GB/s: every benchmark lists MB/s
	Sizes   = []Scale{{"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}}
	Plain   = []Scale{{"", 1}}
	Shares  = []Scale{{"%", 0.01}}
)

// ScaleFor picks the largest unit of which v holds at least one. Missing
// values (negative, NaN) have no say.
func ScaleFor(family []Scale, values ...float64) Scale {
	top := 0.0
	for _, v := range values {
		if !math.IsInf(v, 0) && v > top { // false for NaN
			top = v
		}
	}
	best := family[0]
	for _, s := range family[1:] {
		if top >= s.per*0.9995 {
			best = s
		}
	}
	return best
}

// scaleOf is the scale of a column: as ScaleFor, but a smaller unit if that
// tells small values apart and leaves the largest with five digits. "6.05 µs"
// beside "11300 µs" says more than "0.006 ms" beside "11.3 ms".
func scaleOf(family []Scale, values []float64) Scale {
	s := ScaleFor(family, values...)
	if Largest(values) <= 0 && len(family) > 2 {
		return family[2] // "0 ms" and "0 MB" read like the others, "0 ns" does not
	}
	least := math.Inf(1)
	for _, v := range values {
		if v > 0 && v < least {
			least = v
		}
	}
	few := 0.1
	if &family[0] == &Sizes[0] {
		few = 1 // block sizes are whole numbers of the next smaller unit
	}
	for i := slices.Index(family, s) - 1; i >= 0 && least < few*s.per && Largest(values) < 1e5*family[i].per; i-- {
		s = family[i]
	}
	return s
}

// Format prints v, in base units, at the scale: three significant digits, "-"
// for a negative value (unknown, does not apply), "?" for NaN (not computable).
func (s Scale) Format(v float64) string {
	x := v / s.per
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "?"
	case v < 0:
		return "-"
	case v == 0:
		return "0"
	case s == Shares[0] && x < 0.05:
		return "<0.1"
	case s == Plain[0] && (x == math.Trunc(x) || x >= 999.5):
		return unit.Number(x)
	case s == Shares[0]:
		return strconv.FormatFloat(x, 'f', 1, 64)
	case x == math.Trunc(x) && x < 1e15:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case x < 0.0005:
		return "<0.001"
	case x < 0.9995: // more than three decimals are noise beside the others of the column
		return strconv.FormatFloat(x, 'f', 3, 64)
	}
	return unit.Significant(x, 3)
}

// Number prints a number without a unit.
func Number(v float64) string { return Plain[0].Format(v) }

// Largest is the largest of some values, 0 if none is above it.
func Largest[T int64 | float64](values []T) T {
	var top T
	for _, v := range values {
		top = max(top, v)
	}
	return top
}
