//go:build linux

package main

import (
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/bench/guest"
	"github.com/iotrace/iotrace/stats"
)

const introduction = `# What a recorded call costs, step by step

Written by ` + "`make bench-storm`" + ` on %s: Linux %s, %s, %d CPUs;
%d rounds, in each of which everything is measured once, forwards and backwards in turn. A process reads 512 bytes from /dev/zero and writes them to /dev/null, %d times;
a bare call takes %.0f ns. Each line does what the lines above it do, and one thing more; the records replace each
other. Times are nanoseconds of CPU per call beside a bare one of the same round: medians, quartiles in parentheses.

| step | added so far, ns | this step, ns | another process, ns |
|---|---|---|---|
`

func (s *session) print(w io.Writer) error {
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, introduction, time.Now().UTC().Format("2006-01-02"), unix.ByteSliceToString(u.Release[:]), guest.CPU(),
		runtime.NumCPU(), s.rounds, s.pairs, stats.Median(s.bare))
	for i, r := range s.rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", r.name, spread(r.recorded, "%.0f"), s.step(i), spread(r.others, "%.0f"))
	}
	last := s.rows[len(s.rows)-1]
	fmt.Fprintf(&b, "\nThe whole over the floor, round by round: %s ×; a process that is not recorded: %s ×;\n"+
		"beside a program that uses one of the CPUs all the time: %s × in wall time.\n",
		spread(ratios(last.recorded, s.rows[0].recorded), "%.2f"), spread(ratios(last.others, s.rows[0].others), "%.2f"),
		spread(ratios(s.busy.iotrace, s.busy.floor), "%.2f"))
	fmt.Fprintf(&b, "Events lost in all of these runs: %s.\n", s.losses())
	_, err := io.WriteString(w, b.String())
	return err
}

// losses lists how many events of which kinds were lost.
func (s *session) losses() string {
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
func (s *session) step(i int) string {
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
