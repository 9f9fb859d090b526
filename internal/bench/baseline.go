//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// benchBaselines measures the load generator of `iotrace bench` against fio and against devices whose rates are
// known. Both sides of a pair take turns on the same file within seconds. Results are kept in a file: a part that is
// measured again replaces what is there, so that a long series can be measured in pieces.
func benchBaselines() error {
	var s baselineSession
	parts := flag.String("parts", "fio,slow,kdm,places,sustained", "measure these `parts`; none with an empty list")
	data := flag.String("data", "internal/bench/baselines.json", "keep the results in `FILE`")
	out := flag.String("o", "", "write the tables of all kept results to `FILE`")
	flag.StringVar(&s.dir, "dir", "", "compare with fio in `DIR` (default: on a loop device over memory, which no other "+
		"use of the disk disturbs)")
	flag.StringVar(&s.only, "only", "", "only cells whose name begins with `TEXT` (randread, kdm/nvme)")
	flag.IntVar(&s.pairs, "pairs", 6, "interleaved pairs per cell")
	flag.DurationVar(&s.length, "time", 1500*time.Millisecond, "length of each run")
	flag.Int64Var(&s.size, "size", 512<<20, "`BYTES` of the file")
	flag.StringVar(&s.tool, "iotrace", "./iotrace", "the `binary` whose bench is run over several directories")
	flag.IntVar(&s.rounds, "rounds", 20, "tables over several directories, and sustained runs of each kind")
	flag.Parse()
	return baselineRun(&s, *parts, *data, *out)
}

func baselineRun(s *baselineSession, parts, data, out string) error {
	text, err := os.ReadFile(data)
	if err == nil {
		err = json.Unmarshal(text, &s.results)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reading the results so far: %w", err)
	}
	ctx, release := signal.NotifyContext(context.Background(), os.Interrupt, unix.SIGTERM)
	defer release()
	_, restore := KeepMemory()
	failed := measure(ctx, s, parts)
	restore()
	if parts != "" { // also after an error: what was measured until then is kept
		s.results.Machine = machine()
		if text, err = json.Marshal(s.results); err != nil {
			return errors.Join(failed, err)
		}
		failed = errors.Join(failed, os.WriteFile(data, append(text, '\n'), 0o644))
	}
	if failed != nil {
		return failed
	}
	if out == "" {
		return baselineTables{s.results}.write(os.Stdout)
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	return errors.Join(baselineTables{s.results}.write(f), f.Close())
}

func measure(ctx context.Context, s *baselineSession, parts string) error {
	for _, part := range []struct {
		name string
		run  func(context.Context, *baselineSession) error
	}{{"fio", onMemory}, {"slow", onSlow}, {"kdm", kDiskMark}, {"places", places}, {"sustained", sustained}} {
		if !strings.Contains(","+parts+",", ","+part.name+",") {
			continue
		}
		if err := part.run(ctx, s); err != nil {
			return fmt.Errorf("measuring %s: %w", part.name, err)
		}
	}
	return nil
}
