package verdict_test

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// TestRecordings checks what holds for every verdict, on real recordings: shares do not
// overlap, the largest comes first, there are at most ten lines, and evidence is what the
// profile says.
func TestRecordings(t *testing.T) {
	files, err := filepath.Glob("../../testdata/*.iotrace")
	if err != nil || len(files) == 0 {
		t.Fatal("no recordings", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			p, err := analyzer.Analyze(file, analyzer.Options{})
			if err != nil {
				t.Fatal(err)
			}
			check(t, p)
		})
	}
}

func check(t *testing.T, p *profile.Profile) {
	t.Helper()
	v := &p.Verdict
	encoded, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var object any
	if err := json.Unmarshal(encoded, &object); err != nil {
		t.Fatal(err)
	}
	sum, last := 0.0, math.Inf(1)
	for _, c := range v.Causes {
		sum += c.Share
		if c.Share > last || c.Share <= 0 || c.Text == "" || c.Name == "" || len(c.Evidence) == 0 {
			t.Errorf("%+v", c)
		}
		last = c.Share
		for _, e := range c.Evidence {
			if got, ok := resolve(object, e.Pointer); !ok || got != e.Value {
				t.Errorf("%s: evidence %s is %v, the profile says %v", c.Code, e.Pointer, e.Value, got)
			}
		}
	}
	if sum > 1.001 {
		t.Errorf("the shares add up to %v", sum)
	}
}

