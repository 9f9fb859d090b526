//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/generator"
	"github.com/iotrace/iotrace/internal/testenv"
)

// kdmLines are the tests of KDiskMark's default and NVMe profiles as it hands
// them to fio.
var kdmLines = []struct {
	pattern, rw, bs string
	depth, jobs     int
}{
	{"seq1m-q8t1/read", "read", "1024k", 8, 1}, {"seq1m-q8t1/write", "write", "1024k", 8, 1},
	{"seq1m-q8t1/mix", "rw", "1024k", 8, 1}, {"seq1m-q1t1/read", "read", "1024k", 1, 1}, {"seq1m-q1t1/write", "write",
		"1024k", 1, 1}, {"seq1m-q1t1/mix", "rw", "1024k", 1, 1},
	{"rnd4k-q32t1/read", "randread", "4k", 32, 1}, {"rnd4k-q32t1/write", "randwrite", "4k", 32, 1},
	{"rnd4k-q32t1/mix", "randrw", "4k", 32, 1}, {"rnd4k-q1t1/read", "randread", "4k", 1, 1},
	{"rnd4k-q1t1/write", "randwrite", "4k", 1, 1}, {"rnd4k-q1t1/mix", "randrw", "4k", 1, 1},
	{"nvme/seq128k-q32t1/read", "read", "128k", 32, 1}, {"nvme/seq128k-q32t1/write", "write", "128k", 32, 1},
	{"nvme/rnd4k-q32t16/read", "randread", "4k", 32, 16}, {"nvme/rnd4k-q32t16/write", "randwrite", "4k", 32, 16},
}

// kDiskMark runs KDiskMark's job lines by fio, does its arithmetic, and sets
// what it would show against what our pattern of the same name says it shows.
func kDiskMark(ctx context.Context, s *baselineSession) error {
	return withSlow(func(dir string) error { return compareLines(ctx, s, dir) })
}

// kdmSize leaves room for both files on the device, in MiB.
const kdmSize = min(testenv.Size/3>>20, 256)

func compareLines(ctx context.Context, s *baselineSession, at string) error {
	if s.results.KDiskMark == nil {
		s.results.KDiskMark = map[string]*cell{}
	}
	dir, err := os.MkdirTemp(at, "kdm-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "file")
	size := fmt.Sprintf("--size=%dm", kdmSize)
	if _, err := runFio(ctx, "--create_only=1", "--filename="+file, size, "--zero_buffers=0",
		"--name=prepare"); err != nil {
		return err
	}
	for _, line := range kdmLines {
		name := "kdm/" + line.pattern
		if !s.wanted(name) {
			continue
		}
		ours, closeOurs, err := kdmOurs(ctx, s, at, name)
		if err != nil {
			return err
		}
		c, err := pair(name, s.pairs, ours, func(int) (side, error) {
			if err := os.WriteFile("/proc/sys/vm/drop_caches", []byte("1"), 0); err != nil {
				return side{}, err
			}
			j, err := runFio(ctx, "--ioengine=libaio", "--randrepeat=0", "--refill_buffers=0", "--end_fsync=1", "--direct=1",
				"--rwmixread=70", "--filename="+file, "--name="+line.rw, size, "--zero_buffers=0", "--bs="+line.bs,
				fmt.Sprintf("--runtime=%gs", s.length.Seconds()), "--rw="+line.rw, fmt.Sprintf("--iodepth=%d", line.depth),
				fmt.Sprintf("--numjobs=%d", line.jobs), "--group_reporting")
			return side{Rate: shown(j, line.rw)}, err
		})
		if err := errors.Join(err, closeOurs()); err != nil {
			return err
		}
		s.results.KDiskMark[name] = c
		fmt.Fprintln(os.Stderr, c.row(nil))
	}
	return nil
}

// shown is the number that KDiskMark prints: fio's KiB/s ÷ 1000, and of a
// mix p·R + (1−p)·W.
func shown(j baselineFioJob, rw string) float64 {
	switch rw {
	case "rw", "randrw":
		return (0.7*j.Read.KiB + 0.3*j.Write.KiB) / 1000
	case "write", "randwrite":
		return j.Write.KiB / 1000
	}
	return j.Read.KiB / 1000
}

func kdmOurs(ctx context.Context, s *baselineSession, dir,
	name string) (run func(int) (side, error), end func() error, err error) {
	found, err := baseline.Lookup(name)
	if err != nil || len(found) != 1 {
		return nil, nil, fmt.Errorf("looking for pattern %s: %d found: %w", name, len(found), err)
	}
	p := found[0].Scaled(baseline.Scale{Size: kdmSize << 20, Time: s.length, Runs: 1})
	b, err := generator.New(generator.Config{Patterns: []baseline.Pattern{p}, Dirs: []string{dir}})
	if err != nil {
		return nil, nil, err
	}
	return func(int) (side, error) {
		r, err := b.Run(ctx)
		if err != nil {
			return side{}, err
		}
		return side{Rate: r.Patterns[0].Places[0].Steps[0].Shown.Value}, nil
	}, b.Close, nil
}
