package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// Large syncs wait for less if the drive writes before, where it was idle: a program that renders a frame and then
// syncs it, not one that copies and syncs in the end.
func TestWrittenSooner(t *testing.T) {
	const frames, each = 10, 32 << 20
	for rendered, want := range map[int64]bool{second * 4 / 10: true, second / 10: false} {
		synced := second - rendered
		p := spent(map[string]int64{"cpu": rendered, "device_write": synced}, map[string]int64{"in_call": synced})
		p.Devices = []profile.Device{drive(18)}
		d := &p.Devices[0]
		d.Read, d.Write = nil, d.Read
		d.Write.Bytes, d.Write.Count, d.Write.Depth.BusyNS = frames*each, frames*32, synced
		d.Write.Latency.Min, d.Write.Latency.P50 = second/1000, second/50
		p.Trace.Drives = []profile.Drive{{Name: d.Name, BusyNS: synced}}
		p.Calls = []profile.Call{{Op: trace.OpSync, Name: "fsync", Count: frames, TimeNS: synced}}
		p.Calls[0].Latency.P50 = synced / frames
		write := profile.PathPlace{What: "service", Label: "device_write", Call: "sync", Device: d.Name, Request: "write"}
		p.Path = &profile.Path{Parts: []profile.PathPart{{Place: write, NS: synced},
			{Place: profile.PathPlace{What: "runs", Label: "cpu"}, NS: rendered}}}
		r := &verdict.Judge(p).Causes[0]
		got := strings.HasPrefix(r.Remedy, "have it written sooner (sync_file_range, smaller syncs beside the work): "+
			"sda was idle for 400 ms; ")
		if r.Code != cause.DeviceBandwidth || got != want {
			t.Errorf("%d ns of rendering: %+v", rendered, r)
		}
	}
}

// What only begins writes need not be waited for, idle drive or not.
func TestBegunElsewhere(t *testing.T) {
	p := spent(map[string]int64{"device_write": second}, map[string]int64{"in_call": second})
	p.Devices = []profile.Device{drive(18)}
	d := &p.Devices[0]
	d.Read, d.Write = nil, d.Read
	d.Write.Bytes, d.Write.Count, d.Write.Depth.BusyNS = 320<<20, 320, second
	d.Write.Latency.Min, d.Write.Latency.P50 = second/1000, second/50
	p.Trace.Drives = []profile.Drive{{Name: d.Name, BusyNS: second}}
	p.Calls = []profile.Call{{Op: trace.OpSyncRange, Name: "sync_file_range", Count: 10, TimeNS: second}}
	p.Path = &profile.Path{Parts: []profile.PathPart{{Place: profile.PathPlace{What: "service", Label: "device_write",
		Call: "sync_range", Device: d.Name, Request: "write"}, NS: second}}}
	r := &verdict.Judge(p).Causes[0]
	if r.Code != cause.DeviceBandwidth || !strings.HasPrefix(r.Remedy, "call sync_file_range in another thread") {
		t.Errorf("%+v", r)
	}
}
