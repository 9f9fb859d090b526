package analyzer

import (
	"fmt"
	"strings"
	"time"

	"github.com/iotrace/iotrace/internal/unit"
)

// How observations word numbers: as everywhere in the product.

func duration(ns int64) string    { return unit.Duration(time.Duration(ns)) }
func speedText(rate int64) string { return unit.Rate(float64(rate)) }

// share words a part of a whole; it is 0 % or 100 % only if it is.
func share(f float64) string {
	switch {
	case f > 0 && f < .005:
		return "<1 %"
	case f > .995 && f < 1:
		return ">99 %"
	}
	return fmt.Sprintf("%.0f %%", f*100)
}

// enumeration is "a", "a and b", "a, b and c".
func enumeration(list []string) string {
	if n := len(list); n > 1 {
		return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	}
	return strings.Join(list, "")
}

// span words the middle of a distribution of times: "5 µs", "150 to 400 µs".
func span(d *Dist) string {
	if d.P90 < 2*d.P10 || d.P10 == 0 && d.P90 < 1000 {
		return duration(d.P50)
	}
	return duration(d.P10) + " to " + duration(d.P90)
}

// sizes words the usual size of an operation.
func sizes(d *Dist) string {
	if len(d.Top) > 0 && d.Top[0].Count*2 > d.Count {
		return unit.BlockSize(d.Top[0].Value)
	}
	if d.P90 < 2*d.P10 {
		return unit.BlockSize(d.P50)
	}
	return unit.BlockSize(d.P10) + " to " + unit.BlockSize(d.P90)
}

func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return unit.Count(n) + " " + many
}
