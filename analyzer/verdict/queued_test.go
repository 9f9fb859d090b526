package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
)

// waited is a recording whose requests waited in the queue of a device, so often and for so long in all.
func waited(device, request string, times int64) *profile.Profile {
	p := spent(map[string]int64{"queued": second}, nil)
	p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{{NS: second, Count: times, Place: profile.PathPlace{
		What: "queued", Label: "queued", Fault: true, Device: device, Request: request}}}}
	p.Trace.CPUs = 2
	return p
}

// The time in the queue of one device, or in one direction, is not charged to another one because others work there.
func TestQueuedElsewhere(t *testing.T) {
	for _, c := range []struct {
		device, request string
		shared          bool // the time is that of the drive that others use
	}{
		{"loop7", "read", false}, {"loop7", "write", false}, {"sda", "write", false}, {"sda", "read", true},
	} {
		p := waited(c.device, c.request, 100)
		d := drive(1)
		d.Foreign.Read = 1 << 30
		p.Devices = []profile.Device{d}
		p.Trace.Drives = []profile.Drive{{Name: "sda", BusyNS: second}}
		causes := verdict.Judge(p).Causes
		if len(causes) == 0 {
			t.Fatalf("%s of %s: no cause", c.request, c.device)
		}
		for _, x := range causes {
			if about := x.Code == cause.DeviceLatency || x.Code == cause.OtherUsers; about != c.shared {
				t.Errorf("%s of %s: %s, %s", c.request, c.device, x.Code, x.Text)
			}
		}
	}
}

// Where no processor is free, requests wait for a moment each for the worker that hands them on. Where some are, or
// where they wait for long, something holds them back.
func TestLateWorkers(t *testing.T) {
	for _, c := range []struct {
		name  string
		busy  int64
		times int64
		want  string
	}{
		{"all processors are busy", 2 * second, 1000, cause.CPUContention},
		{"one is free", second, 1000, cause.LimitAbove},
		{"held back for long", 2 * second, 10, cause.LimitAbove},
	} {
		p := waited("loop7", "read", c.times)
		p.Devices = []profile.Device{drive(1)}
		p.Trace.Processors = &profile.Processors{BusyNS: c.busy, IdleNS: 2*second - c.busy}
		x := verdict.Judge(p).Causes[0]
		if x.Code != c.want {
			t.Errorf("%s: %s, %s", c.name, x.Code, x.Text)
		}
		if c.want == cause.CPUContention && (!strings.Contains(x.Text, "1.00 ms each before loop7") ||
			x.Experiment == "") {
			t.Errorf("%s: %s (%s)", c.name, x.Text, x.Certainty)
		}
	}
}
