package tracefile

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// A workload generates events the way real programs do, to measure size and
// speed.
type workload struct {
	name string
	next func(rng *rand.Rand, i int, s *trace.Syscall)
}

// workloads all call with noisy durations and pauses; they differ in what is
// predictable.
func workloads() []workload {
	var now int64
	pause := func(rng *rand.Rand, s *trace.Syscall) {
		s.Duration = 100 + rng.Int64N(300)
		now += 200 + rng.Int64N(500)
		s.Start = now
		now += s.Duration
	}
	var at [64]int64
	return []workload{
		{"storm", func(rng *rand.Rand, i int, s *trace.Syscall) {
			*s = trace.Syscall{PID: 4711, TID: 4711, Op: trace.OpRead + trace.Op(i&1), Call: uint16(i & 1),
				FD: int32(i & 1), FD2: -1, File: trace.FileID(1 + i&1), Offset: int64(i/2) * 512, Offset2: trace.NoOffset,
				Requested: 512, Result: 512}
			s.Duration = 100 + rng.Int64N(300)
			s.Start = now
			now += 300 + rng.Int64N(600)
		}},
		{"threads", func(rng *rand.Rand, i int, s *trace.Syscall) {
			t := rng.IntN(16)
			n := 4096 << rng.IntN(3)
			*s = trace.Syscall{PID: 4711, TID: uint32(4711 + t), Op: trace.OpRead, FD: int32(3 + t), FD2: -1,
				File: trace.FileID(1 + t), Offset: at[t], Offset2: trace.NoOffset, Requested: int64(n), Result: int64(n),
				Filled: int64(rng.IntN(2) * n)}
			at[t] += int64(n)
			pause(rng, s)
		}},
		{"random", func(rng *rand.Rand, i int, s *trace.Syscall) {
			*s = trace.Syscall{PID: 4711, TID: uint32(4711 + rng.IntN(8)), Op: trace.OpRead,
				Flags: trace.FlagDirect | trace.FlagPositioned, FD: 3, FD2: -1, File: 1, Offset: 4096 * rng.Int64N(1<<20),
				Offset2: trace.NoOffset, Requested: 4096, Result: 4096}
			pause(rng, s)
		}},
		{"files", func(rng *rand.Rand, i int, s *trace.Syscall) {
			// open, fstat, read, read, write, close of ever new files
			file := trace.FileID(1 + i/6)
			*s = trace.Syscall{PID: 4711, TID: 4711, FD: 3, FD2: -1, File: file, Offset: trace.NoOffset, Offset2: trace.NoOffset}
			switch i % 6 {
			case 0:
				s.Op, s.Call, s.FD, s.Result, s.Flags = trace.OpOpen, 2, -1, 3, trace.FlagRead
			case 1:
				s.Op, s.Call = trace.OpStat, 5
			case 2:
				s.Op, s.Offset, s.Requested, s.Result = trace.OpRead, 0, 131072, rng.Int64N(20000)
				at[0] = s.Result
			case 3:
				s.Op, s.Offset, s.Requested, s.Result = trace.OpRead, at[0], 131072, 0
			case 4:
				s.Op, s.Call, s.Offset, s.Requested, s.Result = trace.OpWrite, 1, 0, at[0], at[0]
			case 5:
				s.Op, s.Call = trace.OpClose, 3
			}
			pause(rng, s)
		}},
	}
}

// benchEvents is the number of events in a benchmark's trace.
const benchEvents = 1 << 20

func generate(w workload) []trace.Syscall {
	rng := rand.New(rand.NewPCG(1, 2))
	all := make([]trace.Syscall, benchEvents)
	for i := range all {
		w.next(rng, i, &all[i])
	}
	return all
}

type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// BenchmarkWriter measures both goroutines of the writer: run it with -cpu 1
// for the cost per core.
func BenchmarkWriter(b *testing.B) {
	for _, w := range workloads() {
		events := generate(w)
		b.Run(w.name, func(b *testing.B) {
			var size counter
			for b.Loop() {
				size = 0
				writeAll(b, &size, events)
			}
			b.ReportMetric(float64(size)/benchEvents, "B/event")
			b.ReportMetric(benchEvents*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
		})
	}
}

func writeAll(t testing.TB, out io.Writer, events []trace.Syscall) {
	w, err := NewWriter(out, trace.Header{Tool: "iotrace"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range events {
		if err := w.Syscall(&events[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(trace.End{}); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkReader(b *testing.B) {
	for _, w := range workloads() {
		var file bytes.Buffer
		writeAll(b, &file, generate(w))
		b.Run(w.name, func(b *testing.B) {
			var batch trace.Batch
			b.ReportAllocs()
			for b.Loop() {
				r, err := NewReader(bytes.NewReader(file.Bytes()))
				if err != nil {
					b.Fatal(err)
				}
				n := 0
				for r.Next(&batch) == nil {
					n += batch.Len()
				}
				if n != benchEvents {
					b.Fatalf("%d events", n)
				}
			}
			b.ReportMetric(benchEvents*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
		})
	}
}

func BenchmarkInOrder(b *testing.B) {
	batch := new(trace.Batch)
	rng := rand.New(rand.NewPCG(1, 2))
	load := workloads()[0]
	for i := range MaxRows {
		var s trace.Syscall
		load.next(rng, i, &s)
		batch.Syscalls = append(batch.Syscalls, s)
		if i%4 == 0 {
			batch.Requests = append(batch.Requests, trace.Request{Completed: s.End() + rng.Int64N(100)})
		}
	}
	b.ReportAllocs()
	var sum int64
	for b.Loop() {
		for e := range batch.InOrder() {
			sum += e.Time
		}
	}
	b.ReportMetric(float64(batch.Len())*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
}
