//go:build linux

package ebpf

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/trace"
)

// fioJob is one row of the comparison with fio.
type fioJob struct {
	engine, rw, bs string
	depth          int
	direct         bool
	more           string
}

func (j fioJob) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s bs=%s iodepth=%d direct=%v %s", j.engine, j.rw, j.bs, j.depth,
		j.direct, j.more))
}

var fioJobs = []fioJob{
	{"psync", "randread", "4k", 1, true, ""},
	{"psync", "read", "1m", 1, true, ""},
	{"psync", "randwrite", "4k", 1, true, ""},
	{"psync", "randrw", "16k", 1, false, ""},
	{"pvsync2", "randrw", "8k", 1, true, ""},
	{"io_uring", "randread", "4k", 1, true, ""},
	{"io_uring", "randread", "4k", 64, true, ""},
	{"io_uring", "randrw", "64k", 16, true, ""},
	{"io_uring", "write", "1m", 8, true, ""},
	{"io_uring", "randread", "4k", 32, false, ""},
	{"io_uring", "write", "64k", 4, false, ""},
	{"io_uring", "randread", "4k", 16, true, "--fixedbufs --registerfiles"},
	{"io_uring", "randrw", "4k", 16, true, "--sqthread_poll"},
	{"io_uring", "randrw", "4k", 16, true, "--force_async=1"},
	{"io_uring", "randrw", "4k", 8, true, "--nonvectored=0"},
	{"libaio", "randread", "4k", 1, true, ""},
	{"libaio", "randread", "4k", 64, true,
		"--iodepth_batch=64 --iodepth_batch_complete_min=1 --iodepth_batch_complete_max=64"},
	{"libaio", "randrw", "16k", 32, true, ""},
	{"libaio", "write", "1m", 4, true, ""},
	{"libaio", "randrw", "4k", 4, false, ""},
}

// fioResult is what is read from fio's own report.
type fioResult struct{ Jobs []fioJobResult }

type fioJobResult struct{ Read, Write fioDirection }

type fioDirection struct {
	IOs     int        `json:"total_ios"`
	Bytes   int64      `json:"io_bytes"`
	Runtime float64    `json:"runtime"` // ms
	Latency fioLatency `json:"clat_ns"` // from the submission
	Total   fioLatency `json:"lat_ns"`  // from before it
}

type fioLatency struct {
	Mean       float64          `json:"mean"`
	Percentile map[string]int64 `json:"percentile"`
}

func (l fioLatency) percentile(p float64) int64 { return l.Percentile[fmt.Sprintf("%.6f", p)] }

// runFio records a job on a file.
func runFio(t *testing.T, j fioJob, file, size string) (*recording, fioResult) {
	t.Helper()
	report := workDir(t) + "/report.json"
	args := strings.Fields(fmt.Sprintf("fio --name=job --filename=%s --size=%s --rw=%s --bs=%s --ioengine=%s "+
		"--iodepth=%d --direct=%d "+
		"--invalidate=1 --randrepeat=1 --thread --output-format=json+ "+
		"--lat_percentiles=1 --clat_percentiles=1 --output=%s %s",
		file, size, j.rw, j.bs, j.engine, j.depth, boolInt(j.direct), report, j.more))
	run(t, append(args, "--create_only=1")...)
	run(t, "sync", "-f", file)
	s, w := launch(t, Options{}, args...)
	wait(t, w)
	run(t, "sync", "-f", file)
	rec := s.end()
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	var result fioResult
	if at := strings.IndexByte(string(text), '{'); at < 0 {
		t.Fatalf("fio's report: %s", text)
	} else if err := json.Unmarshal(text[at:], &result); err != nil || len(result.Jobs) != 1 {
		t.Fatalf("fio's report: %v", err)
	}
	return rec, result
}

// operation is a read or write as the program sees it, by whatever interface.
type operation struct {
	start, end       int64
	op               trace.Op
	offset           int64
	requested, bytes int64
}

// operations lists the reads and writes of a file's data.
func (r *recording) operations(file string, async bool) []operation {
	var list []operation
	for i := range r.Syscalls {
		s := &r.Syscalls[i]
		if !async && s.Flags&trace.FlagPositioned != 0 && s.Op.MovesData() && r.path(s.File) == file {
			list = append(list, operation{s.Start, s.End(), s.Op, s.Offset, s.Requested, s.Bytes()})
		}
	}
	for i := range r.AsyncOps {
		a := &r.AsyncOps[i]
		if async && a.Op.MovesData() && r.path(a.File) == file {
			list = append(list, operation{a.Submit, a.Complete, a.Op, a.Offset, a.Requested, a.Bytes()})
		}
	}
	return list
}

