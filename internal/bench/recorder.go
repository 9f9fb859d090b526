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
	only := flag.String("only", "", "run these parts only: storm, start, cp, fio, live, analysis (comma-separated)")
	tool := flag.String("iotrace", "./iotrace", "the `binary` to measure")
	flag.Parse()
	return run(*tool, *out, *rounds, *only)
}

func run(tool, out string, rounds int, only string) error {
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
	b := &session{tool: tool, self: self, dir: dir, rounds: rounds, ended: ended}
	preamble(b)
	said, restore := KeepMemory()
	defer restore()
	if said != "" {
		b.printf("\n%s\n", said)
	}
	for _, part := range []struct {
		name string
		run  func(*session) error
		// cp last: the memory it takes shows in the resident size of what is started later
	}{{"storm", storm}, {"start", start}, {"analysis", analysis}, {"fio", fio}, {"live", live}, {"cp", copyFile}} {
		if only != "" && !strings.Contains(","+only+",", ","+part.name+",") {
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
	return docs.PutMachine(out, CPU(), b.report.String())
}
