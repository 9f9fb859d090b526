//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// session is what the measurements of one run share.
type session struct {
	tool   string
	self   string
	dir    string
	rounds int
	ended  context.Context // by a signal; so are the commands that run, and what they leave is cleaned up
	report bytes.Buffer
}

// command prepares a command that ends with the session.
func (b *session) command(words ...string) *exec.Cmd {
	c := exec.CommandContext(b.ended, words[0], words[1:]...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 10 * time.Second
	return c
}

func (b *session) printf(format string, args ...any) { fmt.Fprintf(&b.report, format, args...) }

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
func (b *session) under(tracer, command []string) (time.Duration, error) {
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
