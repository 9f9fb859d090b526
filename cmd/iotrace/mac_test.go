package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/kdebug"
	"github.com/iotrace/iotrace/tracer/kdebug/kdsim"
	"github.com/iotrace/iotrace/tracer/machine"
)

// mac is a Mac to which a disk is attached, on which exFAT is served by a program.
type mac struct{}

const movie = 24<<20 + 123

func (mac) Identify(f *trace.File) {
	f.Inode, f.Type, f.Device, f.FSType, f.Mount = uint64(f.ID), trace.FileRegular, trace.MakeDeviceID(1, 5), "apfs", "/"
	if strings.HasPrefix(f.Path, "/dev/") {
		f.Type = trace.FileChar
	}
	if strings.HasPrefix(f.Path, "/Volumes/USB/") {
		f.Device, f.FSType, f.Mount = trace.MakeDeviceID(1, 9), macos.VolumeType("exfat", 2), "/Volumes/USB"
	}
	if strings.HasSuffix(f.Path, ".mov") {
		f.Size = movie
	}
}
func (mac) Resolve(path string) string                  { return path }
func (mac) Inspect(uint32) (p machine.Process, ok bool) { return p, false }
func (mac) Processes() []machine.Process                { return nil }
func (mac) Threads(uint32) []uint64                     { return nil }
func (mac) Devices() []trace.Device {
	return []trace.Device{{ID: trace.MakeDeviceID(1, 5), Name: "disk3s5", LogicalBlock: kdsim.BlockSize},
		{ID: trace.MakeDeviceID(1, 8), Name: "disk4", LogicalBlock: 512},
		{ID: trace.MakeDeviceID(1, 9), Name: "disk4s1", LogicalBlock: 512, Parents: []trace.DeviceID{trace.MakeDeviceID(1,
			8)}}}
}

// recordMac writes the trace of that Mac: somebody writes to /dev/null, and a movie is copied to the disk, which was
// not there when the recording began.
func recordMac(path string) (err error) {
	m, launchd := kdsim.New(macos.AppleSilicon)
	m.MakeFile("/Users/u/a.mov", movie)
	m.MakeFile("/Volumes/USB/old", 1)
	m.MakeCharacterDevice("/dev/null", kdsim.Null)
	server := m.Running("com.apple.fskit", "/")
	launchd.Write(launchd.Open("/dev/null", kdsim.OWronly), 100)
	m.Mount(kdsim.Volume{Dir: "/Volumes/USB", Device: 1<<24 | 9, BlockSize: 512, Server: server})
	cp := launchd.Spawn("/bin/cp")
	cp.FinderCopy("/Users/u/a.mov", "/Volumes/USB/b.mov", 1<<20)
	cp.Exit(0)
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w, err := tracefile.NewWriter(f, trace.Header{Tool: "test", Backend: "kdebug", OS: "darwin", Arch: "arm64",
		WallStart: time.Unix(1_800_000_000, 0), Scope: "all", Calls: kdebug.Names(),
		Limits: kdebug.Limits(macos.AppleSilicon)})
	if err != nil {
		return err
	}
	begin, records := mac{}.Devices()[:1], m.Records()
	d := kdebug.NewDecoder(kdebug.Config{Scope: tracer.Scope{All: true}, Timebase: m.Timebase, Start: m.Base,
		Machine: mac{},
		Now:     func() int64 { return 0 }, Devices: begin}, w)
	err = errors.Join(w.Device(&begin[0]), d.Seed(m.Entries), d.Decode(kdsim.Bytes(records)))
	end := trace.End{Duration: m.Nanoseconds(int64(records[len(records)-1].Time-m.Base)) + 1, CommandEnd: -1, Durable: -1,
		ExitCode: -1, Reason: "duration"}
	return errors.Join(err, w.Close(end))
}

// Such a trace is whole, and tells the copy, and what is only inferred of it.
func TestAMacOfToday(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mac.iotrace")
	if err := recordMac(path); err != nil {
		t.Fatal(err)
	}
	s, out, errs := cli.FakeStreams()
	if status := run([]string{"show", "--strict", "--full", path}, s, nil); status != 0 {
		t.Errorf("show --strict: status %d, %s", status, errs)
	}
	shown := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{"Copied 1 file, 25.2 MB, read/write of 1 MiB",
		"the partition itself (disk4s1) wrote 25.2 MB",
		"is a volume of FSKit: its file system (exfat) is a program, com.apple.fskit (pid 101)", "is inferred, from"} {
		if !strings.Contains(shown, want) {
			t.Errorf("show does not say %q:\n%s", want, out)
		}
	}
	if strings.Contains(shown, "3:2") {
		t.Errorf("/dev/null is among the devices:\n%s", out)
	}
}
