//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
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
	words []string // the number of steps comes behind them
	needs []string // programs that may be missing
}

// wakeWorks are those of the table that need no file system of their own. Each takes some tenths of a second.
func wakeWorks(self string) []wakeWork {
	list := []wakeWork{{"`perf bench sched pipe` on one processor, an operation", 100_000,
		[]string{"taskset", "-c", "0", "perf", "bench", "-f", "simple", "sched", "pipe", "-l"}, []string{"taskset", "perf"}}}
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
		list = append(list, wakeWork{name: own.name, steps: own.steps, words: []string{self, makeWakes, own.kind}})
	}
	return list
}

// wakeResult is what was measured of a program.
type wakeResult struct {
	bare         sample   // µs a step without a recorder
	added, ratio []sample // by side: µs a step, and to bare
	both         sample   // recorded to older
	end          trace.End
}

// wakeSides are what the programs run under: nothing, this iotrace, an older one if there is one, and other tools.
func wakeSides(b *session) (own, others []recorder) {
	own = []recorder{{part: 1}}
	for i, tool := range []string{b.tool, b.before} {
		if tool != "" {
			own = append(own, recorder{name: "iotrace record", part: 1,
				words: []string{tool, "record", "--quiet", "--drain", "0", "-f", "-o", b.wakeFile(i), "--"}})
		}
	}
	others = append([]recorder{b.perfRecord("calls, waits, wakes", 8,
		"raw_syscalls:*,sched:sched_switch,sched:sched_waking")}, b.textTracers()...)
	return own, slices.DeleteFunc(others, func(r recorder) bool { return !installed(r.needs) })
}

// wake compares what waking threads, starting programs, sending to sockets and making files take with and without a
// recorder, with an older one if there is one, and under other tools.
func wake(b *session) (err error) {
	onDisks, release, err := fileWorks(b.self)
	defer func() { err = errors.Join(err, release()) }()
	if err != nil {
		return err
	}
	var missing []string
	list := slices.DeleteFunc(append(wakeWorks(b.self), onDisks...), func(w wakeWork) bool {
		tool := slices.IndexFunc(w.needs, func(tool string) bool { return !installed(tool) })
		if tool >= 0 {
			missing = append(missing, fmt.Sprintf("%s: %s is not installed.", w.name, w.needs[tool]))
		}
		return tool >= 0
	})
	own, others := wakeSides(b)
	results := make([]wakeResult, len(list))
	for range b.rounds {
		for i := range list {
			if err := list[i].round(b, own, others, &results[i]); err != nil {
				return err
			}
		}
	}
	err = tellWakes(b, list, results)
	tellOthers(b, list, results, len(own), others)
	for _, m := range missing {
		b.printf("\n%s\n", m)
	}
	return err
}

// wakeFile is the last recording by this iotrace (0), or by the older one.
func (b *session) wakeFile(i int) string { return fmt.Sprintf("%s/wake%d.iotrace", b.dir, i) }

// round runs a program on each side, there and back: a drift hits all sides alike. Other tools run in between, once.
func (w *wakeWork) round(b *session, own, others []recorder, r *wakeResult) error {
	sides := slices.Concat(own, others)
	if r.added == nil {
		r.added, r.ratio = make([]sample, len(sides)), make([]sample, len(sides))
	}
	took, runs := make([]float64, len(sides)), make([]float64, len(sides)) // µs a step, in all
	for i := range len(sides) + len(own) {
		side := i
		if i >= len(sides) {
			side = len(sides) + len(own) - 1 - i
		}
		each, err := w.run(b, &sides[side])
		switch {
		case err == nil:
			took[side], runs[side] = took[side]+each, runs[side]+1
		case side < len(own):
			return err
		default:
			fmt.Fprintf(os.Stderr, "  %s left out: %v\n", sides[side].name, err)
		}
	}
	bare := took[0] / runs[0]
	r.bare = append(r.bare, bare)
	for side := range sides {
		if runs[side] > 0 {
			each := took[side] / runs[side]
			r.added[side], r.ratio[side] = append(r.added[side], each-bare), append(r.ratio[side], each/bare)
		}
	}
	if len(own) > 2 {
		r.both = append(r.both, took[1]/took[2])
	}
	var err error
	r.end, err = endOf(b.wakeFile(0))
	return err
}

// run is the time of a step under a recorder, in µs.
func (w *wakeWork) run(b *session, under *recorder) (float64, error) {
	steps := w.steps / under.part
	words := slices.Concat(under.words, w.words, []string{strconv.Itoa(steps)})
	c := b.command(words...)
	var said bytes.Buffer
	c.Stderr = &said
	text, err := c.Output()
	if err != nil {
		return 0, fmt.Errorf("%s: %w: %s", strings.Join(words, " "), err, lastLine(said.Bytes()))
	}
	seconds, err := strconv.ParseFloat(lastLine(text), 64)
	return seconds * 1e6 / float64(steps), err
}

// tellWakes prints the table.
func tellWakes(b *session, list []wakeWork, results []wakeResult) error {
	b.printf("\n### Wakes, starts, sockets and small files\n\nWhat a step takes, %d times two runs on each side. The "+
		"time is wall time within the program, without the beginning and the end of a recording.", b.rounds)
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
		b.printf("| %s | %.2f | %s | %s |", list[i].name, r.bare.median(), r.added[1].quartiles(),
			r.ratio[1].quartiles())
		if b.before != "" {
			b.printf(" %s | %s |", r.ratio[2].quartiles(), r.both.quartiles())
		}
		b.printf(" %.1f | %d |\n", float64(events(r.end))/float64(list[i].steps), lost(r.end))
	}
	return nil
}

// tellOthers prints what other tools add to a step, whose sides begin at first.
func tellOthers(b *session, list []wakeWork, results []wakeResult, first int, others []recorder) {
	if len(others) == 0 {
		return
	}
	b.printf("\nWhat other tools add to a step, µs, in one run a round:\n\n| program | iotrace record |")
	for i := range others {
		b.printf(" %s |", others[i].name)
	}
	b.printf("\n|---|---|%s\n", strings.Repeat("---|", len(others)))
	for i, r := range results {
		b.printf("| %s | %s |", list[i].name, r.added[1].quartiles())
		for _, added := range r.added[first:] {
			b.printf(" %s |", added.quartiles())
		}
		b.printf("\n")
	}
}

// quartiles is the median, with the quartiles in parentheses.
func (s sample) quartiles() string {
	if len(s) == 0 {
		return "refused"
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", s.median(), s.quantile(.25), s.quantile(.75))
}
