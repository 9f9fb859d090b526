package analyzer

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/copies"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// throttled writes n MiB by calls of 1 MiB that take a noisy time each; from
// MiB slow on they take four times as long. The device works as long as the
// calls do.
func throttled(t testing.TB, n, slow int, noise float64, seed uint64) *scene {
	r := rand.New(rand.NewPCG(seed, 1))
	s := newScene(t, "dd")
	b := s.create("/dst/b")
	for i := range n {
		d := float64(8*ms) * math.Exp(noise*r.NormFloat64())
		if i >= slow {
			d *= 4
		}
		s.request(trace.ReqWrite, b, int64(i)*MiB, MiB, s.now+10*us, s.now+int64(d)-10*us)
		s.write(b, int64(i)*MiB, MiB, int64(d))
		s.think(20 * us)
	}
	s.returns()
	return s
}

// TestThrottledDrive: a fall to a quarter is found at its place, whatever the
// noise; without a fall nothing is found.
func TestThrottledDrive(t *testing.T) {
	const n, slow = 480, 300
	for seed := range uint64(20) {
		noise := []float64{.05, .2, .5}[seed%3]
		p := throttled(t, n, slow, noise, seed).profile()
		series := []string{}
		for _, c := range p.ChangePoints {
			series = append(series, c.Series)
			chunk := p.Phases[0].Chunk
			if off := c.AtBytes - slow*MiB; max(off, -off) > 2*chunk || c.Ratio > .4 || c.Ratio < .15 || len(c.Parts) == 0 {
				t.Errorf("seed %d: %+v, chunks of %d", seed, c, chunk)
			}
			if c.Device != "" && !c.DeviceToo {
				t.Errorf("seed %d: the device was slower, which was not noticed", seed)
			}
		}
		if !slices.Equal(series, []string{"call write", "device write"}) {
			t.Errorf("seed %d: steps in %v", seed, series)
		}
		if p := throttled(t, n, n, noise, seed+100).profile(); len(p.ChangePoints) != 0 {
			t.Errorf("seed %d: steps where there is none: %+v", seed, p.ChangePoints)
		}
	}
}

// TestBurstsHideNoStep: a rate limit lets bursts through; the step is there all
// the same.
func TestBurstsHideNoStep(t *testing.T) {
	s := newScene(t, "dd")
	b := s.create("/dst/b")
	for i := range 512 {
		s.write(b, int64(i)*MiB, MiB, 150*us)
		if every := 16; i%every == every-1 {
			pause := 100 * ms
			if i >= 256 {
				pause = 300 * ms
			}
			s.think(pause)
		}
	}
	p := s.finish()
	if len(p.ChangePoints) != 1 || p.ChangePoints[0].AtBytes < 240*MiB || p.ChangePoints[0].AtBytes > 272*MiB {
		t.Errorf("%+v", p.ChangePoints)
	}
}

// TestStepsSayWhatTheTimeWentTo: the time of the same bytes is four times as long, and all of the difference is the
// device's.
func TestStepsSayWhatTheTimeWentTo(t *testing.T) {
	for _, c := range throttled(t, 480, 300, .1, 1).profile().ChangePoints {
		longer := c.AfterNS - c.BeforeNS
		if longer < 2*c.BeforeNS || len(c.Parts) != 1 || c.Parts[0].Label != "device_write" || c.Parts[0].Text == "" ||
			math.Abs(float64(c.Parts[0].AfterNS-c.Parts[0].BeforeNS)/float64(longer)-1) > .05 {
			t.Errorf("%s: %d to %d ns, %+v", c.Series, c.BeforeNS, c.AfterNS, c.Parts)
		}
		if c.SizeBefore != MiB || c.SizeAfter != MiB || c.DirectAfter != c.DirectBefore || c.OthersAfter != 0 {
			t.Errorf("%s: %+v, and nothing else changed", c.Series, c)
		}
	}
}

// TestLimitAboveTheDevice: requests of a millisecond, and a limit that makes
// each of them wait, from the middle on three times as long. The device is not
// what became slower; all curves show one step, which is told once.
func TestLimitAboveTheDevice(t *testing.T) {
	s := newScene(t, "dd")
	b := s.create("/dst/b")
	for i := range int64(120) {
		held := 24 * ms
		if i >= 60 {
			held = 74 * ms
		}
		s.wait(trace.WaitIO, s.now, s.now+held+ms)
		s.request(trace.ReqWrite, b, i*MiB, MiB, s.now+held, s.now+held+ms-2*us).Flags = trace.ReqDirect
		s.call(trace.Syscall{Op: trace.OpWrite, Call: 1, File: b, Offset: i * MiB, Requested: MiB, Result: MiB,
			Flags: trace.FlagWrite | trace.FlagDirect}, held+ms)
	}
	p := s.finish()
	if len(p.ChangePoints) != 2 {
		t.Fatalf("%+v", p.ChangePoints)
	}
	for _, c := range p.ChangePoints {
		if c.AtBytes != 60*MiB || c.DeviceToo {
			t.Errorf("%s: at %d bytes, the device too: %v", c.Series, c.AtBytes, c.DeviceToo)
		}
		if len(c.Parts) == 0 || c.Parts[0].Label != "io_wait" && c.Parts[0].Label != "queued" {
			t.Errorf("%s: %+v", c.Series, c.Parts)
		}
	}
	told := 0
	for _, o := range p.Observations {
		if o.Code == "step" {
			told++
			if !strings.Contains(o.Text, "call write and device write of nvme0n1") {
				t.Error(o.Text)
			}
		}
	}
	if told != 1 {
		t.Errorf("the step was told %d times", told)
	}
}

