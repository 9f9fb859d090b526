package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// What helps against syncs depends on what they are for: each file once, directories, or one file again and again.
func TestAdviceOnSyncs(t *testing.T) {
	for _, c := range []struct {
		name                     string
		files, each, directories int64
		calls                    int64
		at                       int64 // so many at a time
		text, remedy             string
		removed                  int64
	}{
		{"each file once", 300, 1, 0, 300, 1, "300 fsync calls (one for each of 300 files), ", "write all files first", 0},
		{"files and their directory", 60, 1, 60, 120, 1, "120 fsync calls (one for each of 60 files, 60 of directories), ",
			"write many files before one sync of their directory", 0},
		{"directories alone", 0, 0, 90, 90, 1, "90 fsync calls (90 of directories), ", "write many files before", 0},
		{"one log", 1, 200, 0, 200, 1, "200 fsync calls (of 0), ", "more changes per sync", 0},
		{"a few databases", 4, 50, 0, 200, 1, "200 fsync calls (200 of 4 files), ", "more changes per sync", 0},
		{"several at a time", 400, 1, 0, 400, 4, ", 4 at a time", "write all files first", 0},
		{"one alone", 1, 1, 0, 1, 1, "1 fsync, ", "one sync cannot be shortened", 0},
		{"most of whole file systems", 10, 1, 0, 300, 1, "300 fsync calls, ", "more changes per sync", 0},
		{"removed in the end", 2, 100, 0, 200, 1, "200 fsync calls (200 of 2 files), 200 of them of files that it removed",
			"leave out syncs of files that are removed", 200},
		{"one of two removed", 2, 100, 0, 200, 1, "200 fsync calls (200 of 2 files), ", "more changes per sync", 100},
	} {
		p := spent(map[string]int64{"sync": second}, nil)
		p.Calls = []profile.Call{{Op: trace.OpSync, Name: "fsync", Count: c.calls, TimeNS: c.at * second,
			Latency: profile.Dist{Count: c.calls, P50: c.at * second / c.calls, Max: second}}}
		p.Synced = []profile.Synced{{Op: trace.OpSync, Files: c.files, Syncs: c.files * c.each, Directories: c.directories,
			Path: "/d/0", Most: c.each, Removed: c.removed}}
		r := verdict.Judge(p).Causes[0]
		if r.Code != cause.Sync || !strings.Contains(r.Text, c.text) || !strings.HasPrefix(r.Remedy, c.remedy) {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

// A sync of everything waits for what others had left in memory; one of a file does not.
func TestSyncForOthers(t *testing.T) {
	for op, want := range map[trace.Op]string{
		trace.OpSyncFS:  "2 syncfs calls had to wait for 1.07 GB that others had left in memory, on sda",
		trace.OpUnmount: "2 unmount calls had to wait for 1.07 GB that others had left in memory, on sda",
		trace.OpSync:    "others used sda at the same time: 1.07 GB",
	} {
		p := spent(map[string]int64{"sync": second}, nil)
		p.Calls = []profile.Call{{Op: op, Name: op.String(), Count: 2, TimeNS: second, Latency: each(second / 2)}}
		d := drive(1)
		d.Write, d.Read = d.Read, nil
		d.Foreign = profile.Share{Write: 1 << 30, BusyNS: second}
		p.Devices = []profile.Device{d}
		r := verdict.Judge(p).Causes[0]
		if r.Code != cause.OtherUsers || !strings.HasPrefix(r.Text, want) || (r.Experiment == "") != (op != trace.OpSync) {
			t.Errorf("%s: %+v", op, r)
		}
	}
}

// More data per sync is no way out where each sync is of all that programs left in memory.
func TestAdviceOnSyncsOfEverything(t *testing.T) {
	for op, want := range map[trace.Op]string{
		trace.OpSyncFS: "sync everything once, at the end, or its own files alone (fsync)",
		trace.OpMsync:  "more changes per sync (one transaction for many); a drive whose cache is protected",
	} {
		p := spent(map[string]int64{"sync": second}, nil)
		p.Calls = []profile.Call{{Op: op, Name: op.String(), Count: 20, TimeNS: second, Latency: each(second / 20)}}
		if r := verdict.Judge(p).Causes[0]; r.Code != cause.Sync || r.Remedy != want {
			t.Errorf("%s: %+v", op, r)
		}
	}
}

// What the kernel does for writes that wait for their data is part of that, and no limit of unwritten data.
func TestSynchronousWritesAreNotThrottled(t *testing.T) {
	p := spent(map[string]int64{"device_write": second / 2, "throttled": second / 2}, nil)
	p.Pattern.Modes = &profile.CacheModes{SyncedWrite: 64 << 20, BufferedWrite: 64 << 20}
	d := drive(1)
	d.Write, d.Read = d.Read, nil
	p.Devices = []profile.Device{d}
	if r := verdict.Judge(p).Causes; len(r) != 1 || r[0].Code != cause.Sync {
		t.Errorf("%+v", r)
	}
}
