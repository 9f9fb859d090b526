//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/generator"

	"github.com/iotrace/iotrace/internal/testenv"
)

// jobs are fio's names for the orders and directions that are compared.
var jobs = []string{"read", "write", "rw", "randread", "randwrite", "randrw"}

// onMemory compares on a loop device over memory, or in the directory that was
// named.
func onMemory(ctx context.Context, s *baselineSession) (err error) {
	if s.dir != "" {
		return fioCells(ctx, s, s.dir, &s.results.Disk)
	}
	l, err := testenv.InMemory("ext4", "fio", 4*s.size)
	defer func() { err = errors.Join(err, l.Close()) }()
	if err != nil {
		return err
	}
	return fioCells(ctx, s, l.Dir, &s.results.Memory)
}

// slowLatency is so long that what the programs and the device compute does not
// count beside it, even with 32 blocks of 1 MiB under way.
const slowLatency = 10 * time.Millisecond

// onSlow compares on a device whose every request takes the same time.
func onSlow(ctx context.Context, s *baselineSession) error {
	return withSlow(func(dir string) error { return fioCells(ctx, s, dir, &s.results.Slow) })
}

func withSlow(run func(dir string) error) (err error) {
	at, err := os.MkdirTemp("/dev/shm", "iotrace-slow-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(at)) }()
	dir, end, err := testenv.Start(at, slowLatency)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	return run(dir)
}

// fioCells compares our generator with fio's io_uring engine, with direct I/O.
func fioCells(ctx context.Context, s *baselineSession, dir string, cells *map[string]*cell) error {
	if *cells == nil {
		*cells = map[string]*cell{}
	}
	for _, job := range jobs {
		for _, block := range []int64{4 << 10, 128 << 10, 1 << 20} {
			for _, depth := range []int{1, 8, 32} {
				name := fmt.Sprintf("%s %s %d", job, blockName(block), depth)
				if !s.wanted(name) {
					continue
				}
				c, err := fioCell(ctx, s, dir, name, job, block, depth)
				if err != nil {
					return err
				}
				(*cells)[name] = c
				fmt.Fprintln(os.Stderr, c.row(bounds))
			}
		}
	}
	return nil
}

// fioCell compares on the one file that our side has laid out.
func fioCell(
	ctx context.Context, s *baselineSession, dir, name, job string, block int64, depth int,
) (c *cell, err error) {
	b, err := generator.New(generator.Config{Patterns: []baseline.Pattern{pattern(s, job, block, depth)},
		Dirs: []string{dir}})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	if _, err := b.Run(ctx); err != nil { // makes the file
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "iotrace-bench", "data-*"))
	if err != nil || len(files) != 1 {
		return nil, fmt.Errorf("looking for the one test file: %d found, %w", len(files), err)
	}
	ours := func(int) (side, error) {
		r, err := b.Run(ctx)
		if err != nil {
			return side{}, err
		}
		return ourSide(r.Patterns[0].Places[0].Steps[0].Runs[0]), nil
	}
	theirs := func(int) (side, error) {
		j, err := runFio(ctx, "--name=pair", "--filename="+files[0], "--ioengine=io_uring", "--direct=1", "--rw="+job,
			fmt.Sprintf("--bs=%d", block), fmt.Sprintf("--iodepth=%d", depth), fmt.Sprintf("--size=%d", s.size),
			fmt.Sprintf("--runtime=%dms", s.length.Milliseconds()), "--time_based",
			"--randrepeat=0", "--norandommap", "--rwmixread=70", "--lat_percentiles=1", "--overwrite=1", "--allow_file_create=0")
		if err != nil {
			return side{}, err
		}
		return j.side(), nil
	}
	return pair(name, s.pairs, ours, theirs)
}

// pattern is the job as a pattern of ours.
func pattern(s *baselineSession, job string, block int64, depth int) baseline.Pattern {
	step := baseline.Step{Name: job, Op: baseline.Read, Access: baseline.Sequential, Block: block, Depth: depth,
		Threads: 1, Cache: baseline.Direct, FileSize: s.size, Data: baseline.RandomData,
		Limit: baseline.Limit{Time: s.length}}
	switch job {
	case "write", "randwrite":
		step.Op = baseline.Write
	case "rw", "randrw":
		step.Op, step.ReadShare, step.SplitMix = baseline.Mixed, 70, job == "rw"
	}
	if strings.HasPrefix(job, "rand") {
		step.Access = baseline.Random
	}
	return baseline.Pattern{Name: "fio/" + job, Title: "fio --rw=" + job, Target: baseline.TargetFile,
		Steps: []baseline.Step{step}, Original: baseline.Original{Runs: 1, Pick: baseline.PickSingle, Factor: 1}, Runs: 1}
}

func ourSide(r baseline.RunResult) side {
	all := side{Rate: float64(r.Rate), Depth: r.Achieved, CPU: float64(r.CPUNS) / float64(r.ReadOps+r.WriteOps),
		Latency: map[string]quantiles{}}
	for direction, l := range r.Latency {
		all.Latency[direction] = quantiles{float64(l.P50), float64(l.P99)}
	}
	return all
}

// baselineFioJob is what is read of fio's JSON.
type baselineFioJob struct {
	Read, Write fioDirection
	Runtime     float64 `json:"job_runtime"` // ms
	UsrCPU      float64 `json:"usr_cpu"`     // percent of the run time
	SysCPU      float64 `json:"sys_cpu"`
}

type fioDirection struct {
	BW      float64 `json:"bw_bytes"`
	KiB     float64 `json:"bw"`
	Runtime float64 // ms
	Ops     float64 `json:"total_ios"`
	Lat     struct {
		Mean       float64
		Percentile map[string]float64
	} `json:"lat_ns"`
}

func (j baselineFioJob) side() side {
	all := side{Latency: map[string]quantiles{}}
	ns, ops := max(j.Read.Runtime, j.Write.Runtime)*1e6, j.Read.Ops+j.Write.Ops
	for direction, d := range map[string]fioDirection{"read": j.Read, "write": j.Write} {
		if d.Ops == 0 {
			continue
		}
		all.Rate += d.BW
		all.Depth += d.Lat.Mean * d.Ops / ns
		all.Latency[direction] = quantiles{d.Lat.Percentile["50.000000"], d.Lat.Percentile["99.000000"]}
	}
	all.CPU = (j.UsrCPU + j.SysCPU) / 100 * j.Runtime * 1e6 / ops
	return all
}

func runFio(ctx context.Context, args ...string) (baselineFioJob, error) {
	var out struct{ Jobs []baselineFioJob }
	text, err := exec.CommandContext(ctx, "fio", append([]string{"--output-format=json"}, args...)...).Output()
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err == nil && len(out.Jobs) == 0 {
		err = errors.New("its output has no job")
	}
	if err != nil {
		return baselineFioJob{}, fmt.Errorf("running fio %v: %w\n%s", args, err, text)
	}
	return out.Jobs[0], nil
}