// resolve finds a number by its JSON pointer.
func resolve(object any, pointer string) (float64, bool) {
	for _, part := range strings.Split(pointer, "/")[1:] {
		switch o := object.(type) {
		case map[string]any:
			object = o[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i >= len(o) {
				return 0, false
			}
			object = o[i]
		}
	}
	v, ok := object.(float64)
	return v, ok
}

// second is the length of the profiles that are made here.
const second = int64(1e9)

// spent is a profile of a second that one thread spent as told, on labels and in states.
func spent(labels, states map[string]int64) *profile.Profile {
	p := &profile.Profile{WallNS: second, DurableNS: second, Command: []string{"true"}}
	p.TimeStack = profile.TimeStack{TotalNS: second, WallNS: second, ThreadNS: states}
	for label, ns := range labels {
		p.TimeStack.Slices = append(p.TimeStack.Slices, profile.StackSlice{Label: label, NS: ns})
	}
	return p
}

func drive(depth float64) profile.Device {
	f := &profile.Flow{Count: 100, Bytes: 100 << 20, Depth: profile.Depth{MeanBusy: depth, BusyNS: second * 9 / 10}}
	f.Size.P50, f.Latency.P50 = 1<<20, second/100
	return profile.Device{Name: "sda", Level: 1, Read: f, BandwidthBusy: 100 << 20}
}

// readInOrder makes a profile one of a file that was read in order through the page cache.
func readInOrder(p *profile.Profile, request int64, consecutive float64) {
	d := drive(1)
	d.Read.Size.P50, d.ReadPattern = request, &profile.AccessPattern{Consecutive: consecutive}
	p.Devices = []profile.Device{d}
	p.Pattern.Modes = &profile.CacheModes{BufferedRead: d.Read.Bytes}
	p.Files = []profile.File{{
		Path: "/file", DeviceRead: d.Read, ReadPattern: &profile.AccessPattern{Class: "sequential", WorkingSet: d.Read.Bytes},
		Cache: &profile.Cache{FilledBytes: d.Read.Bytes},
	}}
}

// blockedInOpen makes a profile of a program that was blocked as it opened a file, on a device that others used.
func blockedInOpen() *profile.Profile {
	p := spent(map[string]int64{"lock": second}, map[string]int64{"blocked_in_call": second})
	p.Devices = []profile.Device{drive(1)}
	p.Devices[0].ID, p.Devices[0].Foreign.Write = "8:0", 1<<30
	p.Files = []profile.File{{Path: "/file", Type: trace.FileRegular, Device: "8:0",
		Ops: []profile.OpCount{{Op: trace.OpOpen, TimeNS: second}}}}
	p.Calls = []profile.Call{{Name: "openat", Op: trace.OpOpen, Count: 1, TimeNS: second}}
	return p
}

func TestCauses(t *testing.T) {
	waiting := func() *profile.Profile {
		return spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
	}
	for _, test := range []struct {
		name string
		p    *profile.Profile
		make func(*profile.Profile)
		want string
		sure string
	}{
		{"one request after another", waiting(), func(p *profile.Profile) { p.Devices = []profile.Device{drive(1)} },
			cause.DeviceLatency, cause.Measured},
		{"always a next request", waiting(), func(p *profile.Profile) { p.Devices = []profile.Device{drive(4)} },
			cause.DeviceBandwidth, cause.Measured},
		{"others on the device", waiting(), func(p *profile.Profile) {
			p.Devices = []profile.Device{drive(4)}
			p.Devices[0].Foreign.Read = 1 << 30
		}, cause.OtherUsers, cause.Likely},
		{"others that the device served at once", waiting(), func(p *profile.Profile) {
			p.Devices = []profile.Device{drive(4)}
			p.Devices[0].Foreign.Read, p.Devices[0].BandwidthBusy = 1<<30, 1<<40
		}, cause.DeviceBandwidth, cause.Measured},
		{"no readahead", waiting(), func(p *profile.Profile) { readInOrder(p, 64<<10, 1) }, cause.Readahead,
			cause.Measured},
		{"a file in pieces", waiting(), func(p *profile.Profile) {
			readInOrder(p, 32<<10, 0.1)
			p.Devices[0].ReadAhead = 128 << 10
		}, cause.Fragmentation, cause.Likely},
		{"a drive, which lies in one piece", waiting(), func(p *profile.Profile) {
			readInOrder(p, 96<<10, 0.1)
			p.Devices[0].ReadAhead, p.Files[0].Type = 256<<10, trace.FileBlock
		}, cause.DeviceLatency, cause.Measured},
		{"direct reads, beside more from memory", waiting(), func(p *profile.Profile) {
			readInOrder(p, 64<<10, 1)
			p.Pattern.Modes.DirectRead, p.Pattern.Modes.BufferedRead = p.Devices[0].Read.Bytes, 1<<30
		}, cause.DeviceLatency, cause.Measured},
		{"read again", waiting(), func(p *profile.Profile) {
			readInOrder(p, 128<<10, 1)
			p.Devices[0].ReadPattern.WorkingSet = 20 << 20
		}, cause.MemoryPressure, cause.Likely},
		{"memory that comes back from swap", waiting(), func(p *profile.Profile) {
			p.Devices = []profile.Device{drive(4)}
			p.Devices[0].SwapRead = p.Devices[0].Read.Bytes * 9 / 10
		}, cause.MemoryPressure, cause.Measured},
		{"timers", spent(map[string]int64{"lock": second}, map[string]int64{"blocked_in_call": second}),
			func(p *profile.Profile) {
				read := &profile.Flow{Count: 50}
				p.Files = []profile.File{{Type: trace.FileAnon, Path: "anon_inode:[timerfd]", Read: read,
					Ops: []profile.OpCount{{Op: trace.OpRead, TimeNS: second}}}}
			}, cause.ThinkTime, cause.Measured},
		{"events", spent(map[string]int64{"lock": second}, map[string]int64{"blocked_in_call": second}),
			func(p *profile.Profile) {
				read := &profile.Flow{Count: 50}
				p.Files = []profile.File{{Type: trace.FileAnon, Path: "anon_inode:inotify", Read: read,
					Ops: []profile.OpCount{{Op: trace.OpRead, TimeNS: second}}}}
			}, cause.OtherEnd, cause.Likely},
		{"a mapped file of a file system that is a process", spent(map[string]int64{"io_wait": second},
			map[string]int64{"waiting_io": second}),
			func(p *profile.Profile) {
				p.Files = []profile.File{{Type: trace.FileRegular, FSType: "fuse.sshfs", Mount: "/far",
					Faults: &profile.FaultCount{Count: 50, TimeNS: second}}}
			}, cause.UserSpaceFS, cause.Measured},
		{"a program that waits for one that sleeps", spent(map[string]int64{"waiting": second},
			map[string]int64{"blocked_in_call": second * 9 / 10}), // not one after the other, though both would fit
			func(*profile.Profile) {}, cause.ThinkTime, cause.Measured},
		{"a device that became slower", waiting(), func(p *profile.Profile) {
			p.Devices = []profile.Device{drive(1)}
			slowingDown(p, 512<<10, 256<<10)
		}, cause.SlowingDown, cause.Likely},
		{"smaller requests later", waiting(), func(p *profile.Profile) {
			p.Devices = []profile.Device{drive(1)}
			slowingDown(p, 512<<10, 255<<10)
		}, cause.DeviceLatency, cause.Measured},
		{"syncs beside another's", spent(map[string]int64{"sync": second}, map[string]int64{"sync_calls": second}),
			func(p *profile.Profile) {
				p.Devices = []profile.Device{drive(1)}
				p.Devices[0].Write, p.Devices[0].Foreign.Write = p.Devices[0].Read, 1<<30
				p.Calls = []profile.Call{{Op: trace.OpSync, Name: "fsync", Count: 10, TimeNS: second}}
			}, cause.OtherUsers, cause.Likely},
		{"syncs beside little of another's", spent(map[string]int64{"sync": second}, map[string]int64{"sync_calls": second}),
			func(p *profile.Profile) {
				p.Devices = []profile.Device{drive(1)}
				p.Devices[0].Write, p.Devices[0].Foreign.Write = p.Devices[0].Read, 1<<30
				p.Devices[0].Write.Depth.BusyNS = second / 20
				p.Trace.Drives = []profile.Drive{{Name: "sda", BusyNS: second / 10}}
				p.Calls = []profile.Call{{Op: trace.OpSync, Name: "fsync", Count: 10, TimeNS: second}}
			}, cause.Sync, cause.Measured},
		{"a directory", waiting(), func(p *profile.Profile) {
			p.Devices = []profile.Device{drive(1)}
			p.Calls = []profile.Call{{Op: trace.OpReaddir, Name: "getdents64", Count: 10, TimeNS: second}}
		}, cause.Names, cause.Measured},
		{"a copy up", waiting(), func(p *profile.Profile) {
			p.Devices = []profile.Device{drive(1)}
			p.Files = []profile.File{{FSType: "overlay", Ops: []profile.OpCount{{Op: trace.OpOpen, TimeNS: second}}}}
		}, cause.CopyUp, cause.Likely},
		{"compression", spent(map[string]int64{"sync": second}, map[string]int64{"sync_calls": second}),
			func(p *profile.Profile) {
				given := &profile.Flow{Bytes: 100 << 20}
				p.Layers = []profile.Layer{{Name: "calls", Write: given}}
				p.Files = []profile.File{{Type: trace.FileRegular, FSType: "btrfs", Mount: "/m", Write: given}}
				p.Amounts.Filesystems = []profile.Amount{{Name: "/m", FSType: "btrfs", Write: profile.Moved{
					Spared: []profile.Part{{Code: profile.Compressed, Bytes: 90 << 20}}}}}
			}, cause.Compression, cause.Likely},
		{"a lock on a range", spent(map[string]int64{"lock": second}, map[string]int64{"blocked_in_call": second}),
			func(p *profile.Profile) {
				p.Calls = []profile.Call{{Op: trace.OpFcntl, Name: "fcntl", Count: 1, TimeNS: second}}
			}, cause.BlockedInCall, cause.Measured},
		{"threads that others keep from running", spent(map[string]int64{"cpu": second},
			map[string]int64{"running": second / 2, "ready": 3 * second}),
			func(p *profile.Profile) { p.Trace.CPUs = 2 }, cause.CPUContention, cause.Measured},
		{"threads that keep each other from running", spent(map[string]int64{"cpu": second},
			map[string]int64{"running": 2 * second, "ready": 6 * second}),
			func(p *profile.Profile) { p.Trace.CPUs = 2 }, cause.OwnCPU, cause.Measured},
		{"a processor that wakes up", spent(map[string]int64{"ready": second}, map[string]int64{"waking": second}),
			func(p *profile.Profile) { p.TimeStack.WakingNS = second }, cause.WakeUp, cause.Likely},
		{"a processor that others keep", spent(map[string]int64{"ready": second}, map[string]int64{"ready": second}),
			nil, cause.CPUContention, cause.Measured},
		{"a quota", spent(map[string]int64{"cpu": second}, map[string]int64{"running": second / 10, "ready": second}),
			func(p *profile.Profile) {
				p.Trace.Processors = &profile.Processors{Held: []profile.Held{{Group: "/batch", TimeNS: second * 8 / 10}}}
			}, cause.CPUQuota, cause.Measured},
		{"a quota that held for less than others ran", spent(map[string]int64{"cpu": second},
			map[string]int64{"running": second / 10, "ready": second}),
			func(p *profile.Profile) {
				p.Trace.Processors = &profile.Processors{Held: []profile.Held{{Group: "/batch", TimeNS: second / 10}}}
			}, cause.CPUContention, cause.Measured},
		{"a busy host", spent(map[string]int64{"cpu": second}, map[string]int64{"running": second}),
			func(p *profile.Profile) {
				p.Processes = []profile.Process{{CPUNS: second / 10}}
				p.Trace.Processors = &profile.Processors{BusyNS: second / 10, StolenNS: second * 8 / 10}
			}, cause.StolenCPU, cause.Likely},
		{"a busy host, where others ran as well", spent(map[string]int64{"cpu": second}, map[string]int64{"running": second}),
			func(p *profile.Profile) {
				p.Processes = []profile.Process{{CPUNS: second / 10}}
				p.Trace.Processors = &profile.Processors{BusyNS: second, StolenNS: second / 2}
			}, cause.CPUContention, cause.Measured},
		{"mapped files", waiting(), func(p *profile.Profile) {
			p.Files = []profile.File{{Path: "/model", Faults: &profile.FaultCount{Count: 10, TimeNS: second}}}
		}, cause.MappedReads, cause.Measured},
		{"libraries", waiting(), func(p *profile.Profile) {
			p.Files = []profile.File{{Path: "/lib/libc.so.6", Faults: &profile.FaultCount{Count: 10, TimeNS: second}}}
		}, cause.ProgramStart, cause.Measured},
		{"copying while the device reads ahead", spent(map[string]int64{"device_read": second},
			map[string]int64{"data_calls": second}),
			func(p *profile.Profile) { p.Devices = []profile.Device{drive(2)} }, cause.PageCache, cause.Measured},
		{"direct calls copy nothing", spent(map[string]int64{"page_cache": second},
			map[string]int64{"data_calls": second}),
			func(p *profile.Profile) { p.Pattern.Modes = &profile.CacheModes{DirectRead: 2, BufferedRead: 1} },
			cause.OwnCPU, cause.Likely},
		{"nothing at the device", spent(map[string]int64{"io_wait": second}, map[string]int64{"waiting_io": second}), nil,
			cause.LimitAbove, cause.Likely},
		{"no processor", spent(map[string]int64{"cpu": second}, map[string]int64{"running": second}),
			func(p *profile.Profile) {
				p.Processes = []profile.Process{{CPUNS: second / 10}}
			}, cause.CPUContention, cause.Measured},
		{"computing", spent(map[string]int64{"cpu": second}, map[string]int64{"running": second}),
			func(p *profile.Profile) { p.Processes = []profile.Process{{CPUNS: second}} }, cause.OwnCPU, cause.Measured},
		{"byte by byte", spent(map[string]int64{"page_cache": second / 4, "cpu": second * 3 / 4},
			map[string]int64{"data_calls": second / 4, "running": second * 3 / 4}), func(p *profile.Profile) {
			f := &profile.Flow{Count: 100_000, Bytes: 100_000}
			f.Size.P50 = 1
			p.Layers = []profile.Layer{{Name: "calls", Read: f}}
			p.Pattern.Think = profile.Dist{Count: 100_000, P50: 2_000, Sum: second / 2}
			p.Processes = []profile.Process{{CPUNS: second}}
		}, cause.SmallCalls, cause.Likely},
		{"discards", spent(map[string]int64{"device_other": second}, map[string]int64{"waiting_io": second}),
			func(p *profile.Profile) {
				p.Devices = []profile.Device{{Name: "sda", Level: 1, Discard: drive(1).Read}}
			}, cause.Discards, cause.Measured},
		{"a FUSE file system", spent(map[string]int64{"lock": second}, map[string]int64{"blocked_in_call": second}),
			func(p *profile.Profile) {
				p.Files = []profile.File{{FSType: "fuse.sshfs", Ops: []profile.OpCount{{Op: trace.OpWrite, TimeNS: second}}}}
			}, cause.UserSpaceFS, cause.Measured},
		{"others on the device below a file system", blockedInOpen(), nil, cause.OtherUsers, cause.Likely},
		{"others on it for a moment", blockedInOpen(), func(p *profile.Profile) {
			p.Trace.Drives = []profile.Drive{{Name: "sda", BusyNS: second / 10}}
		}, cause.BlockedInCall, cause.Open},
		{"a pipe", spent(map[string]int64{"lock": second}, map[string]int64{"blocked_in_call": second}),
			func(p *profile.Profile) {
				p.Files = []profile.File{{Type: trace.FilePipe, Ops: []profile.OpCount{{Op: trace.OpRead, TimeNS: second}}}}
			}, cause.OtherEnd, cause.Likely},
		{"a pipeline that others keep from running", spent(map[string]int64{"lock": second},
			map[string]int64{"blocked_in_call": second, "running": second / 10, "ready": second}),
			func(p *profile.Profile) {
				p.Files = []profile.File{{Type: trace.FilePipe, Processes: []uint32{1, 2},
					Ops: []profile.OpCount{{Op: trace.OpRead, TimeNS: second}}}}
			}, cause.CPUContention, cause.Measured},
		{"a pipeline whose first part is slow", spent(map[string]int64{"lock": second},
			map[string]int64{"blocked_in_call": second, "running": second / 100, "ready": second / 50}),
			func(p *profile.Profile) {
				p.Files = []profile.File{{Type: trace.FilePipe, Processes: []uint32{1, 2},
					Ops: []profile.OpCount{{Op: trace.OpRead, TimeNS: second}}}}
			}, cause.OtherEnd, cause.Likely},
		{"held back by the kernel", spent(map[string]int64{"throttled": second}, map[string]int64{"throttled": second}), nil,
			cause.DirtyLimit, cause.Measured},
		{"nothing at all", spent(map[string]int64{"waiting": second}, map[string]int64{"running": 1}), nil,
			cause.ThinkTime, cause.Measured},
		{"no waits recorded", spent(map[string]int64{"page_cache": second}, map[string]int64{"data_calls": second}),
			func(p *profile.Profile) {
				p.Trace.Limits = []profile.Limit{{Code: "no_waits"}}
			}, cause.OutsideOfCalls, cause.Open},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.make != nil {
				test.make(test.p)
			}
			v := verdict.Judge(test.p)
			if len(v.Causes) == 0 || v.Causes[0].Code != test.want || !sure(&v.Causes[0], test.sure) {
				t.Errorf("%+v, want %s (%s)", v.Causes, test.want, test.sure)
			}
		})
	}
}

