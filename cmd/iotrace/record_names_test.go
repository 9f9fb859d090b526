package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/tracer"
)

func TestFileNames(t *testing.T) {
	now := time.Date(2026, 11, 21, 3, 14, 0, 0, time.UTC)
	for _, c := range []struct {
		scope   tracer.Scope
		command []string
		want    string
	}{
		{tracer.Scope{}, []string{"/usr/bin/cp", "a"}, "cp"},
		{tracer.Scope{}, []string{"./my prog"}, "my_prog"},
		{tracer.Scope{}, []string{"/opt/..-x"}, "x"},
		{tracer.Scope{PIDs: []uint32{12, 13}}, nil, "pid12"},
		{tracer.Scope{Names: []string{"kworker/0:1"}}, nil, "kworker_0_1"},
		{tracer.Scope{All: true, Names: []string{"x"}}, nil, "system"},
	} {
		if got := traceFileName(c.command, c.scope, now); got != c.want+"-20261121-031400.iotrace" {
			t.Errorf("%+v %q: %s", c.scope, c.command, got)
		}
	}
}

// Numbered names stand in the order of the runs, and a shell finds them all, and no others, by their pattern.
func TestAShellFindsTheNames(t *testing.T) {
	for _, c := range []struct {
		output string
		runs   int
		last   string
	}{
		{"cp-20261122-101500.iotrace", 5, "cp-20261122-101500-5.iotrace"},
		{"cp.iotrace", 12, "cp-12.iotrace"},
		{"my 'prog'.iotrace", 3, "my 'prog'-3.iotrace"},
		{"other.name", 2, "other.name-2"},
		{"alone", 1, "alone"},
	} {
		t.Chdir(t.TempDir())
		names := traceNames(c.output, c.runs)
		if !slices.IsSorted(names) || len(names) != c.runs || names[len(names)-1] != c.last {
			t.Errorf("%+v: %q", c, names)
		}
		for _, name := range append(slices.Clone(names), c.output, "cp-x.iotrace", "cp-20261122-101500-0.iotrace") {
			if err := os.WriteFile(name, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		found, err := exec.Command("sh", "-c", `printf '%s\n' `+tracePattern(names)).Output()
		if got := strings.Fields(strings.ReplaceAll(string(found), " ", "_")); err != nil ||
			!slices.Equal(got, strings.Fields(strings.ReplaceAll(strings.Join(names, "\n"), " ", "_"))) {
			t.Errorf("%s finds %q, want %q (%v)", tracePattern(names), got, names, err)
		}
	}
}

func TestAFileInTheWayIsFoundBeforeTheFirstRun(t *testing.T) {
	dir := t.TempDir()
	output := filepath.Join(dir, "a.iotrace")
	third := traceNames(output, 3)[2]
	if err := os.WriteFile(third, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := vacant(traceNames(output, 3), false); err == nil || !strings.Contains(err.Error(), third) {
		t.Error(err)
	}
	for _, ok := range []error{vacant(traceNames(output, 3), true), vacant(traceNames(output, 2), false),
		vacant([]string{third}, false)} {
		if ok != nil {
			t.Error(ok)
		}
	}
}
