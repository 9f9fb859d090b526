// Package wording is how the sentences of an analysis word numbers: as everywhere
// in the product.
package wording

import (
	"fmt"
	"strings"
	"time"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// Duration words nanoseconds.
func Duration(ns int64) string { return unit.Duration(time.Duration(ns)) }

// Speed words bytes per second.
func Speed(rate int64) string { return unit.Rate(float64(rate)) }

// Share words a part of a whole; it is 0 % or 100 % only if it is.
func Share(f float64) string {
	switch {
	case f > 0 && f < .005:
		return "<1 %"
	case f > .995 && f < 1:
		return ">99 %"
	}
	return fmt.Sprintf("%.0f %%", f*100)
}

// List is "a", "a and b", "a, b and c".
func List(list []string) string {
	if n := len(list); n > 1 {
		return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	}
	return strings.Join(list, "")
}

// Times words the middle of a distribution of times: "5 µs", "150 to 400 µs".
func Times(d *profile.Dist) string {
	if d.P90 < 2*d.P10 || d.P10 == 0 && d.P90 < 1000 {
		return Duration(d.P50)
	}
	return Duration(d.P10) + " to " + Duration(d.P90)
}

// Sizes words the usual size of an operation.
func Sizes(d *profile.Dist) string {
	if len(d.Top) > 0 && d.Top[0].Count*2 > d.Count {
		return unit.BlockSize(d.Top[0].Value)
	}
	if d.P90 < 2*d.P10 {
		return unit.BlockSize(d.P50)
	}
	return unit.BlockSize(d.P10) + " to " + unit.BlockSize(d.P90)
}

// Plural words a count of things.
func Plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return unit.Count(n) + " " + many
}
