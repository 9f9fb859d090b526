package analyzer

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// generate writes a trace of n events: four threads that read, write and stat
// 500 files, with a block request, a wait or a fault among them now and then.
func generate(b testing.TB, n int) string {
	path := filepath.Join(b.TempDir(), "generated.iotrace")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	w, err := tracefile.NewWriter(f, trace.Header{Backend: "ebpf", OS: "linux", CPUs: 4, Command: []string{"generate"},
		Calls: []string{"read", "write"}})
	if err != nil {
		b.Fatal(err)
	}
	const files = 500
	for i := range files {
		w.File(&trace.File{ID: trace.FileID(i + 1), Path: "/data/" + strconv.Itoa(i), Device: ext4, Inode: uint64(i + 10),
			Type: trace.FileRegular, FSType: "ext4"})
	}
	w.Device(&trace.Device{ID: nvme, Name: "nvme0n1"})
	w.Process(&trace.Process{Action: trace.ProcessExec, PID: 100, TID: 100})
	at := make([]int64, files)
	seed := uint64(1)
	for i := range n {
		now := int64(i) * 1000
		seed = measure.Mix(seed)
		tid := uint32(100 + i&3)
		file := int(seed>>40) % 8
		if seed&0xff == 0 {
			file = int(seed>>48) % files
		}
		switch k := seed >> 32 % 16; {
		case k < 7:
			w.Syscall(&trace.Syscall{Start: now - 3000, Duration: 2000 + int64(seed%1000), PID: 100, TID: tid, Op: trace.OpRead,
				File: trace.FileID(file + 1), Offset: at[file], Requested: 4096, Result: 4096})
			at[file] += 4096
		case k < 12:
			w.Syscall(&trace.Syscall{Start: now - 3000, Duration: 2000 + int64(seed%1000), PID: 100, TID: tid, Op: trace.OpWrite,
				Call: 1, File: trace.FileID(file + 1), Offset: int64(seed>>20) % (1 << 30), Requested: 8192, Result: 8192})
		case k < 13:
			w.Syscall(&trace.Syscall{Start: now - 1000, Duration: 500, PID: 100, TID: tid, Op: trace.OpStat,
				File: trace.FileID(file + 1)})
		case k < 15:
			r := trace.Request{Queued: now - 90_000, Issued: now - 80_000, Completed: now, Device: nvme, Sector: seed >> 30,
				Bytes: 65536, Op: trace.ReqRead, File: trace.FileID(file + 1), Offset: at[file], Evidence: trace.EvidenceInode,
				Bios: 2, PID: 100}
			w.Request(&r)
		default:
			w.Wait(&trace.Wait{Start: now - 2500, Duration: 1000, PID: 100, TID: tid, Cause: trace.WaitIO})
		}
	}
	if err := w.Close(trace.End{Duration: int64(n) * 1000, CommandEnd: int64(n) * 1000, Durable: -1,
		Reason: "exit"}); err != nil {
		b.Fatal(err)
	}
	return path
}

// BenchmarkAnalyze reports events per second, end to end, and the memory that
// was taken from the system. IOTRACE_BENCH_EVENTS sets how many events
// (default 1,000,000).
func BenchmarkAnalyze(b *testing.B) {
	n := 1_000_000
	if s, err := strconv.Atoi(os.Getenv("IOTRACE_BENCH_EVENTS")); err == nil {
		n = s
	}
	path := generate(b, n)
	b.ResetTimer()
	before := processorTime(b)
	for range b.N {
		if _, err := Analyze(path, Options{Charts: true}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
	// What a loaded machine cannot spoil:
	b.ReportMetric(float64(processorTime(b)-before)/float64(n)/float64(b.N), "cpu-ns/event")
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.Sys)/(1<<20), "MiB")
}

func processorTime(b *testing.B) int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return syscall.TimevalToNsec(u.Utime) + syscall.TimevalToNsec(u.Stime)
}