// The operations of a recording are those that fio counts: number, size, direction.
func TestOperationsEqualFio(t *testing.T) {
	needBPF(t)
	needTools(t, "fio")
	for _, j := range fioJobs {
		t.Run(j.String(), func(t *testing.T) {
			d := newDisk(t, imageSize)
			d.format("ext4")
			file := d.mount("ext4", "") + "/data"
			rec, result := runFio(t, j, file, "16m")
			async := j.engine == "io_uring" || j.engine == "libaio"
			list := rec.operations(file, async)
			block, _ := strconv.ParseInt(strings.NewReplacer("k", "", "m", "").Replace(j.bs), 10, 64)
			block <<= map[byte]int{'k': 10, 'm': 20}[j.bs[len(j.bs)-1]]
			count, bytes, offsets := map[trace.Op]int{}, map[trace.Op]int64{}, map[int64]int{}
			for _, o := range list {
				count[o.op]++
				bytes[o.op] += o.bytes
				offsets[o.offset]++
				if o.requested != block || o.bytes != block || o.offset < 0 || o.offset%block != 0 || o.end < o.start {
					t.Fatalf("operation %+v, want %d bytes", o, block)
				}
			}
			for op, want := range map[trace.Op]fioDirection{trace.OpRead: result.Jobs[0].Read,
				trace.OpWrite: result.Jobs[0].Write} {
				if count[op] != want.IOs || bytes[op] != want.Bytes {
					t.Errorf("%s: %d operations of %d bytes recorded, fio did %d of %d", op, count[op], bytes[op],
						want.IOs, want.Bytes)
				}
			}
			if n := int(16 << 20 / block); len(offsets) != n {
				t.Errorf("%d offsets, want %d: fio goes everywhere once", len(offsets), n)
			}
			compareDepth(t, j, list, result)
			if j.direct {
				compareDevice(t, d, rec, file, bytes)
			}
		})
	}
}

// compareDevice checks that direct I/O reached the device byte for byte, but for what requests that were lost can have
// held.
func compareDevice(t *testing.T, d *disk, rec *recording, file string, bytes map[trace.Op]int64) {
	t.Helper()
	device := map[trace.ReqOp]int64{}
	for _, q := range rec.requests(d.id) {
		for _, e := range extents(&q) {
			if rec.path(e.File) == file {
				device[q.Op] += e.Bytes
			}
		}
	}
	room := rec.unseen(d.id)
	for op, want := range map[trace.ReqOp]int64{trace.ReqRead: bytes[trace.OpRead], trace.ReqWrite: bytes[trace.OpWrite]} {
		if got := device[op]; got > want || got < want-room {
			t.Errorf("%s: %d bytes at the device, %d of the operations; lost requests hold %d at most", op, got, want, room)
		}
	}
}

// unseen is how many bytes the requests that were lost can have held, if none was larger than those that were not.
func (r *recording) unseen(device trace.DeviceID) int64 {
	largest := int64(0)
	for _, q := range r.requests(device) {
		largest = max(largest, q.Bytes)
	}
	return int64(r.stats.Lost[trace.KindRequest]) * largest
}

// compareDepth compares the depth over time with the one that follows from fio's
// figures by Little's law: mean completion latency times operations per time. Only
// what the job allows is asserted; how close they are is printed.
func compareDepth(t *testing.T, j fioJob, list []operation, result fioResult) {
	t.Helper()
	var sum, first, last int64 = 0, math.MaxInt64, 0
	type edge struct {
		at   int64
		step int
	}
	var edges []edge
	for _, o := range list {
		sum += o.end - o.start
		first, last = min(first, o.start), max(last, o.end)
		edges = append(edges, edge{o.start, 1}, edge{o.end, -1})
	}
	slices.SortFunc(edges, func(a, b edge) int {
		if a.at != b.at {
			return int(a.at - b.at)
		}
		return a.step - b.step
	})
	depth, deepest := 0, 0
	for _, e := range edges {
		depth += e.step
		deepest = max(deepest, depth)
	}
	if deepest > j.depth {
		t.Errorf("%d operations at a time, the job allows %d", deepest, j.depth)
	}
	r, w := result.Jobs[0].Read, result.Jobs[0].Write
	fio := (r.Latency.Mean*float64(r.IOs) + w.Latency.Mean*float64(w.IOs)) / (max(r.Runtime, w.Runtime) * 1e6)
	t.Logf("depth: recorded mean %.2f, deepest %d; fio's figures give a mean of %.2f", float64(sum)/float64(last-first),
		deepest, fio)
}

