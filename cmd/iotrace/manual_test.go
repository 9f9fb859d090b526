package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/manual"
	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/tracer/backends"
)

// screen is how many lines the help of a command has, without its lists of flags and of commands.
const screen = 24

func commands(out *bytes.Buffer) (root *cobra.Command, all []*cobra.Command) {
	root = newRoot(&cli.App{Streams: cli.Standard(), Backends: backends.Here()})
	root.SetOut(out)
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Hidden || c.Name() == "completion" {
			return
		}
		all = append(all, c)
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
	return root, all
}

// Help is a screen at most, whose lines fit.
func TestHelpIsAScreen(t *testing.T) {
	var out bytes.Buffer
	_, all := commands(&out)
	if len(all) < 15 {
		t.Fatalf("%d commands", len(all))
	}
	for _, c := range all {
		out.Reset()
		if err := c.Help(); err != nil {
			t.Fatal(err)
		}
		lines, listed := 0, false
		for line := range strings.Lines(out.String()) {
			switch {
			case strings.HasPrefix(line, "Flags:"), strings.HasPrefix(line, "Available Commands:"):
				listed = true
			case line == "\n":
				listed = false
			}
			if listed {
				continue
			}
			lines++
			if len([]rune(line)) > 90 {
				t.Errorf("%s --help: a line is wider than a screen: %q", c.CommandPath(), line)
			}
		}
		if lines < 4 {
			t.Errorf("%s --help says nothing: %q", c.CommandPath(), out.String())
		}
		if lines > screen {
			t.Errorf("%s --help has %d lines beside its flags, more than %d: the rest belongs in "+
				"cmd/iotrace/internal/manual/pages",
				c.CommandPath(), lines, screen)
		}
	}
}

// Each command has a page with all that a page has, and each page a command.
func TestPages(t *testing.T) {
	root, all := commands(new(bytes.Buffer))
	pages, err := manual.Release{Version: "v1.2.3", Date: time.Unix(0, 0).UTC()}.Pages(root)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, c := range all {
		name := strings.ReplaceAll(c.CommandPath(), " ", "-")
		want = append(want, name)
		page := string(pages["man1/"+name+".1"])
		sections := []string{"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS", "FILES", "SEE ALSO"}
		if name == "iotrace-version" { // it reads and writes none
			sections = slices.DeleteFunc(sections, func(s string) bool { return s == "FILES" })
		}
		at := -1
		for _, section := range sections {
			next := strings.Index(page, "\n.SH "+section+"\n")
			if next <= at {
				t.Errorf("%s: section %s is missing or out of order", name, section)
			}
			at = next
		}
		if n := strings.Count(page, "\n.SH "); n != len(sections) {
			t.Errorf("%s has %d sections, want %d", name, n, len(sections))
		}
		if strings.Contains(page, "FORMATS\n") || strings.Contains(page, "[=false]") || !strings.Contains(page, "v1.2.3") {
			t.Errorf("%s is not filled in", name)
		}
	}
	if len(pages) != len(want) {
		t.Errorf("%d pages, %d commands", len(pages), len(want))
	}
	files, err := fs.Glob(os.DirFS("internal/manual/pages"), "*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !slices.Contains(want, strings.TrimSuffix(file, ".txt")) {
			t.Errorf("%s belongs to no command", file)
		}
	}
	checkRoff(t, pages)
}

// checkRoff lets man read the pages, which says what it does not understand.
func checkRoff(t *testing.T, pages map[string][]byte) {
	t.Helper()
	testenv.NeedTools(t, "man")
	for name, page := range pages {
		path := filepath.Join(t.TempDir(), filepath.Base(name))
		if err := os.WriteFile(path, page, 0o600); err != nil {
			t.Fatal(err)
		}
		c := exec.Command("man", "--warnings", "-l", path)
		c.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "MANWIDTH=100", "MANROFFSEQ=")
		var said bytes.Buffer
		c.Stderr = &said
		text, err := c.Output()
		if err != nil || said.Len() > 0 || !bytes.Contains(text, []byte("SEE ALSO")) {
			t.Errorf("man %s: %v %s", name, err, said.String())
		}
	}
}
