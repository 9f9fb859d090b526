package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/testenv"
)

// tmux is a terminal with a program in it.
type tmux struct {
	t           *testing.T
	socket, dir string
}

// inTerminal runs top of events that never happened in a terminal of 80 by 24, after a command of the shell.
func inTerminal(t *testing.T, before string) *tmux {
	t.Helper()
	testenv.NeedTools(t, "tmux")
	m := &tmux{t: t, dir: t.TempDir()}
	m.socket = filepath.Join(m.dir, "s")
	config := filepath.Join(m.dir, "config")
	settings := "set -g status off\nset -g default-terminal screen-256color\n"
	if err := os.WriteFile(config, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", m.socket, "kill-server").Run() })
	program, err := exec.LookPath("iotrace")
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("cd %s; %s; echo $$ >%s/pid; IOTRACE_TEST_FAKE=1 LC_ALL=C.UTF-8 %s top; echo ended $?; read x",
		m.dir, before, m.dir, program)
	m.do("-f", config, "-u", "new-session", "-d", "-x", "80", "-y", "24", script)
	return m
}

func (m *tmux) do(args ...string) string {
	m.t.Helper()
	c := exec.Command("tmux", append([]string{"-S", m.socket}, args...)...)
	c.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TMUX=")
	out, err := c.CombinedOutput()
	if err != nil {
		m.t.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// shows waits until the screen has a text, and returns the screen.
func (m *tmux) shows(want string, flags ...string) (screen string) {
	m.t.Helper()
	matches := regexp.MustCompile(want)
	for range 3000 {
		screen = m.do(append([]string{"capture-pane", "-p"}, flags...)...)
		if matches.MatchString(screen) {
			return screen
		}
		time.Sleep(10 * time.Millisecond)
	}
	m.t.Fatalf("%q is not shown:\n%s", want, screen)
	return ""
}

// The full screen in a real terminal: what keys do, a window that changes its size, and names that are hard to show.
func TestTopInATerminal(t *testing.T) {
	m := inTerminal(t, ":")
	m.shows("by bytes")
	m.do("send-keys", "-N", "50", "Left")
	first := m.shows(`interval 1, 1\.00 s  FROZEN`)
	for _, want := range []string{"sda1", "/data/plain", `/data/two\nlines`, `x1b[31m\xff\u202e`, "lost 12", "q quit"} {
		if !strings.Contains(first, want) {
			t.Errorf("%q is not on the first screen:\n%s", want, first)
		}
	}
	if lines := strings.Split(strings.TrimRight(first, "\n"), "\n"); len(lines) != 24 {
		t.Errorf("%d lines", len(lines))
	}
	m.do("send-keys", "g")
	m.shows("CONTROL GROUP")
	m.do("send-keys", "g")
	m.shows("CONTAINER")
	m.do("send-keys", "g", "g")
	m.shows(" PROCESS")
	m.do("send-keys", "?")
	m.shows("any key goes back")
	m.do("send-keys", "x", "/", "plain", "Enter")
	if screen := m.shows(`only "plain"`); strings.Contains(screen, "two") || !strings.Contains(screen, "/data/plain") {
		t.Errorf("not only what was looked for:\n%s", screen)
	}
	m.do("send-keys", "Escape")
	m.shows("two")
	m.do("send-keys", "u")
	m.shows(" USER")
	m.do("send-keys", "u", "Enter")
	m.shows("FILES OF ")
	m.do("send-keys", "Escape")
	m.shows("(?m)^FILE ")
	m.do("send-keys", "Tab", "s")
	m.shows("by FILE")
	m.do("resize-window", "-x", "120", "-y", "30")
	m.shows(`(?s)^(.*\n){29}Tab pane.*q quit`)
	m.do("resize-window", "-x", "40", "-y", "8")
	m.shows(`(?s)^(.*\n){7}Tab pane`)
	m.do("send-keys", "q")
	m.shows(`ended 0`)
}

// Without colours the screen has none.
func TestTopWithoutColour(t *testing.T) {
	m := inTerminal(t, "export NO_COLOR=1")
	screen := m.shows("interval [0-9]+", "-e")
	if colour := regexp.MustCompile(`\x1b\[[0-9;]*\b(3[0-7]|4[0-7]|38|48|9[0-7])[;m]`).FindString(screen); colour != "" {
		t.Errorf("%q in\n%q", colour, screen)
	}
	m.do("send-keys", "C-c")
	m.shows("ended 0")
}

// A terminal that goes away takes top with it, whether or not anything tells it so.
func TestTopWhenTheTerminalGoes(t *testing.T) {
	for _, before := range []string{":", "trap '' HUP"} {
		m := inTerminal(t, before)
		m.shows("by bytes")
		text, err := os.ReadFile(filepath.Join(m.dir, "pid"))
		if err != nil {
			t.Fatal(err)
		}
		shell, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		top := childOf(t, shell)
		m.do("kill-server")
		for n := 0; host.Running(uint32(top)); n++ {
			if n == 3000 {
				t.Fatalf("%q: it still runs", before)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// childOf is the only child of a process.
func childOf(t *testing.T, pid int) int {
	t.Helper()
	out, err := exec.Command("pgrep", "-P", strconv.Itoa(pid)).Output()
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatalf("%q: %v", out, err)
	}
	return child
}
