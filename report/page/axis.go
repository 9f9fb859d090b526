package page

import (
	"math"
	"strings"

	"github.com/iotrace/iotrace/internal/unit"
)

// Linear is an axis from zero to a round number, with its ticks.
func Linear(top float64, print func(float64) string) (place func(float64) float64, ticks []Tick) {
	step := niceStep(top / 5.5)
	end := math.Ceil(top/step) * step
	place = func(v float64) float64 { return Left + v/end*(Width-Left-Right) }
	for v := 0.0; v <= end*(1+1e-9); v += step {
		ticks = append(ticks, Tick{place(v), print(v)})
	}
	return place, ticks
}

// logarithmic is an axis of powers of ten that has all values from low to high.
func logarithmic(low, high float64, print func(float64) string) (place func(float64) float64, ticks []Tick) {
	first, last := math.Floor(math.Log10(low)), math.Ceil(math.Log10(high)+1e-9)
	place = func(v float64) float64 { return Left + (math.Log10(max(v, 1))-first)/(last-first)*(Width-Left-Right) }
	for e := first; e <= last; e++ {
		ticks = append(ticks, Tick{place(math.Pow(10, e)), print(math.Pow(10, e))})
	}
	return place, ticks
}

// trimmed is a label of an axis without decimals that say nothing.
func trimmed(s string) string {
	number, unit, _ := strings.Cut(s, " ")
	if number == "0" {
		return number
	}
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return number + " " + unit
}

// rateLabel and timeLabel are labels of axes of speeds and of times.
func rateLabel(v float64) string { return trimmed(unit.Rate(v)) }
func timeLabel(v float64) string { return trimmed(unit.Nanoseconds(int64(v))) }

// niceStep is the least of 1, 2 and 5 times a power of ten that is not below v.
func niceStep(v float64) float64 {
	if !(v > 0) || math.IsInf(v, 0) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= v*0.999 {
			return m * power
		}
	}
	return 10 * power
}
