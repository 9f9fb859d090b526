package workloads

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/testenv"
)

func TestMain(m *testing.M) { os.Exit(testenv.Suite{M: m}.Run()) }

func config(t *testing.T, names ...string) Config {
	t.Helper()
	tasks, err := Tasks(names, []int64{3 << 20, 5 << 20})
	if err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("true")
	if err != nil {
		testenv.Missing(t, "%v", err)
	}
	return Config{Dirs: []string{t.TempDir(), t.TempDir()}, Tasks: tasks, Runs: 5, Program: program, Seed: 1}
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
	c := config(t, Names...)
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	if left, err := s.Estimate(t.Context()); err != nil || left <= 0 {
		t.Errorf("estimated %v, %v", left, err)
	}
	r, err := s.Run(t.Context(), func(string, time.Duration) {})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	empty(t, c.Dirs...)
	if len(r.Tasks) != 9 {
		t.Errorf("%d tasks", len(r.Tasks))
	}
	for _, task := range r.Tasks {
		for k, to := range task.Results {
			if to.Skipped != "" && task.Work == "clone" {
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
	s, err := New(c)
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
	if s, err = New(c); err != nil {
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
	if r.Interrupted || r.Tasks[0].Results[0].Runs[0] != first {
		t.Errorf("the first run was %+v, is %+v", first, r.Tasks[0].Results[0].Runs[0])
	}

	c.Runs, c.Former = 6, r
	if _, err := New(c); err == nil || !strings.Contains(err.Error(), "of other work") {
		t.Errorf("results of another review: %v", err)
	}
	empty(t, c.Dirs...)
}

func TestUnknownWork(t *testing.T) {
	if _, err := Tasks([]string{"cp", "dance"}, []int64{1}); err == nil || !strings.Contains(err.Error(), `"dance"`) {
		t.Error(err)
	}
}
