//go:build linux

package main

import (
	"fmt"
	"math"
)

// calibrated fits the interval to every second pair of devices of each workload and
// says how often it held for the others: the narrowest of those that held for nine of
// ten, a share of the time itself and a share of what the change is predicted to do.
func calibrated(all []whatifTrial) string {
	var halves [2][]whatifTrial
	half, last := 1, [3]string{}
	for _, t := range all {
		if pair := [3]string{t.workload, t.from, t.to}; pair != last {
			half, last = 1-half, pair
		}
		halves[half] = append(halves[half], t)
	}
	always, change, least := math.NaN(), math.NaN(), math.Inf(1)
	for a := 0.02; a <= 1; a += 0.02 {
		for c := 0.0; c <= 1; c += 0.05 {
			if width, held := intervals(halves[0], a, c); 10*held >= 9*len(halves[0]) && width < least {
				always, change, least = a, c, width
			}
		}
	}
	if math.IsInf(least, 1) {
		return fmt.Sprintf("No interval up to the time itself holds for nine of ten of %d trials.", len(halves[0]))
	}
	_, held := intervals(halves[1], always, change)
	return fmt.Sprintf("An interval that holds for nine of ten of %d trials: %.0f %% of the time and %.0f %% of the "+
		"change. "+
		"It held in %d of the %d others.", len(halves[0]), 100*always, 100*change, held, len(halves[1]))
}

// intervals is how wide such intervals are on average, as shares of the truth, and
// how many held.
func intervals(trials []whatifTrial, always, change float64) (width float64, held int) {
	for _, t := range trials {
		o := &t.wall
		margin := always*o.predicted + change*math.Abs(o.predicted-o.recorded)
		width += margin / o.truth / float64(len(trials))
		low, high := o.predicted-margin, o.predicted+margin
		if t.durable.recorded > o.recorded {
			high = max(high, t.durable.predicted)
		}
		if o.truth >= low && o.truth <= high {
			held++
		}
	}
	return width, held
}
