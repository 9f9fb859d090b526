package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/backends"
)

func TestExitCodes(t *testing.T) {
	root := newRoot(&cli.App{})
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{errors.New("broken"), 1},
		{cli.Usage(root, errors.New("what?")), 2},
		{&cli.StatusError{Status: 3}, 3},
		{&cli.StatusError{Status: 125, Err: errors.New("no probes")}, 125},
		// The command's fault counts before ours.
		{&cli.StatusError{Status: 125, Err: &tracer.ExecError{Status: 127, Err: errors.New("gone")}}, 127},
		{&cli.StatusError{Status: 125, Err: fmt.Errorf("wrapped: %w", &tracer.InterruptedError{Signal: 2})}, 130},
	} {
		if got := cli.ExitCode(c.err); got != c.want {
			t.Errorf("%v: exit code %d, want %d", c.err, got, c.want)
		}
	}
}

// Every command has what its help needs.
func TestEveryCommandIsDescribed(t *testing.T) {
	for _, c := range newRoot(&cli.App{}).Commands() {
		if c.Short == "" || c.Long == "" { // its exit status is in the manual
			t.Errorf("%s has no description", c.Name())
		}
		for line := range strings.Lines(c.Long + "\n" + c.Example) {
			if len([]rune(line)) > 85 {
				t.Errorf("%s: a line of help is too long: %q", c.Name(), line)
			}
		}
	}
}

// A flag has one default, in words or as a value, and none that stands for "not given".
func TestHelpNamesOneDefault(t *testing.T) {
	for _, c := range newRoot(&cli.App{}).Commands() {
		for line := range strings.Lines(c.Flags().FlagUsages()) {
			for _, nothing := range []string{"(default [])", "(default 0", `(default "")`, "(default )"} {
				if strings.Contains(line, nothing) {
					t.Errorf("%s: %s", c.Name(), line)
				}
			}
			if strings.Count(line, "(default") > 1 {
				t.Errorf("%s names two defaults: %s", c.Name(), line)
			}
		}
	}
}

// What is offered as a backend is one: on some system, or as the usual choice.
func TestOfferedBackendsExist(t *testing.T) {
	a := &cli.App{Backends: backends.Here()}
	for _, c := range newRoot(a).Commands() {
		f := c.Flags().Lookup("backend")
		if f == nil {
			continue
		}
		for tool := range strings.SplitSeq("blkparse biosnoop xctrace ktrace", " ") {
			if strings.Contains(f.Usage, tool) {
				t.Errorf("%s --backend offers %s", c.Name(), tool)
			}
			if err := checkBackend(a.Backends, tool); err == nil ||
				!strings.Contains(err.Error(), "iotrace import --from "+tool+" FILE") {
				t.Errorf("--backend %s: %v", tool, err)
			}
		}
	}
	for _, name := range backends.Names() {
		if err := checkBackend(a.Backends, name); err != nil {
			t.Error(err)
		}
	}
}

func TestPageName(t *testing.T) {
	if got := pageName("a.iotrace.iotrace"); got != "a.iotrace.html" {
		t.Error(got)
	}
}
