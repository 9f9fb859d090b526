//go:build linux

package main

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/stats"
)

const introduction = `## %s

Measured on %s: Linux %s, %d CPUs; a bare call takes %.0f ns. %d rounds of %d reads and writes.

| step | added so far, ns | this step, ns | another process, ns |
|---|---|---|---|
`

// text is the account.
func (s *stormSession) text() string {
	var u unix.Utsname
	unix.Uname(&u)
	var b strings.Builder
	fmt.Fprintf(&b, introduction, CPU(), time.Now().UTC().Format("2006-01-02"),
		unix.ByteSliceToString(u.Release[:]), runtime.NumCPU(), stats.Median(s.bare), s.rounds, s.pairs)
	for i, r := range s.rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", r.name, spread(r.recorded, "%.0f"), s.step(i), spread(r.others, "%.0f"))
	}
	last := s.rows[len(s.rows)-1]
	fmt.Fprintf(&b, "\nThe whole over the floor, round by round: %s ×; a process that is not recorded: %s ×.\n"+
		"Beside a program that uses one of the CPUs all the time: %s × in wall time.\n",
		spread(ratios(last.recorded, s.rows[0].recorded), "%.2f"), spread(ratios(last.others, s.rows[0].others), "%.2f"),
		spread(ratios(s.busy.iotrace, s.busy.floor), "%.2f"))
	fmt.Fprintf(&b, "Events lost in all of these runs: %s.\n", s.losses())
	return b.String()
}

// losses lists how many events of which kinds were lost.
func (s *stormSession) losses() string {
	var list []string
	for _, kind := range slices.Sorted(maps.Keys(s.lost)) {
		list = append(list, fmt.Sprintf("%d of kind %s", s.lost[kind], kind))
	}
	if list == nil {
		return "none"
	}
	return strings.Join(list, ", ")
}

// step is what a row adds to the one above it, round by round.
func (s *stormSession) step(i int) string {
	if i == 0 {
		return spread(s.rows[0].recorded, "%.0f")
	}
	differences := make([]float64, len(s.rows[i].recorded))
	for k, ns := range s.rows[i].recorded {
		differences[k] = ns - s.rows[i-1].recorded[k]
	}
	return spread(differences, "%.0f")
}

func ratios(of, to []float64) []float64 {
	list := make([]float64, len(of))
	for i := range of {
		list[i] = of[i] / to[i]
	}
	return list
}

// spread is the median and the quartiles.
func spread(values []float64, format string) string {
	if len(values) == 0 {
		return ""
	}
	q := stats.Quantiles(values, .5, .25, .75)
	return fmt.Sprintf(format+" ("+format+" to "+format+")", q[0], q[1], q[2])
}
