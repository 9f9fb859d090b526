package analyzer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// TestBrokenOff: what a killed program had written is a copy so far.
func TestBrokenOff(t *testing.T) {
	s, a, b := copying(t, 4*MiB)
	for at := int64(0); at < MiB; at += 128 * KiB {
		s.read(a, at, 128*KiB, us)
		s.write(b, at, 128*KiB, us)
	}
	s.read(a, MiB, 128*KiB, us)
	s.put(s.now, &trace.Process{Time: s.now, Action: trace.ProcessExit, PID: s.pid, TID: s.pid, Status: 9})
	s.end.CommandEnd, s.end.Duration = s.now, s.now
	if c := one(t, s.profile()); !c.Interrupted || c.Bytes != MiB || c.Share != .25 {
		t.Errorf("killed: %+v", c)
	}
	s, a, b = copying(t, 4*MiB)
	s.read(a, 0, MiB, us)
	s.write(b, 0, MiB, us)
	s.read(a, MiB, MiB, us)
	s.call(trace.Syscall{Op: trace.OpWrite, Call: 1, File: b, Offset: MiB, Requested: MiB, Result: -28}, us)
	if c := one(t, s.finish(a, b)); !c.Interrupted || c.Bytes != MiB {
		t.Errorf("no space: %+v", c)
	}
}

// TestStillRunning: of a program that still runs as the recording ends, what it wrote is no copy of a library that the
// loader looked at; what it has copied so far is.
func TestStillRunning(t *testing.T) {
	s := newScene(t, "sh")
	lib := s.file("/usr/lib/libc.so.6", 2*MiB)
	s.open(lib, trace.FlagRead)
	s.read(lib, 0, 832, us)
	s.read(lib, 64, 784, us)
	s.read(lib, 64, 784, us)
	s.write(s.create("/tmp/q"), 0, 3, us)
	s.end.CommandEnd, s.end.Duration, s.end.ExitCode, s.end.Reason = -1, s.now, -1, "duration"
	p := s.profile()
	if len(p.Copies) != 0 {
		t.Errorf("%+v", p.Copies)
	}
	text := p.Verdict.Text()
	if !strings.Contains(text, "recorded; the command still ran") {
		t.Errorf("the verdict is %q", text)
	}
	s, a, b := copying(t, 2000)
	s.read(a, 0, 1000, us)
	s.write(b, 0, 1000, us)
	s.read(a, 1000, 1000, us)
	s.end.CommandEnd, s.end.Duration, s.end.ExitCode, s.end.Reason = -1, s.now, -1, "duration"
	if c := one(t, s.profile()); !c.Interrupted || c.Bytes != 1000 {
		t.Errorf("%+v", c)
	}
}

// TestParts: two processes that copy half each have a time and requests of
// their own.
func TestParts(t *testing.T) {
	s, a, b := copying(t, 2*MiB)
	half := func(from int64) {
		s.read(a, from, MiB, 10*us)
		s.write(b, from, MiB, 10*us)
	}
	half(0)
	s.think(50 * ms)
	s.act(101)
	half(MiB)
	s.act(100)
	s.returns()
	s.request(trace.ReqWrite, b, 0, MiB, s.now, s.now+ms)
	s.request(trace.ReqWrite, b, MiB, MiB, s.now+ms, s.now+9*ms)
	s.durable(s.now + 9*ms)
	p := s.profile()
	if len(p.Copies) != 2 {
		t.Fatalf("%+v", p.Copies)
	}
	for i, c := range p.Copies {
		if c.Bytes != MiB || c.DestAt != int64(i)*MiB || c.WallNS != 20*us || c.DeviceWriteBytes != MiB || c.HoleBytes != 0 ||
			c.Share != .5 {
			t.Errorf("part %d: %+v", i, c)
		}
	}
	for _, c := range p.Copies { // with the one sync, which is the recorder's
		if c.StartNS+c.DurableNS != p.StartNS+p.DurableNS {
			t.Errorf("durable after %d, all of it after %d", c.DurableNS, p.DurableNS)
		}
	}
}

