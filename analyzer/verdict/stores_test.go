package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// Waits for writes outside of calls are stores to a mapped file, if there is one that was written without calls; within
// calls, or without such a file, they are not.
func TestStores(t *testing.T) {
	for _, c := range []struct {
		call   string
		mapped int64
		want   bool
	}{{"", 1, true}, {"write", 1, false}, {"", 0, false}} {
		p := spent(map[string]int64{"device_write": second}, map[string]int64{"waiting_io": second})
		p.Devices = []profile.Device{drive(1)}
		d := &p.Devices[0]
		d.Read, d.Write = nil, d.Read
		p.Trace.Drives = []profile.Drive{{Name: d.Name, BusyNS: second}}
		p.Files = []profile.File{{Path: "/var/ring.rrd", Type: trace.FileRegular, DeviceWrite: &profile.Flow{Bytes: 1 << 20},
			Ops: []profile.OpCount{{Op: trace.OpMmap, Count: c.mapped}}}}
		p.Path = &profile.Path{Parts: []profile.PathPart{{Place: profile.PathPlace{What: "service", Label: "device_write",
			Process: "rrdcached", Device: d.Name, Request: "write", Meta: true, Call: c.call}, NS: second, Count: 40,
			LongestNS: second / 20}}}
		r := verdict.Judge(p).Causes[0]
		if got := strings.HasPrefix(r.Text, "stores to ring.rrd, which is mapped, waited 40 times for sda to write (50.0 ms "+
			"at most): "); got != c.want || strings.Contains(r.Remedy, "tmpfs") != c.want {
			t.Errorf("%+v: %+v", c, r)
		}
	}
}
