package generator

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/testenv"
)

func config(t *testing.T, names ...string) ReviewConfig {
	t.Helper()
	tasks, err := Tasks(names, []int64{3 << 20, 5 << 20})
	if err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("true")
	if err != nil {
		testenv.Missing(t, "%v", err)
	}
	return ReviewConfig{Dirs: []string{t.TempDir(), t.TempDir()}, Tasks: tasks, Runs: 5, Program: program, Seed: 1}
}

func empty(t *testing.T, dirs ...string) {
	t.Helper()
	for _, dir := range dirs {
		if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
			t.Errorf("left behind in %s: %v (%v)", dir, entries, err)
		}
	}
}

// Every kind of work is done as often as it should be, or skipped with a reason, and leaves nothing behind.
func TestReview(t *testing.T) {
	c := config(t, "blackmagic", "cp", "tree", "clone", "launch", "scrub")
	s, err := NewReview(c)
	if err != nil {
		t.Fatal(err)
	}
	if left, err := s.Estimate(t.Context(), 0); err != nil || left <= 0 {
		t.Errorf("estimated %v, %v", left, err)
	}
	r, err := s.Run(t.Context(), func(string, time.Duration) {})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	empty(t, c.Dirs...)
	if len(r.Tasks) != 13 {
		t.Errorf("%d tasks", len(r.Tasks))
	}
	for _, task := range r.Tasks {
		for k, to := range task.Results {
			if to.Skipped != "" && (task.Work == "clone" || task.Work == "blackmagic") { // no direct I/O here
				continue
			}
			if len(to.Runs) != 5 || to.Value.N != 5 || to.Value.Low == nil || to.Value.Level < 0.9 ||
				(k > 0) != (to.Against != nil) {
				t.Errorf("%s: %+v", task.Name, to)
			}
			for _, run := range to.Runs {
				wrote := task.Work == "cp" || task.Work == "tree" || task.Work == "clone"
				if run.NS <= 0 || wrote != (run.SafeNS >= run.NS) || (task.Work == "scrub") != (run.Jumps > 0) {
					t.Errorf("%s: %+v", task.Name, run)
				}
			}
		}
	}
}

// A review that was interrupted goes on where it ended: what was measured stays, and nothing is measured twice.
func TestResumedReview(t *testing.T) {
	c := config(t, "launch", "scrub")
	ctx, cancel := context.WithCancel(t.Context())
	kept := 0
	c.Keep = func(*baseline.Review) error {
		if kept++; kept == 7 {
			cancel()
		}
		return nil
	}
	s, err := NewReview(c)
	if err != nil {
		t.Fatal(err)
	}
	former, err := s.Run(ctx, func(string, time.Duration) {})
	if !errors.Is(err, context.Canceled) || !former.Interrupted {
		t.Errorf("interrupted: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	empty(t, c.Dirs...)
	first := former.Tasks[0].Results[0].Runs[0]

	c.Former, c.Keep = former, nil
	if s, err = NewReview(c); err != nil {
		t.Fatal(err)
	}
	r, err := s.Run(t.Context(), func(string, time.Duration) {})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	for _, task := range r.Tasks {
		for _, to := range task.Results {
			if len(to.Runs) != 5 {
				t.Errorf("%s: %d runs", task.Name, len(to.Runs))
			}
		}
	}
	if r.Interrupted || r.Tasks[0].Results[0].Runs[0].NS != first.NS {
		t.Errorf("the first run was %+v, is %+v", first, r.Tasks[0].Results[0].Runs[0])
	}

	c.Runs, c.Former = 6, r
	if _, err := NewReview(c); err == nil || !strings.Contains(err.Error(), "of other work") {
		t.Errorf("results of another review: %v", err)
	}
	empty(t, c.Dirs...)
}

// A curve has its points on every volume, and what is measured in parts has them, on a file system with direct I/O.
func TestCurves(t *testing.T) {
	c := config(t, Curves...)
	c.Dirs = nil
	for range 2 {
		dir, err := os.MkdirTemp(".", "curves")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		c.Dirs = append(c.Dirs, dir)
	}
	c.Runs = 1
	if want := 2*11 + 2*2*6 + 2*11 + 2 + 1; len(c.Tasks) != want { // blocks of 4 KiB to 4 MiB in a file of 5 MiB
		t.Errorf("%d tasks, want %d", len(c.Tasks), want)
	}
	c.Tasks = slices.DeleteFunc(c.Tasks, func(t baseline.Task) bool { return t.Point != nil && t.Point.Value%11 != 4 })
	s, err := NewReview(c)
	if err != nil {
		t.Fatal(err)
	}
	left, err := s.Estimate(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	r, err := s.Run(t.Context(), func(string, time.Duration) {})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	t.Logf("announced %v, took %v", left, time.Since(begun))
	empty(t, c.Dirs...)
	for _, task := range r.Tasks {
		for _, to := range task.Results {
			if task.Point != nil && to.Skipped != "" {
				continue // no direct I/O here
			}
			if len(to.Runs) != 1 || to.Runs[0].NS <= 0 || to.Runs[0].Bytes <= 0 {
				t.Fatalf("%s: %+v", task.Name, to)
			}
			var parts int64
			for _, p := range to.Runs[0].Parts {
				parts += p.Bytes
			}
			if task.Point == nil && parts != to.Runs[0].Bytes ||
				task.Work == "files" && (to.Line == nil || to.Line.Files != 16) {
				t.Errorf("%s: parts of %d bytes, %+v", task.Name, parts, to)
			}
		}
	}
}

func TestUnknownWork(t *testing.T) {
	if _, err := Tasks([]string{"cp", "dance"}, []int64{1}); err == nil || !strings.Contains(err.Error(), `"dance"`) {
		t.Error(err)
	}
}
