//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// wakeWork is a program that does the same in so many steps and prints, in its last line, the seconds they took.
type wakeWork struct {
	name  string
	steps int
	words []string
	needs []string // programs that may be missing
}

// wakeWorks are those of the table. Each takes some tenths of a second.
func wakeWorks(self string) []wakeWork {
	list := []wakeWork{{"`perf bench sched pipe` on one processor, an operation", 100_000,
		[]string{"taskset", "-c", "0", "perf", "bench", "-f", "simple", "sched", "pipe", "-l", "100000"},
		[]string{"taskset", "perf"}}}
	for _, own := range []struct {
		kind, name string
		steps      int
	}{
		{"ring", fmt.Sprintf("%d threads that wake each other in a ring by futexes, a step", ringThreads), 60_000},
		{"programs", "a shell that starts programs one after the other, a program", 400},
		{"unix", "64 bytes sent and received: a pair of Unix sockets", 300_000},
		{"udp", "the same over UDP, to an address of the loopback", 150_000},
		{"tcp", "the same over a connection of TCP on the loopback", 100_000},
	} {
		list = append(list, wakeWork{name: own.name, steps: own.steps,
			words: []string{self, makeWakes, own.kind, strconv.Itoa(own.steps)}})
	}
	return list
}

// wakeResult is what was measured of a program: µs a step without a recorder, and ratios.
type wakeResult struct {
	bare, added     sample // µs a step
	recorded, older sample // to bare
	both            sample // recorded to older
	end             trace.End
}

// wake compares what waking threads, starting programs and sending to sockets take with and without a recorder, and
// with an older one if there is one.
func wake(b *session) error {
	sides := [][]string{nil}
	for i, tool := range []string{b.tool, b.before} {
		if tool != "" {
			sides = append(sides, []string{tool, "record", "--quiet", "--drain", "0", "-f", "-o", b.wakeFile(i), "--"})
		}
	}
	var missing []string
	list := slices.DeleteFunc(wakeWorks(b.self), func(w wakeWork) bool {
		tool := slices.IndexFunc(w.needs, func(tool string) bool { return !installed(tool) })
		if tool >= 0 {
			missing = append(missing, fmt.Sprintf("%s: %s is not installed.", w.name, w.needs[tool]))
		}
		return tool >= 0
	})
	results := make([]wakeResult, len(list))
	for range b.rounds {
		for i := range list {
			if err := list[i].round(b, sides, &results[i]); err != nil {
				return err
			}
		}
	}
	err := tellWakes(b, list, results)
	for _, m := range missing {
		b.printf("\n%s\n", m)
	}
	return err
}

// wakeFile is the last recording by this iotrace (0), or by the older one.
func (b *session) wakeFile(i int) string { return fmt.Sprintf("%s/wake%d.iotrace", b.dir, i) }

// round runs a program on each side, there and back: a drift hits all sides alike.
func (w *wakeWork) round(b *session, sides [][]string, r *wakeResult) error {
	took := make([]float64, len(sides)) // µs a step
	for i := range 2 * len(sides) {
		side := min(i, 2*len(sides)-1-i)
		seconds, err := w.run(b, sides[side])
		if err != nil {
			return err
		}
		took[side] += seconds * 1e6 / float64(2*w.steps)
	}
	r.bare, r.added = append(r.bare, took[0]), append(r.added, took[1]-took[0])
	r.recorded = append(r.recorded, took[1]/took[0])
	if len(sides) > 2 {
		r.older, r.both = append(r.older, took[2]/took[0]), append(r.both, took[1]/took[2])
	}
	var err error
	r.end, err = endOf(b.wakeFile(0))
	return err
}

// run is the time of all steps under a recorder, in seconds.
func (w *wakeWork) run(b *session, tracer []string) (float64, error) {
	words := slices.Concat(tracer, w.words)
	c := b.command(words...)
	var said bytes.Buffer
	c.Stderr = &said
	text, err := c.Output()
	if err != nil {
		return 0, fmt.Errorf("%s: %w: %s", strings.Join(words, " "), err, lastLine(said.Bytes()))
	}
	return strconv.ParseFloat(lastLine(text), 64)
}

// tellWakes prints the table.
func tellWakes(b *session, list []wakeWork, results []wakeResult) error {
	b.printf("\n### Wakes, starts and sockets\n\nWhat a step takes, %d times two runs on each side. The time is wall "+
		"time within the program, without the beginning and the end of a recording.", b.rounds)
	head, line := "", ""
	if b.before != "" {
		version, err := exec.Command(b.before, "--version").Output()
		if err != nil {
			return err
		}
		name, _, _ := strings.Cut(string(version), "\n")
		b.printf(" \"Before\" is an older version (%s); the goal for `perf bench` is 1.15 times that.", name)
		head, line = " before / bare | recorded / before |", "---|---|"
	}
	b.printf("\n\n| program | bare, µs | added, µs | recorded / bare |%s events a step | lost |\n"+
		"|---|---|---|---|%s---|---|\n", head, line)
	for i, r := range results {
		b.printf("| %s | %.2f | %s | %s |", list[i].name, r.bare.median(), r.added.quartiles(), r.recorded.quartiles())
		if b.before != "" {
			b.printf(" %s | %s |", r.older.quartiles(), r.both.quartiles())
		}
		b.printf(" %.1f | %d |\n", float64(events(r.end))/float64(list[i].steps), lost(r.end))
	}
	return nil
}

// quartiles is the median, with the quartiles in parentheses.
func (s sample) quartiles() string {
	return fmt.Sprintf("%.2f (%.2f to %.2f)", s.median(), s.quantile(.25), s.quantile(.75))
}
