package tables

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// BenchmarkWrite writes the tables of a trace whose events are reads and writes of
// eight threads, and a request for each eighth of them.
func BenchmarkWrite(b *testing.B) {
	const events = 1 << 20
	var file bytes.Buffer
	w, err := tracefile.NewWriter(&file, trace.Header{OS: "linux", Calls: []string{"pread64", "pwrite64"}})
	if err != nil {
		b.Fatal(err)
	}
	_, _ = w.File(&trace.File{ID: 1, Path: "/data"}), w.Device(&trace.Device{ID: 1, Name: "vda"})
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range int64(events) {
		at := i*1000 + rng.Int64N(1000)
		if i%9 == 8 {
			err = w.Request(&trace.Request{Queued: at, Issued: at + 100, Completed: at + 100 + rng.Int64N(50_000), Device: 1,
				Sector: rng.Uint64N(1 << 30), Bytes: 4096, Op: trace.ReqRead, PID: 7, TID: 7, File: 1, Offset: i << 12, Bios: 1})
		} else {
			write := rng.IntN(3) / 2
			err = w.Syscall(&trace.Syscall{Start: at, Duration: rng.Int64N(20_000), PID: 7, TID: uint32(7 + i%8),
				Op: trace.OpRead + trace.Op(write), Call: uint16(write), FD: 3, FD2: -1, File: 1,
				Offset: rng.Int64N(1<<20) << 12, Offset2: trace.NoOffset, Requested: 4096, Result: 4096, Buffer: 0x7fff0000})
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(trace.End{Duration: events * 2000}); err != nil {
		b.Fatal(err)
	}
	var written size
	outputs := make([]io.Writer, len(tables))
	for i := range outputs {
		outputs[i] = &written
	}
	for _, f := range []Format{Parquet, CSV} {
		written = 0
		b.Run(string(f), func(b *testing.B) {
			for b.Loop() {
				r, err := tracefile.NewReader(bytes.NewReader(file.Bytes()))
				if err == nil {
					err = f.Write(outputs, r, "t", "", func() (*profile.Profile, error) { return &profile.Profile{}, nil })
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(events*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
			b.ReportMetric(float64(written)/events/float64(b.N), "B/event")
		})
	}
}

// size counts bytes.
type size int64

func (s *size) Write(p []byte) (int, error) {
	*s += size(len(p))
	return len(p), nil
}
