//go:build linux

package main

import (
	"fmt"
	"slices"
)

// table prints what was predicted of each kind of mend.
func table(trials []trial) {
	fmt.Printf("| change | programs | within the interval | offered in the first lines | of these within | " +
		"median error | recordings of the same differ by |\n")
	fmt.Printf("|---|---|---|---|---|---|---|\n")
	var codes []string
	for _, t := range trials {
		if !slices.Contains(codes, t.code) {
			codes = append(codes, t.code)
		}
	}
	for _, code := range codes {
		row(code, slices.DeleteFunc(slices.Clone(trials), func(t trial) bool { return t.code != code }))
	}
	row("all", trials)
}

func row(name string, trials []trial) {
	var n, held, offered, both int
	var off, spread []float64
	for _, t := range trials {
		if t.refused {
			continue
		}
		n++
		spread = append(spread, t.spread)
		off = append(off, max(t.predicted/t.truth, t.truth/t.predicted)-1)
		if t.held {
			held++
		}
		if t.offered {
			offered++
		}
		if t.held && t.offered {
			both++
		}
	}
	if n == 0 {
		return
	}
	slices.Sort(off)
	slices.Sort(spread)
	fmt.Printf("| %s | %d | %d | %d | %d | %.0f %% | %.0f %% |\n", name, n, held, offered, both, 100*off[len(off)/2],
		100*spread[len(spread)/2])
}
