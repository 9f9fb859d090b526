package verdict_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// busy is a profile of a drive that was given enough to read, or to write.
func busy(write bool) *profile.Profile {
	label, d := "device_read", drive(8)
	d.Read.Latency.Min = second / 1000
	if write {
		label = "device_write"
		d.Read, d.Write = nil, d.Read
	}
	p := spent(map[string]int64{label: second}, map[string]int64{"waiting_io": second})
	p.Devices = []profile.Device{d}
	return p
}

// remedied is what helps against the first cause, which is that the drive had enough to do.
func remedied(t *testing.T, p *profile.Profile) string {
	t.Helper()
	c := verdict.Judge(p).Causes[0]
	if c.Code != cause.DeviceBandwidth {
		t.Errorf("%+v", c)
	}
	return c.Remedy
}

// A drive that has enough to do with what need not have been is not to be a faster one first.
func TestLess(t *testing.T) {
	for _, c := range []struct {
		write bool
		code  string
		part  int64
		want  string
	}{
		{true, profile.Zeroes, 60 << 20, "move less: 62.9 MB of 105 MB was zeroes; a faster drive"},
		{true, profile.Again, 40 << 20, "move less: 41.9 MB of 105 MB was written again; a faster drive"},
		{false, profile.Readahead, 90 << 20, "move less: 94.4 MB of 105 MB was read ahead, not used; a faster drive"},
		{false, profile.AgainDirect, 20 << 20, "a faster drive"},
		{true, profile.Metadata, 90 << 20, "a faster drive"},
	} {
		p := busy(c.write)
		m := profile.Moved{Device: 100 << 20, Reasons: []profile.Part{{Code: c.code, Bytes: c.part},
			{Code: profile.Data, Bytes: 100<<20 - c.part}}}
		a := profile.Amount{Name: "sda", Read: m}
		if c.write {
			a = profile.Amount{Name: "sda", Write: m}
		}
		p.Amounts.Devices = []profile.Amount{a}
		if got := remedied(t, p); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", c.code, got, c.want)
		}
	}
}

