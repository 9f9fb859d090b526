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
	tool    string
	before  string // an older one, "" if there is none
	self    string
	dir     string
	rounds  int
	minutes int             // of soak
	ended   context.Context // by a signal; so are the commands that run, and what they leave is cleaned up
	report  bytes.Buffer
}

// command prepares a command that ends with the session.
func (b *session) command(words ...string) *exec.Cmd {
	c := exec.CommandContext(b.ended, words[0], words[1:]...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 10 * time.Second
	return c
}

func (b *session) printf(format string, args ...any) { fmt.Fprintf(&b.report, format, args...) }

// timing is how long it took until a command began, and from then on until it ended: what a tracer does before and
// after it is not its own time.
type timing struct{ before, took time.Duration }

// timeCommand is the first argument of this program where it times a command.
const timeCommand = "__time"

// timed runs a command and leaves when it began and how long it took, in ns, in a file.
func timed(file string, args []string) int {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	began := time.Now()
	err := cmd.Run()
	took := time.Since(began)
	if err == nil {
		err = os.WriteFile(file, fmt.Appendf(nil, "%d %d", began.UnixNano(), took.Nanoseconds()), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		return 1
	}
	return 0
}

// under runs a command under a tracer, given as the words in front of it.
func (b *session) under(tracer, command []string) (timing, error) {
	mark := b.dir + "/took"
	os.Remove(mark)
	words := append(append(append([]string{}, tracer...), b.self, timeCommand, mark), command...)
	launched := time.Now()
	cmd := b.command(words...)
	if text, err := cmd.CombinedOutput(); err != nil {
		return timing{}, fmt.Errorf("%s: %w: %s", strings.Join(words, " "), err, lastLine(text))
	}
	var began, took int64
	text, err := os.ReadFile(mark)
	if err == nil {
		_, err = fmt.Sscan(string(text), &began, &took)
	}
	return timing{time.Unix(0, began).Sub(launched), time.Duration(took)}, err
}

func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}

func installed(tool string) bool {
	_, err := exec.LookPath(tool)
	return err == nil
}
