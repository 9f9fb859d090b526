package analyzer

import (
	"fmt"
	"time"

	"github.com/iotrace/iotrace/internal/unit"
)

// How observations word numbers: as everywhere in the product.

func duration(ns int64) string    { return unit.Duration(time.Duration(ns)) }
func speedText(rate int64) string { return unit.Rate(float64(rate)) }
func share(f float64) string      { return fmt.Sprintf("%.0f %%", f*100) }

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
