package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/kdebug"
	"github.com/iotrace/iotrace/tracer/kdebug/kdsim"
)

// recordMac writes the trace of a simulated Mac with Apple silicon to a file. It has a copy by cp, one by Finder's
// helper, one by rsync, a clone and a small database.
func recordMac() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: tools mac FILE")
		os.Exit(2)
	}
	if err := writeMac(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "mac:", err)
		os.Exit(1)
	}
}

const mib = 1 << 20

// work is what happens on the machine.
func macWork() *kdsim.Machine {
	m, launchd := kdsim.New(macos.AppleSilicon)
	m.MakeFile("/Users/u/movie.mov", 24*mib+123)
	m.MakeFile("/Volumes/Ext/old", 1)
	m.MakeFile("/Users/u/photos.db", mib)
	cp := launchd.Spawn("/bin/cp")
	cp.Copyfile("/Users/u/movie.mov", "/Volumes/Ext/cp.mov", mib)
	cp.Disk("/Volumes/Ext/cp.mov", false, 24*mib, 600_000, 0)
	cp.Exit(0)
	finder := m.Running("DesktopServicesHelper", "/")
	finder.Now = cp.Now
	finder.FinderCopy("/Users/u/movie.mov", "/Volumes/Ext/finder.mov", 8*mib)
	finder.Clonefile("/Users/u/movie.mov", "/Users/u/clone.mov")
	launchd.Now = finder.Now
	rsync := launchd.Spawn("/usr/bin/rsync")
	rsync.Rsync("/Users/u/movie.mov", "/Volumes/Ext/rsync.mov")
	rsync.Exit(0)
	launchd.Now = rsync.Now
	app := launchd.Spawn("/Applications/Photos.app/Contents/MacOS/Photos")
	app.Database("/Users/u/photos.db", 40)
	app.Exit(0)
	return m
}

// write stores what the decoder makes of the machine's records.
func writeMac(path string) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	m := macWork()
	w, err := tracefile.NewWriter(f, trace.Header{Tool: "kdsim", Backend: "kdebug", OS: "darwin", Arch: "arm64",
		WallStart: time.Unix(1_800_000_000, 0), Scope: "all", Calls: kdebug.Names(),
		Limits: kdebug.Limits(macos.AppleSilicon)})
	if err != nil {
		return err
	}
	records := m.Records()
	disk := trace.Device{ID: trace.MakeDeviceID(1, 5), Name: "disk3s5", LogicalBlock: kdsim.BlockSize}
	end := trace.End{Duration: m.Nanoseconds(int64(records[len(records)-1].Time-m.Base)) + 1, CommandEnd: -1, Durable: -1,
		ExitCode: -1, Reason: "duration"}
	d := kdebug.NewDecoder(kdebug.Config{Scope: tracer.Scope{All: true}, Timebase: m.Timebase, Start: m.Base,
		Now: func() int64 { return 0 }, Devices: []trace.Device{disk}}, w)
	err = errors.Join(w.Device(&disk), d.Seed(m.Entries), d.Decode(kdsim.Bytes(records)))
	return errors.Join(err, w.Close(end))
}
