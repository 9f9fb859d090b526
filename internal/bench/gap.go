//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/testenv"
)

// benchGap checks the explanations of iotrace gap against the truth. It records workloads that are slow for one known
// reason and has gap explain them on this disk. It counts how often that reason comes first, resolved, with no other
// resolved part above a fifth of the gap.
func benchGap() error {
	var s gapSession
	flag.StringVar(&s.tool, "iotrace", "./iotrace", "the `binary` to check")
	flag.StringVar(&s.dir, "dir", ".", "work in `DIR`, on the disk to measure")
	flag.StringVar(&s.keep, "keep", "", "keep the JSON of each explanation in `DIR`")
	flag.IntVar(&s.runs, "runs", 10, "how often each")
	only := flag.String("only", "", "these reasons only (comma-separated), or replay: compare replays with recordings "+
		"instead")
	flag.Parse()
	return s.run(*only)
}

type gapSession struct {
	tool, dir, keep, self string
	runs                  int
	ended                 context.Context // by a signal; the commands that run get it too
}

func (s *gapSession) run(only string) (err error) {
	if s.self, err = os.Executable(); err != nil {
		return err
	}
	if s.dir, err = os.MkdirTemp(s.dir, "iotrace-reasons-"); err != nil {
		return err
	}
	defer os.RemoveAll(s.dir)
	var release context.CancelFunc
	s.ended, release = signal.NotifyContext(context.Background(), os.Interrupt, unix.SIGTERM)
	defer release()
	_, restore := KeepMemory()
	defer restore()
	if only == "replay" {
		return s.replays()
	}
	fmt.Println(
		"| reason | workload | first | no other above 20 % | runs | parts of each run |\n|---|---|---|---|---|---|")
	for _, r := range reasons {
		if only != "" && !strings.Contains(","+only+",", ","+r.name+",") {
			continue
		}
		if err := s.reason(r); err != nil {
			return fmt.Errorf("checking %s: %w", r.name, err)
		}
	}
	return nil
}

func (s *gapSession) reason(r reason) (err error) {
	dir := s.dir
	if r.slow {
		var end func() error
		if dir, end, err = testenv.Start(s.dir, 4*time.Millisecond); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, end()) }()
	}
	first, alone := 0, 0
	var parts []string
	for i := range s.runs {
		x, err := s.explain(r, dir, i)
		if err != nil {
			return err
		}
		if x.first(r.factor) {
			first++
			if x.alone() {
				alone++
			}
		}
		parts = append(parts, x.String())
		fmt.Fprintf(os.Stderr, "%s %d: %s\n", r.name, i+1, x)
	}
	fmt.Printf("| %s | %s | %d | %d | %d | %s |\n", r.factor, r.about, first, alone, s.runs, strings.Join(parts, "; "))
	return nil
}

// explain records the workload once and has it explained.
func (s *gapSession) explain(r reason, dir string, run int) (x *explanation, err error) {
	if r.image {
		var undo func() error
		dir, undo, err = newImage(s.dir)
		defer func() { err = errors.Join(err, undo()) }()
		if err != nil {
			return nil, err
		}
	}
	work := filepath.Join(dir, "work")
	if err := os.Mkdir(work, 0o700); err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	for _, line := range r.prepare {
		if out, err := exec.Command("sh", "-c", strings.ReplaceAll(line, "{}", work)).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w: %s", line, err, out)
		}
	}
	file := filepath.Join(s.dir, "recording.iotrace")
	words := []string{"record", "--quiet", "-f", "-o", file, "--"}
	for _, w := range r.command {
		if w == "self" {
			words = append(words, s.self, makeWork)
			continue
		}
		words = append(words, strings.ReplaceAll(w, "{}", work))
	}
	if _, err := s.iotrace(words...); err != nil {
		return nil, err
	}
	if err := os.RemoveAll(work); err != nil {
		return nil, err
	}
	text, err := s.iotrace("gap", file, "--against", r.against, "--dir", dir, "--quick", "--yes", "--quiet", "--json",
		"--size", r.payload, "--seed", fmt.Sprint(run+1))
	if err != nil {
		return nil, err
	}
	if s.keep != "" {
		if err := os.WriteFile(filepath.Join(s.keep, fmt.Sprintf("%s-%d-%d.json", r.name, time.Now().Unix(), run)), text,
			0o644); err != nil {
			return nil, err
		}
	}
	x = &explanation{}
	return x, json.Unmarshal(text, x)
}

func (s *gapSession) iotrace(words ...string) ([]byte, error) {
	if err := s.ended.Err(); err != nil {
		return nil, err
	}
	cmd := exec.Command(s.tool, words...)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", cmd, err, errs.String())
	}
	return out, nil
}

// explanation is what is needed of the output of gap.
type explanation struct {
	Answer  struct{ Code, Text string }
	Factors []struct {
		ID, Verdict string
		Seconds     float64 `json:"seconds_per_gb"`
		Share       float64
	}
	Explanation struct {
		Noise    float64
		Drift    bool
		Workload struct{ Error float64 } `json:"workload_anchor"`
	}
}

const resolved = "resolved"

// first reports whether a factor is the greatest of those that are resolved,
// in a ranking that was not refused.
func (x *explanation) first(id string) bool {
	best, most := "", 0.0
	for _, f := range x.Factors {
		if f.Verdict == resolved && math.Abs(f.Seconds) > most {
			best, most = f.ID, math.Abs(f.Seconds)
		}
	}
	return x.Answer.Code == "ranked" && best == id
}

// alone reports whether at most one resolved part is more than a fifth.
func (x *explanation) alone() bool {
	n := 0
	for _, f := range x.Factors {
		if f.Verdict == resolved && math.Abs(f.Share) > 0.2 {
			n++
		}
	}
	return n <= 1
}

func (x *explanation) String() string {
	var parts []string
	for _, f := range x.Factors {
		mark := ""
		if f.Verdict != resolved {
			mark = "~"
		}
		parts = append(parts, fmt.Sprintf("%s %s%.0f %%", f.ID, mark, 100*f.Share))
	}
	if x.Answer.Code != "ranked" {
		parts = append(parts, x.Answer.Code)
	}
	if x.Explanation.Drift {
		parts = append(parts, "drift")
	}
	return strings.Join(parts, ", ") + fmt.Sprintf(" (residual %.0f %%, noise %.0f %%)", 100*x.Explanation.Workload.Error,
		100*x.Explanation.Noise)
}
