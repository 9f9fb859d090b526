package main

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/backends"
)

// fakeBackend records nothing and tells of a few events, always the same, on
// files with names that are hard to print.
var fakeBackend = backends.Backend{
	Name:  "fake",
	About: "a few events that never happened",
	Open:  func(int) (tracer.Source, error) { return &fakeSource{}, nil },
	Probe: func() []tracer.Check {
		return []tracer.Check{
			{Name: "imagination", OK: true, Required: true, Found: "plenty"},
			{Name: "reality", Found: "none", Remedy: "use another backend"},
		}
	},
}

// fakeSource has a clock that stands until it tells of its events, which are the first that happens.
type fakeSource struct {
	start  atomic.Pointer[time.Time]
	launch uint32
}

func (f *fakeSource) Name() string                { return "fake" }
func (f *fakeSource) Calls() []string             { return []string{"openat", "pread64", "copy_file_range"} }
func (f *fakeSource) Attach(s tracer.Scope) error { f.launch = s.Launch; return nil }
func (f *fakeSource) Limits() []trace.Limit       { return nil }
func (f *fakeSource) Written() []trace.File       { return nil }
func (f *fakeSource) Stats() tracer.Stats         { return tracer.Stats{} }
func (f *fakeSource) Close() error                { return nil }

func (f *fakeSource) Now() int64 {
	if start := f.start.Load(); start != nil {
		return int64(time.Since(*start))
	}
	return 0
}

// noProcess is the number of none: it is above the highest that Linux gives (PID_MAX_LIMIT).
const noProcess = 1<<22 + 1

// hostile are the names of the files.
var hostile = []string{"/data/plain", "/data/two\nlines", "/data/</script>\x1b[31m\xff\u202e"}

func (f *fakeSource) Record(ctx context.Context, sink trace.Sink) error {
	start := time.Now()
	f.start.Store(&start)
	for i, path := range hostile {
		if err := sink.File(&trace.File{Time: 100, ID: trace.FileID(i + 1), Path: path, Device: trace.MakeDeviceID(8, 1),
			Inode: uint64(i + 10),
			Size:  8192, Type: trace.FileRegular, FSType: "ext4", Mount: "/data"}); err != nil {
			return err
		}
	}
	if err := sink.Device(&trace.Device{Time: 100, ID: trace.MakeDeviceID(8, 1), Name: "sda1", Size: 1 << 30,
		LogicalBlock: 512, PhysicalBlock: 4096}); err != nil {
		return err
	}
	for _, tell := range []func() error{
		func() error {
			return sink.Syscall(&trace.Syscall{Start: 1000, Duration: 500, PID: 7, TID: 7, Op: trace.OpOpen, Call: 0,
				Flags: trace.FlagRead | trace.FlagDirect,
				FD:    -1, FD2: -1, File: 1, Offset: trace.NoOffset, Offset2: trace.NoOffset, Result: 3})
		},
		func() error {
			return sink.Syscall(&trace.Syscall{Start: 2000, Duration: 12345, PID: 7, TID: 8, Op: trace.OpRead, Call: 1, FD: 3,
				FD2: -1, File: 1,
				Offset: 4096, Offset2: trace.NoOffset, Requested: 8192, Result: 4096, Filled: 4096})
		},
		func() error {
			return sink.Syscall(&trace.Syscall{Start: 15000, Duration: 1000, PID: 7, TID: 7, Op: trace.OpCopyRange, Call: 2,
				FD: 3, FD2: 4, File: 2,
				File2: 3, Offset: 0, Offset2: 4096, Requested: 1 << 20, Result: -28})
		},
		func() error {
			return sink.Fault(&trace.Fault{Start: 17000, Duration: 50, PID: 7, TID: 7, File: 9, Offset: 0, Filled: 4096})
		},
		func() error {
			return sink.Request(&trace.Request{Queued: 3000, Issued: 4000, Completed: 20000, Device: trace.MakeDeviceID(8, 1),
				Sector: 2048, Bytes: 8192,
				Op: trace.ReqRead, Flags: trace.ReqSync | trace.ReqMeta, PID: 7, TID: 8, Owner: 7, File: 1, Offset: 4096,
				Evidence: trace.EvidenceInode,
				Bios:     2, More: []trace.Extent{{File: 2, Offset: 0, Bytes: 4096}}})
		},
		func() error {
			return sink.AsyncOp(&trace.AsyncOp{Submit: 20000, Complete: 21000, PID: 7, TID: 7, API: trace.APIUring,
				Op: trace.OpWrite, File: 3, Offset: 0,
				Requested: 512, Result: 512})
		},
		func() error {
			return sink.Wait(&trace.Wait{Start: 20000, Duration: 2000, PID: 7, TID: 7, Cause: trace.WaitThrottle})
		},
		func() error {
			return sink.Process(&trace.Process{Time: 23000, Action: trace.ProcessExec, PID: noProcess, TID: noProcess,
				Parent: 1, Command: "cp", Args: "cp\x00a b\x00", Exe: "/bin/cp"})
		},
		func() error {
			return sink.Lost(&trace.Lost{From: 10000, To: 24000, Count: 12, Kind: trace.KindSyscall, CPU: 1})
		},
	} {
		if err := tell(); err != nil {
			return err
		}
	}
	for tick := time.NewTicker(time.Millisecond); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return nil
		case <-tick.C:
			if f.launch != 0 && exited(f.launch) {
				pid := f.launch
				f.launch = 0
				if err := sink.Process(&trace.Process{Time: f.Now(), Action: trace.ProcessExit, PID: pid, TID: pid,
					Command: "sh"}); err != nil {
					return err
				}
			}
		}
	}
}
