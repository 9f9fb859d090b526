//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/testenv"
)

// The devices under the directories of one table, all of them loop devices over
// memory: the second is the equal of the first, the last is throttled.
var devices = []struct{ name, fs string }{
	{"ext4", "ext4"}, {"ext4 again", "ext4"}, {"xfs", "xfs"}, {"btrfs", "btrfs"}, {"ext4 throttled", "ext4"},
}

const (
	deviceSize   = 512 << 20
	throttleRate = 200e6 // bytes per second, of the last device
)

// places has one bench compare the devices, again and again.
func places(ctx context.Context, s *baselineSession) (err error) {
	limits, err := newThrottle()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, limits.close()) }()
	args := []string{"bench", "cdm@9/default/seq1m-q8t1/write", "--json", "--quiet", "--size", "64MiB", "--time", "500ms",
		"--runs", "6"}
	for i, d := range devices {
		l, err := testenv.InMemory(d.fs, fmt.Sprint(i), deviceSize)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, l.Close()) }()
		if i == len(devices)-1 {
			if err := limits.limit(l, throttleRate); err != nil {
				return err
			}
		}
		args = append(args, "--dir", l.Dir)
	}
	for range s.rounds {
		r, err := compareFio(ctx, s, args)
		if err != nil {
			return err
		}
		s.results.Places = append(s.results.Places, r)
		fmt.Fprintln(os.Stderr, line(r))
	}
	return nil
}

func compareFio(ctx context.Context, s *baselineSession, args []string) (placesRound, error) {
	round := placesRound{Throttle: throttleRate}
	c := exec.CommandContext(ctx, s.tool, args...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	text, err := c.Output()
	if err != nil {
		return round, fmt.Errorf("running %v: %w\n%s", c.Args, err, &stderr)
	}
	var r baseline.Report
	if err := json.Unmarshal(text, &r); err != nil {
		return round, fmt.Errorf("reading the output of bench: %w", err)
	}
	for _, p := range r.Patterns[0].Places {
		round.Medians = append(round.Medians, p.Steps[0].Rate.Median)
	}
	round.Against = r.Patterns[0].Comparisons
	return round, nil
}

// line is one line of progress.
func line(r placesRound) string {
	text := ""
	for i, c := range r.Against {
		text += fmt.Sprintf("%s %s %.3f  ", devices[i+1].name, c.Verdict, c.Ratio)
	}
	return text
}