// TestLatencyAgainstFio: an operation lasts at least as long as its requests, and begins and ends within what fio calls
// its total latency. How close they are is printed.
//
// An asynchronous operation begins when the submitting call does. fio's total latency begins before it; its completion
// latency begins when that call has returned, which is 15 µs later on a virtual machine. With io_uring an operation
// ends when the kernel posts its completion, but for fio when fio looks for it.
func TestLatencyAgainstFio(t *testing.T) {
	needBPF(t)
	needTools(t, "fio")
	for _, j := range fioJobs {
		if !j.direct || j.rw == "randrw" {
			continue
		}
		t.Run(j.String(), func(t *testing.T) {
			file := workDir(t) + "/data"
			rec, result := runFio(t, j, file, "32m")
			list := rec.operations(file, j.engine == "io_uring" || j.engine == "libaio")
			if len(list) == 0 {
				t.Fatal("no operations recorded")
			}
			compareLatency(t, list, rec.served(file), result.Jobs[0])
		})
	}
}

// served are the times of a file's requests, from when they were queued.
func (r *recording) served(file string) (list []int64) {
	for i := range r.Requests {
		if q := &r.Requests[i]; r.path(q.File) == file {
			list = append(list, q.Completed-q.Queued)
		}
	}
	return list
}

// clockError is how far fio's clock, a counter that it calibrates itself, may be off.
const clockError = 0.02

func compareLatency(t *testing.T, list []operation, requests []int64, job fioJobResult) {
	t.Helper()
	var latency []int64
	for _, o := range list {
		latency = append(latency, o.end-o.start)
	}
	side := job.Read
	if side.IOs == 0 {
		side = job.Write
	}
	if len(requests) == 0 || side.Total.Mean <= 0 {
		t.Fatalf("%d requests of the file, fio's mean is %v", len(requests), side.Total.Mean)
	}
	served, mine := mean(requests), mean(latency)
	if mine < served || mine > side.Total.Mean*(1+clockError) {
		t.Errorf("mean: requests %.0f ns, operations %.0f ns, fio's total %.0f ns; want them in that order",
			served, mine, side.Total.Mean)
	}
	slices.Sort(latency)
	for _, p := range []float64{50, 99} {
		recorded := latency[int(math.Ceil(p/100*float64(len(latency))))-1]
		fio := side.Total.percentile(p)
		t.Logf("p%.0f: recorded %v, fio %v (%+.1f %%), from after submission %v", p, time.Duration(recorded),
			time.Duration(fio), 100*float64(recorded-fio)/float64(fio), time.Duration(side.Latency.percentile(p)))
	}
}

func mean(list []int64) float64 {
	sum := 0.0
	for _, v := range list {
		sum += float64(v)
	}
	return sum / float64(len(list))
}

// What fio reads and writes through a mapping is faults and requests of the file.
func TestMappingsEqualFio(t *testing.T) {
	needBPF(t)
	needTools(t, "fio")
	for _, rw := range []string{"randread", "read", "randwrite"} {
		t.Run(rw, func(t *testing.T) {
			d := newDisk(t, imageSize)
			d.format("ext4")
			file := d.mount("ext4", "") + "/data"
			const size = 8 << 20
			rec, result := runFio(t, fioJob{"mmap", rw, "4k", 1, false, "--end_fsync=1"}, file, "8m")
			covered := map[trace.ReqOp]map[int64]bool{trace.ReqRead: {}, trace.ReqWrite: {}}
			for _, q := range rec.requests(d.id) {
				for _, e := range extents(&q) {
					for off := int64(0); off < e.Bytes && rec.path(e.File) == file; off += 4096 {
						covered[q.Op][e.Offset+off] = true
					}
				}
			}
			op := map[bool]trace.ReqOp{true: trace.ReqWrite, false: trace.ReqRead}[rw == "randwrite"]
			room := rec.unseen(d.id)
			if got := int64(len(covered[op])) * 4096; got > size || got < size-room {
				t.Errorf("%s: %d bytes of the file at the device, want %d; lost requests hold %d at most", op, got, size, room)
			}
			faults := map[int64]int{}
			for _, f := range rec.Faults {
				if rec.path(f.File) == file {
					faults[f.Offset]++
					if f.Offset < 0 || f.Offset >= size || f.Offset%4096 != 0 || f.Duration <= 0 {
						t.Errorf("fault %+v", f)
					}
				}
			}
			ios := result.Jobs[0].Read.IOs + result.Jobs[0].Write.IOs
			// Readahead may stay so far in front of a sequential reader that it never waits.
			if len(faults) == 0 && rw != "read" || len(faults) > ios {
				t.Errorf("%d pages were waited for in %d operations", len(faults), ios)
			}
			t.Logf("%d operations, %d pages waited for", ios, len(faults))
		})
	}
}
