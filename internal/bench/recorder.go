//go:build linux

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/docs"
)

// benchRecorder measures what recording costs, against the peers that are installed, and writes the part of this kind
// of machine. Every figure is a ratio or a difference between runs that took turns. Medians throughout.
func benchRecorder() error {
	out := flag.String("o", "", "replace the part of this kind of machine in `FILE` (default: print it)")
	rounds := flag.Int("rounds", 10, "interleaved `rounds` per comparison")
	only := flag.String("only", "", "run these parts only, and replace their sections: "+partNames()+" (comma-separated)")
	tool := flag.String("iotrace", "./iotrace", "the `binary` to measure")
	before := flag.String("before", "", "an older `binary` to compare with too (wake)")
	minutes := flag.Int("minutes", 30, "how many `minutes` of the flight recorder (soak, which runs only if it is named)")
	flag.Parse()
	return run(&session{tool: *tool, before: *before, rounds: *rounds, minutes: *minutes}, *out, *only)
}

// parts are the measurements, in their order. cp is behind the shorter ones: the memory it takes shows in the resident
// size of what is started later.
var parts = []struct {
	name string
	run  func(*session) error
	long bool // only if it is named
}{
	{name: "storm", run: storm}, {name: "start", run: start}, {name: "wake", run: wake}, {name: "analysis", run: analysis},
	{name: "fio", run: fio}, {name: "live", run: live}, {name: "cp", run: copyFile}, {name: "soak", run: soak, long: true},
}

func partNames() string {
	var names []string
	for _, part := range parts {
		names = append(names, part.name)
	}
	return strings.Join(names, ", ")
}

func run(b *session, out, only string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "iotrace-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ended, release := signal.NotifyContext(context.Background(), os.Interrupt, unix.SIGTERM)
	defer release()
	b.self, b.dir, b.ended = self, dir, ended
	preamble(b)
	said, restore := KeepMemory()
	defer restore()
	if said != "" {
		b.printf("\n%s\n", said)
	}
	for _, part := range parts {
		if !chosen(only, part.name) || part.long && only == "" {
			continue
		}
		fmt.Fprintln(os.Stderr, "measuring", part.name)
		if err := part.run(b); err != nil {
			return fmt.Errorf("measuring %s: %w", part.name, err)
		}
	}
	if out == "" {
		_, err = os.Stdout.Write(b.report.Bytes())
		return err
	}
	when := ""
	if only != "" {
		when = measured()
	}
	return docs.PutSections(out, CPU(), b.report.String(), when)
}