// A name that is taken again and again is told of.
func TestTaken(t *testing.T) {
	p := spent(map[string]int64{"waiting": second}, map[string]int64{"running": 1})
	p.Calls = []profile.Call{{Op: trace.OpSymlink, Name: "symlinkat", Count: 90, Errors: 80,
		Errno: map[trace.Errno]int64{trace.ErrExists: 80}}}
	if v := verdict.Judge(p); !strings.Contains(v.Causes[0].Text, "80 symlinkat calls found the name taken") {
		t.Errorf("%q", v.Causes[0].Text)
	}
	p.OpFiles = []profile.OpFiles{{Op: trace.OpSymlink, Calls: 90, Files: 40, UnderFiles: 40}}
	if v := verdict.Judge(p); strings.Contains(v.Causes[0].Text, "lock") {
		t.Errorf("names that are there: %q", v.Causes[0].Text)
	}
}

// A profile in which no time passed has nothing to say.
func TestNothing(t *testing.T) {
	if v := verdict.Judge(&profile.Profile{}); len(v.Causes) > 0 {
		t.Errorf("%+v", v)
	}
}

// TestDiskBeneath copies from a disk to a file system in an image on it: the disk that
// the source lies on was waited for, although a loop device is above it.
func TestDiskBeneath(t *testing.T) {
	p := spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
	disk, loop := drive(1), drive(1)
	disk.Level, disk.DirectRead = 2, disk.Read.Bytes
	disk.Foreign.Write = 100 << 20 // the image: what the loop device wrote, once more
	loop.Name, loop.Layer, loop.Parents, loop.Read, loop.Write = "loop0", "loop", []string{disk.Name}, nil, loop.Read
	p.Devices = []profile.Device{loop, disk}
	v := verdict.Judge(p)
	if len(v.Causes) != 1 || v.Causes[0].Code != cause.DeviceLatency || !sure(&v.Causes[0], cause.Measured) ||
		v.Causes[0].Name != "sda read" {
		t.Errorf("%+v, want that sda was read from", v.Causes)
	}
	p.Devices[1].DirectRead = 0
	if v := verdict.Judge(p); len(v.Causes) != 1 || !sure(&v.Causes[0], cause.Likely) {
		t.Errorf("%+v, want no disk to be named: what it read was for the device above it", v.Causes)
	}
}

// slowingDown has a device read 50 MB at 500 MB/s, and 90 MB at 100 MB/s, by requests of two sizes.
func slowingDown(p *profile.Profile, before, after int64) {
	p.ChangePoints = []profile.Step{{Series: "device read", Device: "sda", AtBytes: 50e6, Ratio: 0.2, Before: 500e6,
		After: 100e6}}
	p.Phases = []profile.Phase{
		{Series: "device read", Device: "sda", ToBytes: 50e6, BusyRate: 500e6, Operation: before},
		{Series: "device read", Device: "sda", FromBytes: 50e6, ToBytes: 140e6, BusyRate: 100e6, Operation: after},
	}
}
