package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// inCalls is a second that the critical path spent waiting for sda, in calls of one kind and at a mean depth of one.
func inCalls(call trace.Op, label string) *profile.Profile {
	p := spent(map[string]int64{label: second}, map[string]int64{"waiting_io": second})
	d := drive(1)
	d.Read.Size.P50 = 4096
	if label == "device_write" {
		d.Read, d.Write = nil, d.Read
	}
	p.Devices = []profile.Device{d}
	p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{{NS: second, Count: 100, Place: profile.PathPlace{
		What: "service", Label: label, Call: call.String(), Device: "sda", Request: "read"}}}}
	p.Pattern.CallDepth.MeanBusy = 16
	return p
}

// Blocks that are read because a part of them is written are told by the bytes; reads of metadata in writes, and what
// the program reads itself, are not it.
func TestPartialWrites(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(p *profile.Profile)
		want   string
	}{
		{"writes of 512 B", func(*profile.Profile) {}, cause.PartialWrites},
		{"in a ring, whose calls are others", func(p *profile.Profile) {
			p.Path.Parts[0].Place.Call = trace.OpUringEnter.String()
		}, cause.PartialWrites},
		{"a few, beside the program's own reads", func(p *profile.Profile) {
			p.Path.Parts[0].Place.Call = trace.OpRead.String()
			p.Amounts.Devices[0].Read.Reasons[0].Bytes = 4096
		}, cause.DeviceLatency},
		{"none", func(p *profile.Profile) { p.Amounts = profile.Amounts{} }, cause.DeviceLatency},
	} {
		p := inCalls(trace.OpWrite, "device_read")
		m := profile.Moved{Device: 100 << 20, Reasons: []profile.Part{{Code: profile.ForWriting, Bytes: 90 << 20}}}
		p.Amounts.Devices = []profile.Amount{{Name: "sda", Read: m}}
		p.Amounts.Files = []profile.Amount{{Name: "/file", Read: m}}
		w := &profile.Flow{Count: 100, Bytes: 51200}
		w.Size.P10, w.Size.P50, w.Size.P90 = 512, 512, 512
		p.Files = []profile.File{{Path: "/file", Write: w}}
		c.change(p)
		r := verdict.Judge(p).Causes[0]
		if r.Code != c.want || r.Code == cause.PartialWrites && (!strings.HasPrefix(r.Text,
			"94.4 MB of file read to write 51.2 kB in pieces of 512 B") || !strings.Contains(r.Remedy, "blocks of 4 KiB")) {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

// An io_submit that waits for the device is told as what it is, and the way out depends on why it waits.
func TestBlockingSubmit(t *testing.T) {
	for _, c := range []struct {
		name  string
		label string
		modes profile.CacheModes
		call  trace.Op
		want  string // of the remedy
	}{
		{"reads without O_DIRECT", "device_read", profile.CacheModes{BufferedRead: 1 << 20}, trace.OpAIOSubmit,
			"O_DIRECT, or"},
		{"writes that grow a file", "device_write", profile.CacheModes{DirectWrite: 1 << 20}, trace.OpAIOSubmit,
			"its length and its blocks"},
		{"reads that are collected", "device_read", profile.CacheModes{DirectRead: 1 << 20}, trace.OpAIOGetEvents, ""},
	} {
		p := inCalls(c.call, c.label)
		p.Pattern.Modes = &c.modes
		p.Calls = []profile.Call{{Op: trace.OpAIOSubmit, Name: "io_submit", Count: 10, TimeNS: second / 2}}
		r := verdict.Judge(p).Causes[0]
		if got := r.Code == cause.BlockingSubmit; got != (c.want != "") || !strings.Contains(r.Remedy, c.want) {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

// Writes of a ring that wait until they are durable are told with both depths where they go one by one. Where the file
// or its file system has them wait, the way out is that they need not.
func TestGivenInTurn(t *testing.T) {
	for _, c := range []struct {
		name         string
		given, got   float64
		api          string
		mode         profile.CacheModes
		synchronous  bool
		code, remedy string
	}{
		{"one by one", 15.6, 1, "io_uring", profile.CacheModes{SyncedWrite: 1 << 20, BufferedWrite: 1 << 20}, false,
			cause.BlockingSubmit, "O_DIRECT, where the file has its blocks already"},
		{"attribute S", 15.6, 1, "io_uring", profile.CacheModes{SyncedWrite: 1 << 20, BufferedWrite: 1 << 20}, true,
			cause.BlockingSubmit, "chattr -S /d/wal"},
		{"side by side", 15.6, 15, "io_uring", profile.CacheModes{SyncedWrite: 1 << 20, BufferedWrite: 1 << 20}, false,
			cause.Sync, "let one fsync"},
		{"one asked for", 1, 1, "io_uring", profile.CacheModes{SyncedWrite: 1 << 20, BufferedWrite: 1 << 20}, false,
			cause.Sync, "let one fsync"},
		{"another way", 15.6, 1, "libaio", profile.CacheModes{SyncedWrite: 1 << 20, BufferedWrite: 1 << 20}, false,
			cause.Sync, "let one fsync"},
		{"direct", 15.6, 1, "io_uring", profile.CacheModes{SyncedWrite: 1 << 20, DirectWrite: 1 << 20}, false,
			cause.Sync, "let one fsync"},
	} {
		p := spent(map[string]int64{"device_write": second}, nil)
		d := drive(c.got)
		d.Write, d.Read = d.Read, nil
		p.Devices, p.Pattern.Modes = []profile.Device{d}, &c.mode
		p.Layers = []profile.Layer{{Write: &profile.Flow{Depth: profile.Depth{MeanBusy: c.given}}}}
		p.Calls = []profile.Call{{Op: trace.OpWrite, Async: true, Name: c.api, Count: 256, Bytes: 1 << 20, TimeNS: second}}
		p.Trace.Mounts = []profile.Mount{{Point: "/d"}}
		p.Files = []profile.File{{Path: "/d/wal", Type: trace.FileRegular, Mount: "/d", Synchronous: c.synchronous,
			Write: &profile.Flow{Bytes: 1 << 20}}}
		r := verdict.Judge(p).Causes[0]
		told := strings.Contains(r.Text, "16 writes asked at once, 1.0 in flight at")
		if r.Code != c.code || told != (c.code == cause.BlockingSubmit) || !strings.Contains(r.Remedy, c.remedy) {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

// A directory of many blocks and few names is told of where listing it took the time; a full one, and one that was read
// in a few blocks, is not.
func TestEmptied(t *testing.T) {
	for _, c := range []struct {
		name        string
		names, read int64
		time        int64
		want        bool
	}{
		{"ten files where a million were", 688, 300 << 20, second, true},
		{"none at all", 0, 2 << 20, second, true},
		{"full", 5 << 20, 4 << 20, second, false},
		{"of one block", 80, 4 << 10, second, false},
		{"read beside much else", 688, 300 << 20, second / 4, false},
	} {
		p := spent(map[string]int64{"metadata": second}, map[string]int64{"metadata_calls": second})
		p.Files = []profile.File{{Path: "/d/spool", FSType: "ext4", Type: trace.FileDirectory,
			Ops:       []profile.OpCount{{Op: trace.OpReaddir, Count: 2, TimeNS: c.time}},
			Directory: &profile.Directory{NamesBytes: c.names, ReadBytes: c.read}}}
		r := verdict.Judge(p).Causes[0]
		if got := strings.Contains(r.Text, "of spool read") && strings.Contains(r.Remedy, "anew"); got != c.want {
			t.Errorf("%s: %s; %s", c.name, r.Text, r.Remedy)
		}
	}
}