func TestPatterns(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for class, next := range map[string]func(i int64) int64{
		"sequential":        func(i int64) int64 { return i * 4096 },
		"mostly_sequential": func(i int64) int64 { return i*4096 + i/4*1_000_000 },
		"strided":           func(i int64) int64 { return i * 65536 },
		"random":            func(int64) int64 { return r.Int64N(1<<30) &^ 4095 },
		"interleaved":       func(i int64) int64 { return i%4*(1<<30) + i/4*4096 },
		"single":            func(int64) int64 { return 0 },
	} {
		s := newScene(t, "x")
		f := s.file("/f", 8<<30)
		n := int64(200)
		if class == "single" {
			n = 1
		}
		for i := range n {
			s.read(f, next(i), 4096, us)
		}
		p := s.finish().Files[0].ReadPattern
		if p.Class != class || p.Accesses != n {
			t.Errorf("%s: %+v", class, p)
		}
		switch class {
		case "strided":
			if p.Stride != 61440 || p.StrideShare != 1 {
				t.Errorf("stride %d, working set %d", p.Stride, p.WorkingSet)
			}
		case "interleaved":
			if p.Streams != 4 || p.Run.Max != 50*4096 {
				t.Errorf("%d streams, runs to %d bytes", p.Streams, p.Run.Max)
			}
		case "random":
			if !p.Coarse || math.Abs(float64(p.WorkingSet)/(200*4096)-1) > .05 {
				t.Errorf("working set %d, estimated: %v", p.WorkingSet, p.Coarse)
			}
		}
	}
}

// TestSizeTime recovers the cost per file and the speed it was built with.
func TestSizeTime(t *testing.T) {
	s := newScene(t, "cp")
	for i := range int64(40) {
		n := (i%8 + 1) * 512 * KiB
		a := s.file("/src/"+string(rune('a'+i)), n)
		b := s.create("/dst/" + string(rune('a'+i)))
		s.read(a, 0, n, 100*us+n/4) // 2 GB/s each way, and 200 µs a file
		s.write(b, 0, n, 100*us+n/4)
	}
	f := s.finish().SizeTime
	if f == nil || f.What != "copy" || f.Files != 40 {
		t.Fatalf("%+v", f)
	}
	if math.Abs(float64(f.TheilSen.Rate)/2e9-1) > .01 || math.Abs(float64(f.PerFileCost)/float64(200*us)-1) > .01 ||
		f.OLS.RateLow > f.OLS.Rate {
		t.Errorf("%+v", f)
	}
}

// TestColdAndWarmLaunch: the same program, once from the disk, once from memory.
func TestColdAndWarmLaunch(t *testing.T) {
	for _, cold := range []bool{true, false} {
		s := newScene(t, "app")
		lib, data := s.file("/usr/lib/libapp.so", 4*MiB), s.file("/data", MiB)
		for i := range int64(20) {
			if cold {
				s.request(trace.ReqRead, lib, i*128*KiB, 128*KiB, s.now+10*us, s.now+900*us)
				s.wait(trace.WaitIO, s.now+5*us, s.now+950*us)
				s.put(s.now+960*us, &trace.Fault{Start: s.now, Duration: 960 * us, PID: 100, TID: 100, File: lib,
					Offset: i * 128 * KiB, Filled: 128 * KiB})
			}
			s.think(ms)
		}
		s.read(data, 0, MiB, 100*us)
		s.wait(trace.WaitOther, s.now+ms, s.now+3000*ms)
		s.think(3001 * ms)
		l := s.finish().Launches
		if len(l) != 1 || l[0].Until != "quiet" || l[0].ReadBytes != MiB {
			t.Fatalf("cold %v: %+v", cold, l)
		}
		disk, wake, state := int64(0), int64(0), "warm"
		if cold {
			disk, wake, state = 20*895*us, 20*50*us, "cold"
		}
		if l[0].DiskNS != disk || l[0].State != state || l[0].BestNS != l[0].WallNS-disk-wake ||
			(l[0].Kinds[0].Kind == "library") != cold {
			t.Errorf("cold %v: %+v, want %d ns on the disk", cold, l[0], disk)
		}
	}
}

