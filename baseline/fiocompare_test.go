package baseline

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer/stats"
)

// The comparison with fio measures; it asserts nothing about times:
//
//	go test ./baseline -run FioComparison -v -timeout 1h -fio DIR [-pairs 6] [-pair-time 2s]
var (
	fioDir   = flag.String("fio", "", "compare with fio in this directory")
	fioPairs = flag.Int("pairs", 6, "interleaved pairs of runs per cell")
	fioTime  = flag.Duration("pair-time", 2*time.Second, "length of each run")
	fioSize  = flag.Int64("fio-size", 512*mib, "size of the file")
)

// pairSide is what one side of a pair gave.
type pairSide struct {
	rate, p50, p99, depth, cpu float64 // bytes/s, ns, ns, operations, ns per operation
}

func TestFioComparison(t *testing.T) {
	if *fioDir == "" {
		t.Skip("needs -fio DIR")
	}
	if _, err := exec.LookPath("fio"); err != nil {
		t.Fatal(err)
	}
	ws, err := openWorkspace(*fioDir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := ws.close(); err != nil {
			t.Error(err)
		}
	}()
	path := ws.newPath("data")
	lay := &execution{path: path, seed: 1, meter: &meter{}, step: Step{Op: Write, Access: Sequential, Block: mib, Depth: 8, Threads: 1,
		Cache: Direct, FileSize: *fioSize, Data: RandomData, Fresh: true, Sync: SyncEnd}}
	if _, err := lay.blocks(context.Background()); err != nil {
		t.Fatal(err)
	}
	fmt.Printf("%-8s %5s %3s  %s\n", "job", "block", "QD", "ours/fio: rate [95 % interval], p50, p99, depth, CPU per op; fio's rate, p50, CPU per op")
	for _, job := range []string{"read", "write", "randread", "randwrite", "rw", "randrw"} {
		for _, block := range []int64{4 * kib, 128 * kib, mib} {
			for _, depth := range []int{1, 8, 32} {
				compareCell(t, path, job, block, depth)
			}
		}
	}
}

func compareCell(t *testing.T, path, job string, block int64, depth int) {
	var rate, p50, p99, deep, cpu [2][]float64
	for pair := range *fioPairs {
		for turn := range 2 {
			side := (pair + turn) % 2
			var s pairSide
			if side == 0 {
				s = ourSide(t, path, job, block, depth, uint64(pair))
			} else {
				s = fioSide(t, path, job, block, depth)
			}
			for to, v := range map[*[2][]float64]float64{&rate: s.rate, &p50: s.p50, &p99: s.p99, &deep: s.depth, &cpu: s.cpu} {
				to[side] = append(to[side], v)
			}
		}
	}
	ratio := func(v [2][]float64) float64 {
		var all []float64
		for i := range v[0] {
			all = append(all, v[0][i]/v[1][i])
		}
		return stats.Median(all)
	}
	ci := stats.RatioOfMedians(rate[0], rate[1], stats.Resampling{})
	fmt.Printf("%-9s %5s %3d  %.3f [%.2f %.2f]  p50 %.3f  p99 %.3f  depth %.3f  cpu %.2f   fio %6.0f MB/s %7.1f µs %6.0f ns\n", job, blockName(block), depth,
		ratio(rate), ci.Low, ci.High, ratio(p50), ratio(p99), ratio(deep), ratio(cpu), stats.Median(rate[1])/1e6, stats.Median(p50[1])/1e3, stats.Median(cpu[1]))
}

