//go:build linux

// Command bench measures what recording costs, against the peers that are
// installed, and writes the measured part of docs/performance.md. Every figure
// is a ratio or a difference between runs that took turns within one session:
// the machine's drift hits both sides alike. Medians throughout.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/bench/guest"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == "__time" {
		os.Exit(timed(os.Args[2], os.Args[3:]))
	}
	out := flag.String("o", "", "replace the measured part of `FILE` (default: print it)")
	rounds := flag.Int("rounds", 10, "interleaved `rounds` per comparison")
	only := flag.String("only", "", "run these parts only: storm, start, cp, fio, analysis (comma-separated)")
	tool := flag.String("iotrace", "./iotrace", "the `binary` to measure")
	flag.Parse()
	if err := run(*tool, *out, *rounds, *only); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// bench is one session.
type bench struct {
	tool   string
	self   string
	dir    string
	rounds int
	ended  context.Context // by a signal; so are the commands that run, and what they leave is cleaned up
	report bytes.Buffer
}

// command prepares a command that ends with the session.
func (b *bench) command(words ...string) *exec.Cmd {
	c := exec.CommandContext(b.ended, words[0], words[1:]...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 10 * time.Second
	return c
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
	b := &bench{tool: tool, self: self, dir: dir, rounds: rounds, ended: ended}
	b.preamble()
	said, restore := guest.KeepMemory()
	defer restore()
	if said != "" {
		b.printf("\n%s\n", said)
	}
	for _, part := range []struct {
		name string
		run  func() error
		// cp last: the memory it takes shows in the resident size of what is started later
	}{{"storm", b.storm}, {"start", b.start}, {"analysis", b.analysis}, {"fio", b.fio}, {"cp", b.copy}} {
		if only != "" && !strings.Contains(","+only+",", ","+part.name+",") {
			continue
		}
		fmt.Fprintln(os.Stderr, "measuring", part.name)
		if err := part.run(); err != nil {
			return fmt.Errorf("measuring %s: %w", part.name, err)
		}
	}
	if out == "" {
		_, err = os.Stdout.Write(b.report.Bytes())
		return err
	}
	return replacePart(out, b.report.String())
}

// The marks between which a page has what is measured; all else in it is written by hand.
const (
	begins = "<!-- measured by make bench -->\n"
	ends   = "<!-- end of what is measured -->\n"
)

func replacePart(page, text string) error {
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(old), begins)
	_, after, ok2 := strings.Cut(rest, ends)
	if !ok || !ok2 {
		return fmt.Errorf("%s: the marks %q and %q are missing", page, strings.TrimSpace(begins), strings.TrimSpace(ends))
	}
	return os.WriteFile(page, []byte(before+begins+text+ends+after), 0o644)
}

func (b *bench) printf(format string, args ...any) { fmt.Fprintf(&b.report, format, args...) }

// timed runs a command and leaves its wall time, in ns, in a file: the
// workload's own time, without what a tracer does before and after it.
func timed(file string, args []string) int {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	began := time.Now()
	err := cmd.Run()
	took := time.Since(began)
	if err == nil {
		err = os.WriteFile(file, fmt.Appendf(nil, "%d", took.Nanoseconds()), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		return 1
	}
	return 0
}

// under runs a command under a tracer, given as the words in front of it, and
// returns the command's own wall time.
func (b *bench) under(tracer, command []string) (time.Duration, error) {
	mark := b.dir + "/took"
	os.Remove(mark)
	words := append(append(append([]string{}, tracer...), b.self, "__time", mark), command...)
	cmd := b.command(words...)
	if text, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s: %w: %s", strings.Join(words, " "), err, lastLine(text))
	}
	var ns int64
	text, err := os.ReadFile(mark)
	if err == nil {
		_, err = fmt.Sscan(string(text), &ns)
	}
	return time.Duration(ns), err
}

func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}

func installed(tool string) bool {
	_, err := exec.LookPath(tool)
	return err == nil
}