func TestScrub(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	s := newScene(t, "player")
	f := s.file("/film.mov", 1<<30)
	for range 30 {
		at := r.Int64N(1<<30-8*MiB) &^ 4095
		for i := range int64(4) {
			s.read(f, at+i*256*KiB, 256*KiB, (5-i)*ms)
		}
		s.think(40 * ms)
	}
	p := s.finish()
	if len(p.Scrubs) != 1 || p.Scrubs[0].Jumps != 29 || p.Scrubs[0].PerJump.P50 < 1020*KiB ||
		p.Scrubs[0].FirstByte.Min != 5*ms || p.Scrubs[0].JumpTime.Max != 14*ms {
		t.Errorf("%+v", p.Scrubs)
	}
}

// TestStackedDevices: a byte counts once per layer, and once for its file.
func TestStackedDevices(t *testing.T) {
	dm := trace.MakeDeviceID(253, 0)
	s := newScene(t, "dd")
	s.device(trace.Device{ID: dm, Name: "dm-0", Parents: []trace.DeviceID{ext4}})
	b := s.create("/dst/b")
	s.write(b, 0, 4*MiB, ms)
	for i := range int64(4) {
		s.request(trace.ReqWrite, b, i*MiB, MiB, s.now+i*ms, s.now+i*ms+900*us).Device = dm
		s.request(trace.ReqWrite, b, i*MiB, MiB, s.now+i*ms+10*us, s.now+i*ms+890*us)
	}
	s.now += 5 * ms
	p := s.finish()
	if len(p.Layers) != 3 || p.Layers[1].Name != "dm" || p.Layers[1].Level != 1 || p.Layers[2].Name != "disk" ||
		p.Layers[2].Level != 2 {
		t.Fatalf("%+v", p.Layers)
	}
	for _, l := range p.Layers[1:] {
		if l.Write.Bytes != 4*MiB {
			t.Errorf("layer %s wrote %d bytes", l.Name, l.Write.Bytes)
		}
	}
	if f := p.Files[0]; f.DeviceWrite.Bytes != 4*MiB || f.DeviceWrite.Count != 4 || p.Processes[0].DevWrite != 4*MiB {
		t.Errorf("file %+v, process %d", f.DeviceWrite, p.Processes[0].DevWrite)
	}
	if p.Pattern.DeviceDepth.Max != 1 {
		t.Errorf("depth at the topmost device: %+v", p.Pattern.DeviceDepth)
	}
}

// TestOthersAreApart: requests of others and of the recorder are counted, but
// not as the workload's.
func TestOthersAreApart(t *testing.T) {
	s := newScene(t, "x")
	f := s.file("/f", MiB)
	s.read(f, 0, MiB, ms)
	s.request(trace.ReqRead, f, 0, MiB, s.now, s.now+ms)
	s.request(trace.ReqWrite, 0, -1, 64*KiB, s.now, s.now+2*ms).Flags = trace.ReqForeign
	s.request(trace.ReqWrite, 0, -1, 32*KiB, s.now, s.now+2*ms).Flags = trace.ReqForeign | trace.ReqRecorder
	s.now += 5 * ms
	p := s.finish()
	d := p.Devices[0]
	if d.Read.Bytes != MiB || d.Write != nil || d.Foreign.Write != 64*KiB || d.Recorder.Write != 32*KiB ||
		p.Recorder.DeviceBytes != 32*KiB {
		t.Errorf("%+v", d)
	}
	if labels(p)["device_read"] != ms || labels(p)["device_write"] != 0 {
		t.Errorf("%v", labels(p))
	}
}

// TestBounds is the arithmetic of the models: 5085 and 4400 MB/s in turn allow
// 2359 MB/s.
func TestBounds(t *testing.T) {
	busy := func(rate float64) *profile.Flow {
		return &profile.Flow{Count: 2, Bytes: 1e9, LastNS: 2e9, Depth: profile.Depth{BusyNS: int64(1e18 / rate)},
			Latency: profile.Dist{Sum: int64(1e18 / rate)}}
	}
	c := profile.Copy{Bytes: 1e9, WallNS: 1e9, BytesPerS: 1e9, DurableBytesPerS: profile.Unknown, DeviceRead: busy(5085e6),
		DeviceWrite: busy(4400e6)}
	b := copies.CopyBounds(&c)
	if len(b) != 2 || b[0].Code != "serial" || b[0].Rate/1e4 != 235888 || b[1].Rate/1e6 != 4400 {
		t.Errorf("%+v", b)
	}
}