func ourSide(t *testing.T, path, job string, block int64, depth int, seed uint64) pairSide {
	step := Step{Name: job, Access: Sequential, Block: block, Depth: depth, Threads: 1, Cache: Direct, FileSize: *fioSize, Data: RandomData,
		Limit: Limit{Time: *fioTime}}
	switch job {
	case "read", "randread":
		step.Op = Read
	case "write", "randwrite":
		step.Op = Write
	default:
		step.Op, step.ReadShare, step.SplitMix = Mixed, 70, job == "rw"
	}
	if job[:2] == "ra" {
		step.Access = Random
	}
	x := &execution{step: step, path: path, seed: seed, meter: &meter{}}
	m, err := x.blocks(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var l stepLog
	l.step = step
	r := l.add(m, 0, 0, true)
	all := m.latency[0]
	all.Merge(&m.latency[1])
	return pairSide{float64(r.Rate), all.Quantile(0.5), all.Quantile(0.99), r.Achieved, float64(m.cpu) / float64(m.ops[0]+m.ops[1])}
}

// fioOutput is what is read of fio's JSON.
type fioOutput struct {
	Jobs []struct {
		Read, Write fioDirection
		Mixed       fioDirection
		UsrCPU      float64 `json:"usr_cpu"`
		SysCPU      float64 `json:"sys_cpu"`
	}
}

type fioDirection struct {
	Bytes   float64 `json:"io_bytes"`
	BW      float64 `json:"bw_bytes"`
	KiB     float64 `json:"bw"`
	Runtime float64 // ms
	Ops     float64 `json:"total_ios"`
	Lat     struct {
		Mean       float64
		Percentile map[string]float64
	} `json:"lat_ns"`
}

func runFio(t *testing.T, args ...string) fioOutput {
	t.Helper()
	out, err := exec.Command("fio", append([]string{"--output-format=json"}, args...)...).Output()
	if err != nil {
		t.Fatalf("fio %v: %v\n%s", args, err, out)
	}
	var f fioOutput
	if err := json.Unmarshal(out, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

func fioSide(t *testing.T, path, job string, block int64, depth int) pairSide {
	f := runFio(t, "--name=pair", "--filename="+path, "--ioengine=io_uring", "--direct=1", "--rw="+job, fmt.Sprintf("--bs=%d", block),
		fmt.Sprintf("--iodepth=%d", depth), fmt.Sprintf("--size=%d", *fioSize), fmt.Sprintf("--runtime=%dms", fioTime.Milliseconds()), "--time_based",
		"--randrepeat=0", "--norandommap", "--rwmixread=70", "--lat_percentiles=1", "--unified_rw_reporting=1", "--overwrite=1")
	j := f.Jobs[0]
	d := j.Mixed
	ns := d.Runtime * 1e6
	return pairSide{d.BW, d.Lat.Percentile["50.000000"], d.Lat.Percentile["99.000000"], d.Lat.Mean * d.Ops / ns, (j.UsrCPU + j.SysCPU) / 100 * ns / d.Ops}
}

// TestKDiskMarkLines runs the fio job lines of KDiskMark against our pattern of
// the same name, and prints what KDiskMark would print.
func TestKDiskMarkLines(t *testing.T) {
	if *fioDir == "" {
		t.Skip("needs -fio DIR")
	}
	for _, line := range []struct {
		pattern, rw, bs string
		depth, jobs     int
	}{
		{"kdm/seq1m-q8t1/read", "read", "1024k", 8, 1}, {"kdm/seq1m-q8t1/write", "write", "1024k", 8, 1},
		{"kdm/seq1m-q1t1/read", "read", "1024k", 1, 1}, {"kdm/seq1m-q1t1/write", "write", "1024k", 1, 1},
		{"kdm/rnd4k-q32t1/read", "randread", "4k", 32, 1}, {"kdm/rnd4k-q32t1/write", "randwrite", "4k", 32, 1},
		{"kdm/rnd4k-q1t1/read", "randread", "4k", 1, 1}, {"kdm/rnd4k-q1t1/write", "randwrite", "4k", 1, 1},
		{"kdm/seq1m-q8t1/mix", "rw", "1024k", 8, 1}, {"kdm/rnd4k-q32t1/mix", "randrw", "4k", 32, 1},
	} {
		found, err := Lookup(line.pattern)
		if err != nil || len(found) != 1 {
			t.Fatal(line.pattern, err)
		}
		p := found[0].Scaled(Scale{Size: *fioSize, Time: *fioTime, Runs: 1})
		var ours, theirs []float64
		for pair := range *fioPairs {
			for turn := range 2 {
				if (pair+turn)%2 == 0 {
					ours = append(ours, kdmOurs(t, p))
				} else {
					theirs = append(theirs, kdmFio(t, line.rw, line.bs, line.depth, line.jobs))
				}
			}
		}
		ratio := stats.RatioOfMedians(ours, theirs, stats.Resampling{})
		fmt.Printf("%-24s KDiskMark shows %8.1f, we show %8.1f: ratio %.3f [%.2f %.2f]\n", line.pattern, stats.Median(theirs), stats.Median(ours), ratio.Value, ratio.Low, ratio.High)
	}
}

func kdmOurs(t *testing.T, p Pattern) float64 {
	b, err := New(Config{Patterns: []Pattern{p}, Dirs: []string{*fioDir}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	r, err := b.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return r.Patterns[0].Places[0].Steps[0].Shown.Value
}

// kdmFio runs KDiskMark's lines and does its arithmetic: KiB/s ÷ 1000, and for
// a mix p·R + (1−p)·W.
func kdmFio(t *testing.T, rw, bs string, depth, jobs int) float64 {
	dir, err := os.MkdirTemp(*fioDir, "kdm")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file, size := filepath.Join(dir, "f"), fmt.Sprintf("--size=%dm", *fioSize/mib)
	runFio(t, "--create_only=1", "--filename="+file, size, "--zero_buffers=0", "--name=prepare")
	if os.Geteuid() == 0 {
		if err := dropCaches(); err != nil {
			t.Fatal(err)
		}
	}
	f := runFio(t, "--ioengine=libaio", "--randrepeat=0", "--refill_buffers=0", "--end_fsync=1", "--direct=1", "--rwmixread=70",
		"--filename="+file, "--name="+rw, size, "--zero_buffers=0", "--bs="+bs, fmt.Sprintf("--runtime=%gs", fioTime.Seconds()),
		"--rw="+rw, fmt.Sprintf("--iodepth=%d", depth), fmt.Sprintf("--numjobs=%d", jobs), "--group_reporting")
	j := f.Jobs[0]
	switch rw {
	case "rw", "randrw":
		return (0.7*j.Read.KiB + 0.3*j.Write.KiB) / 1000
	case "write", "randwrite":
		return j.Write.KiB / 1000
	}
	return j.Read.KiB / 1000
}
