//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/testenv"
)

// whatifMemory is what a device and the page cache need, in bytes.
const whatifMemory = 8 << 30

type whatifSession struct {
	tool, temp, only, places string
	runs                     int
}

func (s *whatifSession) run(verb, dir string) error {
	switch verb {
	case "record":
		return s.record(dir)
	case "judge":
		return s.judge(dir)
	}
	return fmt.Errorf("%q: neither record nor judge", verb)
}

// record records each workload on each device. The memory of a virtual machine is its
// own meanwhile: with its host's help the same copy takes 0.07 s or 1 s.
func (s *whatifSession) record(dir string) error {
	ended, stop := signal.NotifyContext(context.Background(), os.Interrupt, unix.SIGTERM)
	defer stop()
	_, restore := KeepMemory()
	defer restore()
	release, err := Fragment(ended, whatifMemory)
	if err != nil {
		return err
	}
	defer release()
	for _, p := range whatifPlaces {
		if !chosen(s.places, p.name) {
			continue
		}
		if err := s.recordOn(ended, p, filepath.Join(dir, p.name)); err != nil {
			return fmt.Errorf("recording on %s: %w", p.name, err)
		}
	}
	return nil
}

func (s *whatifSession) recordOn(ended context.Context, p place, dir string) (err error) {
	temp, err := os.MkdirTemp(s.temp, "iotrace-predictions-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	mounted, end, err := testenv.StartModel(temp, p.model())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if chosen(s.only, "bench") {
		bench := exec.Command(s.tool, "bench", "kdm/default", "--dir", mounted, "--json",
			"--size", "64MiB", "--time", "1s", "-n", "2")
		out, err := bench.Output()
		if err := errors.Join(err, os.WriteFile(filepath.Join(dir, "bench.json"), out, 0o644)); err != nil {
			return fmt.Errorf("bench: %w", err)
		}
	}
	for _, w := range workloads {
		for i := range s.runs {
			if ended.Err() != nil {
				return ended.Err()
			}
			if !chosen(s.only, w.name) {
				continue
			}
			file := filepath.Join(dir, fmt.Sprintf("%s-%d.iotrace", w.name, i+1))
			if err := s.recordOnce(w, filepath.Join(mounted, "work"), file); err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
		}
	}
	return nil
}

// recordOnce records a workload in a directory that is made for it.
func (s *whatifSession) recordOnce(w whatifWorkload, work, file string) error {
	caches := "3"
	if w.warm {
		caches = "0"
	}
	tool, err := filepath.Abs(s.tool)
	if err != nil {
		return err
	}
	if file, err = filepath.Abs(file); err != nil {
		return err
	}
	words := []string{"record", "--quiet", "-f", "--no-verify-copies", "-o", file, "--", "sh", "-c", "exec " + w.command}
	for _, step := range []*exec.Cmd{
		exec.Command("mkdir", work),
		in(work, "sh", "-c", w.prepare),
		exec.Command("sync", "-f", work),
		exec.Command("sh", "-c", "[ "+caches+" = 0 ] || echo "+caches+" >/proc/sys/vm/drop_caches"),
		in(work, tool, words...),
		exec.Command("rm", "-rf", work),
		exec.Command("sync", "-f", filepath.Dir(work)),
	} {
		if out, err := step.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", step, err, out)
		}
	}
	return nil
}