// What was copied within a file system whose files can share blocks need not be moved at all.
func TestClonable(t *testing.T) {
	for _, c := range []struct {
		method        profile.Method
		fsType, mount string
		clone         bool
	}{
		{"copy_file_range", "xfs", "/a", true}, {"read_write", "ext4", "/a", false}, {"read_write", "xfs", "/b", false},
		{"reflink", "xfs", "/a", false},
	} {
		p := busy(true)
		p.Files = []profile.File{{Path: "/a/one", FSType: c.fsType, Mount: "/a"},
			{Path: c.mount + "/two", FSType: c.fsType, Mount: c.mount}}
		p.Copies = []profile.Copy{{Method: c.method, Source: "/a/one", Destination: c.mount + "/two", Bytes: 100 << 20,
			Share: 1}}
		if got := remedied(t, p); strings.HasPrefix(got, "a clone") != c.clone {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// Calls of a few bytes to a file system that is a process are to be larger ones, before that is to be another one.
func TestSmallCallsOfUserSpace(t *testing.T) {
	for _, c := range []struct {
		size, trips int64
		want        string
	}{
		{512, 0, "a larger block size"}, {128 << 10, 100, "a file system of the kernel"},
		{4 << 10, 100, "a larger block size"}, {4 << 10, 3, "a file system of the kernel"}, // read ahead, or written back
	} {
		p := spent(map[string]int64{"lock": second}, map[string]int64{"blocked_in_call": second})
		f := &profile.Flow{Count: 100, Bytes: 100 * c.size}
		f.Size.P50 = c.size
		there := profile.PathPlace{What: "runs", Label: "lock", Process: "gocryptfs", Helper: true, Call: "write",
			File: "/m/file"}
		p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{{NS: second, Count: c.trips, Place: there}}}
		p.Files = []profile.File{{Path: "/m/file", Type: trace.FileRegular, FSType: "fuse.gocryptfs", Mount: "/m", Write: f,
			Ops: []profile.OpCount{{Op: trace.OpWrite, TimeNS: second}}}}
		if first := verdict.Judge(p).Causes[0]; first.Code != cause.UserSpaceFS || !strings.HasPrefix(first.Remedy, c.want) {
			t.Errorf("%+v: %+v", c, first)
		}
	}
}

// What a process computes of what is read from its file system, it need not compute again of a copy; where it waits for
// a device itself, a copy is no faster.
func TestComputesForReaders(t *testing.T) {
	for what, want := range map[string]string{
		"runs": "copy what is read there", "service": "a file system of the kernel",
	} {
		p := spent(map[string]int64{"lock": second}, map[string]int64{"blocked_in_call": second})
		f := &profile.Flow{Count: 100, Bytes: 100 << 17}
		f.Size.P50 = 128 << 10
		there := profile.PathPlace{What: what, Label: "lock", Process: "squashfuse", Helper: true, Call: "read",
			File: "/m/file", Device: "sda"}
		p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{{NS: second, Count: 100, Place: there}}}
		p.Files = []profile.File{{Path: "/m/file", Type: trace.FileRegular, FSType: "fuse.squashfuse", Mount: "/m", Read: f,
			Ops: []profile.OpCount{{Op: trace.OpRead, TimeNS: second}}}}
		if first := verdict.Judge(p).Causes[0]; first.Code != cause.UserSpaceFS || !strings.HasPrefix(first.Remedy, want) {
			t.Errorf("%s: %+v", what, first)
		}
	}
}

// What is copied in memory by small calls is to go through larger ones, before anything else.
func TestSmallCallsInMemory(t *testing.T) {
	for size, want := range map[int64]string{4 << 10: "larger calls", 128 << 10: "mapped files or direct I/O"} {
		p := spent(map[string]int64{"page_cache": second}, map[string]int64{"data_calls": second})
		f := &profile.Flow{Count: 1 << 20, Bytes: size << 20}
		f.Size.P50 = size
		p.Layers = []profile.Layer{{Name: "calls", Read: f}}
		if c := verdict.Judge(p).Causes[0]; c.Code != cause.PageCache || !strings.HasPrefix(c.Remedy, want) {
			t.Errorf("%d: %+v", size, c)
		}
	}
}

// What a file is read in is as much as the device's readahead allows; where no request waits for another, more would
// help. Where they wait, or calls ask for more, it would not.
func TestNarrowReadahead(t *testing.T) {
	for _, c := range []struct {
		ahead, request int64
		depth          float64
		least          int64 // latency
		want           string
	}{
		{64 << 10, 64 << 10, 1.9, second / 100, cause.Readahead}, {128 << 10, 128 << 10, 1, second / 100, cause.Readahead},
		{8 << 10, 8 << 10, 6, second / 1000, cause.DeviceBandwidth},
		{8 << 10, 1 << 20, 1.2, second / 100, cause.DeviceLatency},
	} {
		p := spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
		readInOrder(p, c.request, 1)
		d := &p.Devices[0]
		d.ReadAhead, d.Readahead, d.Read.Depth.MeanBusy, d.Read.Latency.Min = c.ahead, d.Read.Bytes, c.depth, c.least
		r := verdict.Judge(p).Causes[0]
		if r.Code != c.want {
			t.Errorf("%+v: %s (%s)", c, r.Code, r.Text)
		}
	}
}

// One call that has to read much of what describes a file is not mended by fewer files alone, nor by several at once;
// one that allocates a file not by fewer pieces either.
func TestLookedUp(t *testing.T) {
	for _, c := range []struct {
		op    trace.Op
		name  string
		count int64
		want  string
	}{
		{trace.OpTruncate, "ftruncate", 1, "a drive of lower latency, or a file that is less fragmented"},
		{trace.OpAllocate, "fallocate", 1, "a drive of lower latency; soon after, it is in memory"},
		{trace.OpStat, "newfstatat", 1000, "look up several in parallel (threads)"},
		{trace.OpReaddir, "getdents64", 1000, "look up several in parallel (threads)"},
	} {
		p := spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
		p.Devices = []profile.Device{drive(1)}
		p.Calls = []profile.Call{{Op: c.op, Name: c.name, Count: c.count, TimeNS: second}}
		r := verdict.Judge(p).Causes[0]
		if r.Code != cause.Names || !strings.Contains(r.Text, "waited for sda to read what describes the files") ||
			!strings.HasPrefix(r.Remedy, c.want) || strings.Contains(r.Text, "in all") != (c.count > 1) {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

// A file system that lists each block of a file has to read all lists to take the file away; one with extents does not.
func TestListsOfBlocks(t *testing.T) {
	for fs, want := range map[string]string{
		"ext2": "a file system that keeps files in extents", "ext4": "a drive of lower latency, or a file that",
	} {
		p := spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
		p.Devices = []profile.Device{drive(1)}
		p.Calls = []profile.Call{{Op: trace.OpTruncate, Name: "ftruncate", Count: 1, TimeNS: second}}
		p.Files = []profile.File{{Path: "/old/disk.img", FSType: fs,
			Ops: []profile.OpCount{{Op: trace.OpTruncate, Count: 1, TimeNS: second}}}}
		r := verdict.Judge(p).Causes[0]
		if !strings.HasPrefix(r.Remedy, want) ||
			strings.Contains(r.Text, fs+" lists each block of disk.img") != (fs == "ext2") {
			t.Errorf("%s: %+v", fs, r)
		}
	}
}

// One large directory is read by one call after another; many small ones can be read in parallel.
func TestListed(t *testing.T) {
	for _, c := range []struct {
		directories int64
		text, want  string
	}{
		{1, "to read the directory d0", "fewer files in one directory"},
		{3, "to read what describes the files", "look up several in parallel (threads)"},
	} {
		p := spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
		p.Devices = []profile.Device{drive(1)}
		p.Calls = []profile.Call{{Op: trace.OpReaddir, Name: "getdents64", Count: 90, TimeNS: second}}
		for i := range c.directories {
			p.Files = append(p.Files, profile.File{Path: fmt.Sprint("/tree/d", i), Ops: []profile.OpCount{
				{Op: trace.OpReaddir, Count: 90 / c.directories, TimeNS: second / c.directories}}})
		}
		r := verdict.Judge(p).Causes[0]
		if r.Code != cause.Names || !strings.Contains(r.Text, c.text) || !strings.HasPrefix(r.Remedy, c.want) {
			t.Errorf("%d directories: %+v", c.directories, r)
		}
	}
}

// Calls that wait at a file for another call there wait for its lock, whatever the device does meanwhile; where the
// path does not lead through one that waits, they do not.
func TestLockOfAFile(t *testing.T) {
	for _, c := range []struct {
		behind, want, remedy string
		depth                float64
		ns                   int64
	}{
		{"write", "write waited for a lock on log that write held, 600 ms in all: writes to sda one by one",
			"smaller writes, a file for each thread", 1, second * 6 / 10},
		{"read", "read waited for a lock on log that write held, 600 ms in all: sda wrote", "smaller writes", 8,
			second * 6 / 10},
		{"write", "writes to sda one by one", "several requests in parallel", 1, second * 4 / 10},
		{"", "writes to sda one by one", "several requests in parallel", 1, second},
	} {
		p := busy(true)
		d := p.Devices[0].Write
		d.Depth.MeanBusy = c.depth
		p.Pattern.Modes = &profile.CacheModes{DirectWrite: d.Bytes}
		p.Pattern.CallDepth.MeanBusy = 8
		p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{{NS: c.ns, Place: profile.PathPlace{
			Label: "device_write", Call: "write", Device: "sda", File: "/var/log", Behind: c.behind}}}}
		r := verdict.Judge(p).Causes[0]
		if !strings.HasPrefix(r.Text, c.want) || !strings.HasPrefix(r.Remedy, c.remedy) {
			t.Errorf("%+v: %+v", c, r)
		}
	}
}

// On a file server it is the round trips of calls on names that count, not the size of pieces.
func TestNamesOfAServer(t *testing.T) {
	p := spent(map[string]int64{"lock": second}, map[string]int64{"blocked_in_call": second})
	for _, name := range []string{"/n/a", "/n/b"} {
		p.Files = append(p.Files, profile.File{Path: name, Type: trace.FileDirectory, FSType: "nfs4", Mount: "/n",
			Ops: []profile.OpCount{{Op: trace.OpReaddir, Count: 50, TimeNS: second / 2}}})
	}
	p.Calls = []profile.Call{{Op: trace.OpReaddir, Name: "getdents64", Count: 100, TimeNS: second}}
	r := verdict.Judge(p).Causes[0]
	if r.Code != cause.NetworkFS || !strings.Contains(r.Text, "100 calls on names and attributes, most of them "+
		"getdents64, 10.0 ms each") || !strings.HasPrefix(r.Remedy, "fewer such calls") {
		t.Errorf("%+v", r)
	}
}

// Where the same names are asked for again and again, answers that the kernel keeps are what helps.
func TestNamesOfAServerAgain(t *testing.T) {
	for files, want := range map[int64]string{
		20:  "on 20 names, 10.0 ms each on average; answers that are kept for longer",
		100: "getdents64, 10.0 ms each on average; fewer such calls",
	} {
		p := spent(map[string]int64{"lock": second}, map[string]int64{"blocked_in_call": second})
		p.Files = []profile.File{{Path: "/n/a", Type: trace.FileDirectory, FSType: "fuse.gluster", Mount: "/n",
			Ops: []profile.OpCount{{Op: trace.OpReaddir, Count: 100, TimeNS: second}}}}
		p.Calls = []profile.Call{{Op: trace.OpReaddir, Name: "getdents64", Count: 100, TimeNS: second}}
		p.OpFiles = []profile.OpFiles{{Op: trace.OpReaddir, Calls: 100, Files: files, UnderFiles: files, UnderCalls: 100}}
		if r := verdict.Judge(p).Causes[0]; !strings.Contains(r.Text+"; "+r.Remedy, want) {
			t.Errorf("%+v, want %q", r, want)
		}
	}
}

// One long call is not most of the time where many short ones were on files that are left out of the list.
func TestNamesOfFilesLeftOut(t *testing.T) {
	for omitted, want := range map[int64]string{
		0: "one getdents64 took 300 ms, ", 30_000: ": 30,010 calls on names and attributes, most of them getxattr, ",
	} {
		p := spent(map[string]int64{"lock": second}, map[string]int64{"blocked_in_call": second})
		p.Files = []profile.File{{Path: "/m", Type: trace.FileDirectory, FSType: "fuse.sshfs", Mount: "/m",
			Ops: []profile.OpCount{{Op: trace.OpReaddir, Count: 10, TimeNS: second * 2 / 5}}}}
		p.Calls = []profile.Call{{Op: trace.OpReaddir, Name: "getdents64", Count: 10, TimeNS: second * 2 / 5}}
		if p.Omitted.Files = omitted; omitted > 0 {
			p.Calls = append(p.Calls, profile.Call{Op: trace.OpXattr, Name: "getxattr", Count: omitted,
				TimeNS: second / 2})
			p.Omitted.Mounts = []profile.MountTime{{Mount: "/m", FSType: "fuse.sshfs", TimeNS: second / 2, Names: omitted,
				NamesNS: second / 2}}
		}
		for i := range p.Calls {
			p.Calls[i].Latency.Max = second / 1000
		}
		p.Calls[0].Latency.Max = second * 3 / 10
		r := verdict.Judge(p).Causes[0]
		if r.Code != cause.UserSpaceFS || !strings.Contains(r.Text, want) {
			t.Errorf("%d files left out: %+v", omitted, r)
		}
	}
}

// A server is waited for where all files that it serves are left out of the list, and not where those of another mount
// that are left out took most.
func TestServerOfFilesLeftOut(t *testing.T) {
	for local, want := range map[int64]string{second / 10: cause.NetworkFS, 2 * second: cause.BlockedInCall} {
		p := spent(map[string]int64{"lock": second}, map[string]int64{"blocked_in_call": second})
		p.Files = []profile.File{{Path: "/usr/lib/libc.so.6", Type: trace.FileRegular, FSType: "ext4", Mount: "/",
			Ops: []profile.OpCount{{Op: trace.OpOpen, Count: 1, TimeNS: second / 100}}}}
		p.Calls = []profile.Call{{Op: trace.OpStat, Name: "statx", Count: 40_000, TimeNS: second + local}}
		p.Omitted.Files = 40_000
		p.Omitted.Mounts = []profile.MountTime{
			{Mount: "/home", FSType: "nfs4", TimeNS: second, Names: 30_000, NamesNS: second},
			{Mount: "/", FSType: "ext4", TimeNS: local, Names: 10_000, NamesNS: local},
		}
		r := verdict.Judge(p).Causes[0]
		if r.Code != want || want == cause.NetworkFS && (!strings.Contains(r.Text, "the server of /home (nfs4): "+
			"30,000 calls on names") || !strings.HasPrefix(r.Remedy, "fewer such calls (a listing")) {
			t.Errorf("%d ns on local files: %+v", local, r)
		}
	}
}

// Names that are looked for in vain are said to be.
func TestMissingNames(t *testing.T) {
	p := spent(map[string]int64{"metadata": second}, map[string]int64{"metadata_calls": second})
	p.Calls = []profile.Call{{Op: trace.OpStat, Name: "statx", Count: 1000, Errors: 900, TimeNS: second,
		Errno: map[trace.Errno]int64{trace.ErrNoEntry: 900}}}
	r := verdict.Judge(p).Causes[0]
	if r.Code != cause.Names || !strings.Contains(r.Text, "900 of 1,000 lookups found nothing, most of them statx") ||
		!strings.HasPrefix(r.Remedy, "ask once") {
		t.Errorf("%+v", r)
	}
}

// Lookups in vain are counted over all calls that look up; a call that cannot find nothing is none of them.
func TestMissingNamesOfSeveralCalls(t *testing.T) {
	none := map[trace.Errno]int64{trace.ErrNoEntry: 400}
	p := spent(map[string]int64{"metadata": second}, map[string]int64{"metadata_calls": second})
	p.Calls = []profile.Call{
		{Op: trace.OpReaddir, Name: "getdents64", Count: 5000, TimeNS: second / 4},
		{Op: trace.OpOpen, Name: "openat", Count: 500, Errors: 400, TimeNS: second / 2, Errno: none},
		{Op: trace.OpReadlink, Name: "readlink", Count: 450, Errors: 400, TimeNS: second / 4, Errno: none},
	}
	r := verdict.Judge(p).Causes[0]
	if !strings.HasPrefix(r.Text, "800 of 950 lookups found nothing, most of them openat, 750 ms in all") {
		t.Errorf("%+v", r)
	}
	p.Calls[2].Count = 5000
	if r = verdict.Judge(p).Causes[0]; strings.Contains(r.Text, "found nothing") {
		t.Errorf("most found something: %+v", r)
	}
}

// A file system of compressed files costs the processor in page faults as in reads.
func TestUnpacked(t *testing.T) {
	for device, want := range map[int64]string{20 << 20: cause.Compression, 64 << 20: cause.OwnCPU} {
		p := spent(map[string]int64{"other_call": second}, map[string]int64{"other_calls": second})
		p.Files = []profile.File{{Path: "/app/lib.so", Type: trace.FileRegular, FSType: "erofs", Mount: "/app",
			Faults: &profile.FaultCount{Count: 100, TimeNS: second, Filled: 64 << 20}}}
		p.Amounts.Filesystems = []profile.Amount{{Name: "/app", FSType: "erofs", Read: profile.Moved{Device: device}}}
		r := verdict.Judge(p).Causes[0]
		if r.Code != want {
			t.Errorf("%d: %+v", device, r)
		}
	}
}

// Of libraries that are mapped, calls read the first bytes only: what page faults want is no more than they get, and
// smaller blocks would not help.
func TestUnpackedMapped(t *testing.T) {
	p := spent(map[string]int64{"other_call": second}, map[string]int64{"other_calls": second})
	p.Files = []profile.File{{Path: "/snap/lib.so", Type: trace.FileRegular, FSType: "cramfs", Mount: "/snap",
		Cache:  &profile.Cache{FilledBytes: 1 << 20},
		Ops:    []profile.OpCount{{Op: trace.OpRead, Count: 2, TimeNS: second / 100}},
		Faults: &profile.FaultCount{Count: 100, TimeNS: second, Filled: 64 << 20}}}
	p.Amounts.Filesystems = []profile.Amount{{Name: "/snap", FSType: "cramfs",
		Read: profile.Moved{Asked: 1664, Device: 20 << 20}}}
	r := verdict.Judge(p).Causes[0]
	if r.Code != cause.Compression || !strings.HasPrefix(r.Remedy, "a compression that is faster to read") ||
		r.Experiment != "" {
		t.Errorf("%+v", r)
	}
}

// A drive that writes what syncs wait for says which syncs; the journal's share and small syncs are sync.
func TestLargeSyncs(t *testing.T) {
	p := spent(map[string]int64{"device_write": second}, nil)
	p.Calls = []profile.Call{{Op: trace.OpSync, Name: "fsync", Count: 3, TimeNS: second,
		Latency: each(second / 3)}}
	p.Devices = []profile.Device{{Name: "sda", Level: 1, Write: &profile.Flow{Count: 100, Bytes: 300e6,
		Size: each(1 << 20), Latency: profile.Dist{Min: 1e6, P50: 9e6}, Depth: profile.Depth{MeanBusy: 16, BusyNS: second}}}}
	p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{{NS: second, Count: 9, Place: profile.PathPlace{
		What: "service", Label: "device_write", Call: "sync", Request: "write"}}}}
	first := verdict.Judge(p).Causes[0]
	if first.Code != cause.DeviceBandwidth || !strings.HasPrefix(first.Text, "in 3 fsync calls, 333 ms each: sda wrote") {
		t.Errorf("%s: %q", first.Code, first.Text)
	}
}

// each is a distribution of three that are alike.
func each(v int64) profile.Dist {
	return profile.Dist{Count: 3, Sum: 3 * v, Min: v, P10: v, P50: v, P90: v, P99: v, P999: v, Max: v}
}

// TestOpenedForEachPiece: small pieces that each have an open of their own cost that as well, if it is one file that is
// opened again and again; if each is a file, larger pieces are larger files.
func TestOpenedForEachPiece(t *testing.T) {
	const pieces = 100_000
	judge := func(files ...profile.File) *profile.Reason {
		p := spent(map[string]int64{"page_cache": second / 10, "metadata": second / 2, "cpu": second * 4 / 10},
			map[string]int64{"data_calls": second / 10, "metadata_calls": second / 2, "running": second * 4 / 10})
		f := &profile.Flow{Count: pieces, Bytes: 24 * pieces}
		f.Size.P50 = 24
		p.Layers = []profile.Layer{{Name: "calls", Write: f}}
		p.Pattern.Think = profile.Dist{Count: pieces, P50: 1000, Sum: second * 2 / 10}
		p.Calls = []profile.Call{{Op: trace.OpOpen, Name: "openat", Count: pieces, TimeNS: second / 3}}
		p.Files, p.Processes = files, []profile.Process{{CPUNS: second}}
		v := verdict.Judge(p)
		return &v.Causes[0]
	}
	file := func(path string, opens int64) profile.File {
		return profile.File{Path: path, Ops: []profile.OpCount{{Op: trace.OpOpen, Count: opens, TimeNS: opens}}}
	}
	r := judge(file("/queue.csv", pieces-10), file("/lib", 10))
	if r.Code != cause.SmallCalls || r.TimeNS != second*8/10 ||
		!strings.HasPrefix(r.Text, "queue.csv was opened 99,990 times") || !strings.HasPrefix(r.Remedy, "keep it open") {
		t.Errorf("%+v", r)
	}
	if r := judge(file("/a", 1), file("/b", 1)); r.Code != cause.Names {
		t.Errorf("%+v", r)
	}
}

// TestRenameInstead: who copies a file and then removes or empties it could have renamed it, on one mount.
func TestRenameInstead(t *testing.T) {
	cut := []profile.OpCount{{Op: trace.OpTruncate, Count: 1}}
	for _, c := range []struct {
		name     string
		from, to profile.File
		want     bool
	}{
		{"removed", profile.File{Mount: "/", Deleted: true}, profile.File{Mount: "/"}, true},
		{"kept", profile.File{Mount: "/"}, profile.File{Mount: "/"}, false},
		{"emptied", profile.File{Mount: "/", Ops: cut}, profile.File{Mount: "/", Size: 9}, true},
		{"shortened", profile.File{Mount: "/", Size: 5, Ops: cut}, profile.File{Mount: "/", Size: 9}, false},
		{"from another mount", profile.File{Mount: "/tmp", Deleted: true}, profile.File{Mount: "/"}, false},
		{"both removed", profile.File{Mount: "/", Deleted: true}, profile.File{Mount: "/", Deleted: true}, false},
	} {
		p := busy(true)
		c.from.Path, c.to.Path = "/spool/7", "/archive/7"
		p.Files = []profile.File{c.from, c.to}
		p.Copies = []profile.Copy{{Source: "/spool/7", Destination: "/archive/7", Method: profile.ByReadWrite, Share: 1,
			Bytes: p.Devices[0].Write.Bytes}}
		r := verdict.Judge(p).Causes[0]
		if r.Code != cause.DeviceBandwidth || strings.HasPrefix(r.Remedy, "a rename") != c.want {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

// A database that appends to its log waits behind a dump that its child writes; what one process writes by itself, or
// a dump of which there is little, is no such rival.
func TestCrowding(t *testing.T) {
	for _, c := range []struct {
		name   string
		by     uint32
		dumped int64
		want   bool
	}{
		{"a child", 2, 600 << 20, true}, {"the same process", 1, 600 << 20, false}, {"a small dump", 2, 1 << 20, false},
	} {
		p := busy(true)
		d := &p.Devices[0]
		d.ID, d.Write.Bytes = "8:1", 700<<20
		p.Processes = []profile.Process{{PID: 1, Command: "mongod"}, {PID: 2, Command: "dump"}}
		p.Files = []profile.File{
			{Path: "/db/journal", Type: trace.FileRegular, Device: "8:1", Processes: []uint32{1},
				Write: &profile.Flow{Bytes: 9000}},
			{Path: "/db/dump.bson", Type: trace.FileRegular, Device: "8:1", Processes: []uint32{c.by},
				Write: &profile.Flow{Bytes: c.dumped}},
		}
		p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{{NS: second, Place: profile.PathPlace{
			Label: "device_write", Call: "write", Device: d.Name, File: "/db/journal"}}}}
		r := verdict.Judge(p).Causes[0]
		told := strings.HasPrefix(r.Text, "calls on journal waited while dump.bson was written by dump (2), 629 MB: ") &&
			strings.HasPrefix(r.Remedy, "write dump.bson more slowly")
		if told != c.want {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}
