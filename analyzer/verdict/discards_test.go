package verdict_test

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// Discards are told from flushes where the path knows each request, even by a drive that is longer busy with flushes:
// journals that are removed, one after the other, on a mount with the option discard.
func TestDiscardsBesideFlushes(t *testing.T) {
	p := spent(map[string]int64{"device_other": second}, nil)
	d := drive(1)
	d.Read, d.Write = nil, d.Read
	d.Flush = &profile.Flow{Count: 200, Depth: profile.Depth{BusyNS: second * 7 / 10}}
	d.Discard = &profile.Flow{Count: 100, Depth: profile.Depth{BusyNS: second * 3 / 10}}
	p.Devices = []profile.Device{d}
	p.Calls = []profile.Call{{Op: trace.OpSync, Name: "fsync", Count: 200, TimeNS: second * 7 / 10,
		Latency: each(second * 7 / 2000)}}
	part := func(ns int64, call, request string) profile.PathPart {
		return profile.PathPart{NS: ns, Count: 100, Place: profile.PathPlace{What: "service", Label: "device_other",
			Call: call, Request: request, Device: "sda"}}
	}
	p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{part(second*7/10, "sync", "flush"),
		part(second*3/10, "unlink", "discard")}}
	got := map[string]int64{}
	for _, r := range verdict.Judge(p).Causes {
		got[r.Code] += r.TimeNS
	}
	if got[cause.Sync] != second*7/10 || got[cause.Discards] != second*3/10 || len(got) != 2 {
		t.Errorf("%v", got)
	}
}