// TestReplacedBeforeItWasWritten: data that was overwritten in memory never was
// on the device.
func TestReplacedBeforeItWasWritten(t *testing.T) {
	s, a, b := copying(t, MiB)
	s.loop(a, b, MiB, 256*KiB)
	s.close(b)
	s.act(101)
	s.write(b, 0, MiB, us)
	s.act(100)
	s.returns()
	s.request(trace.ReqWrite, b, 0, MiB, s.now, s.now+ms)
	s.durable(s.now + ms)
	c := one(t, s.profile())
	if c.DurableNS != profile.Unknown || fmt.Sprint(c.Marks) != "[replaced]" {
		t.Errorf("durable after %d, marks %v", c.DurableNS, c.Marks)
	}
}

// TestDeviceBytesMissing: a copy cannot be on the device with fewer bytes than
// it has.
func TestDeviceBytesMissing(t *testing.T) {
	s, a, b := copying(t, 4*MiB)
	s.loop(a, b, 4*MiB, MiB)
	s.returns()
	s.request(trace.ReqWrite, b, 0, MiB, s.now, s.now+ms)
	s.durable(s.now + ms)
	p := s.profile()
	if c := one(t, p); fmt.Sprint(c.Marks) != "[device_bytes_missing]" || len(p.Warnings) != 1 {
		t.Errorf("marks %v, warnings %+v", c.Marks, p.Warnings)
	}
}

// TestNamesAtTheEnd: a tree that was renamed after the copy, a directory that the
// workload made, a file made without a name, and two names of one file.
func TestNamesAtTheEnd(t *testing.T) {
	s, a, b := copying(t, MiB)
	s.loop(a, b, MiB, 256*KiB)
	s.rename(s.name("/dst"), s.name("/new"))
	if p := s.finish(a, b); len(p.Copies) == 0 || p.Copies[0].Destination != "/new/b" {
		t.Errorf("renamed tree: %+v", p.Copies)
	}

	s = newScene(t, "sh")
	d := s.name("/d")
	s.call(trace.Syscall{Op: trace.OpMkdir, File: d, Offset: trace.NoOffset}, us)
	s.write(s.create("/d/f"), 0, 1, us)
	s.rename(d, s.name("/e"))
	if p := s.finish(); len(p.Copies) != 0 {
		t.Errorf("a directory of its own: %+v", p.Copies)
	}

	s = newScene(t, "python3")
	a = s.file("/src/a", MiB)
	b = s.identify(trace.File{Path: "/dst/#77", Device: ext4, Inode: 77, FSType: "ext4", Flags: trace.FileUnlinked})
	s.call(trace.Syscall{Op: trace.OpOpen, Call: 4, File: b, FD: 4, Flags: trace.FlagWrite, Result: 4,
		Offset: trace.NoOffset}, us)
	s.loop(a, b, MiB, 256*KiB)
	s.call(trace.Syscall{Op: trace.OpLink, File: s.name("/proc/self/fd/4"), File2: s.name("/dst/b"),
		Offset: trace.NoOffset}, us)
	if c := one(t, s.finish()); c.Source != "/src/a" || c.Destination != "/dst/b" {
		t.Errorf("a file without a name: %s → %s", c.Source, c.Destination)
	}

	s = newScene(t, "cp")
	a = s.file("/src/a", MiB)
	a2, b2 := s.again(a, "/src/a2"), s.create("/dst/b")
	s.loop(a, b2, MiB, 256*KiB)
	s.close(a)
	c2 := s.create("/dst/c")
	s.loop(a2, c2, MiB, 256*KiB)
	p := s.finish(a2, b2, c2)
	if len(p.Copies) != 2 || p.Copies[0].Source != "/src/a" || p.Copies[1].Source != "/src/a2" {
		t.Errorf("hard links: %+v", p.Copies)
	}
}
