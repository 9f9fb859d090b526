//go:build linux

package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

func init() { tasks["workflow"] = runWorkflow }

// runWorkflow does here what a workflow of .github does on Linux: its steps, as they are in the file, in a fresh clone
// of what is committed.
//
//	workflow [-job NAME] [-env NAME=VALUE]… WORKFLOW
//
// Actions are not run: the clone and the Go that is here take the place of those that check out and set up Go, and no
// other is needed. Combinations of a matrix that run the same here are run once. A step that ends with status 75 could
// not reach what it needs: it is no success, and no failure of what is checked.
func runWorkflow() {
	only := flag.String("job", "", "run this job alone")
	settings := Values{}
	flag.Func("env", "NAME=VALUE instead of what the workflow sets", func(text string) error {
		name, value, found := strings.Cut(text, "=")
		if !found {
			return fmt.Errorf("%q is no NAME=VALUE", text)
		}
		settings[name] = value
		return nil
	})
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: run-workflow [-job NAME] [-env NAME=VALUE]... WORKFLOW")
		os.Exit(2)
	}
	signal.Ignore(syscall.SIGINT) // it is for the step, and then the clone is removed
	if err := runWorkflowSteps(flag.Arg(0), *only, settings); err != nil {
		fmt.Fprintln(os.Stderr, "run-workflow:", err)
		os.Exit(1)
	}
}

// run runs the jobs of one workflow and prints how each ended.
func runWorkflowSteps(file, only string, settings Values) error {
	top, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return fmt.Errorf("not in a repository: %w", err)
	}
	if !strings.ContainsRune(file, filepath.Separator) {
		file = filepath.Join(strings.TrimSpace(string(top)), Dir, strings.TrimSuffix(file, ".yml")+".yml")
	}
	w, err := Read(file)
	if err != nil {
		return err
	}
	if _, found := w.Job(only); only != "" && !found {
		return fmt.Errorf("%s has no job %q", w.File, only)
	}
	r := &runner{top: strings.TrimSpace(string(top)), only: only, settings: settings}
	if err := r.workflow(w); err != nil {
		return err
	}
	fmt.Printf("\n%s:\n%s", w.File, r.outcomes.String())
	if r.failed > 0 {
		return fmt.Errorf("%d jobs failed", r.failed)
	}
	return nil
}
