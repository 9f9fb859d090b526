package wording

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// More at once helps where no request waits for another, however many there are; that is so where they take hardly
// longer than one that had the device for itself.
func TestSaturated(t *testing.T) {
	for _, c := range []struct {
		name     string
		depth    float64
		min, p50 int64
		want     bool
	}{
		{"one at a time", 1, 8e6, 9e6, false},
		{"two at a device that serves both at once", 1.9, 81e5, 87e5, false},
		{"thirty-two at a device that serves all at once", 32, 5e6, 6e6, false},
		{"two at a device that serves one at a time", 1.9, 4e6, 8e6, true},
		{"many behind one link", 6, 1e6, 30e6, true},
	} {
		d := &Disk{Flow: &profile.Flow{Latency: profile.Dist{Min: c.min, P50: c.p50},
			Depth: profile.Depth{MeanBusy: c.depth}}}
		if got := d.Saturated(&profile.Profile{}); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// What decides how much a device was given at once: the requests, or the calls that they are of.
func TestOperations(t *testing.T) {
	for _, c := range []struct {
		name  string
		modes *profile.CacheModes
		write bool
		want  float64
	}{
		{"direct reads, each split into requests", &profile.CacheModes{DirectRead: 1 << 30}, false, 1},
		{"direct reads beside some buffered ones", &profile.CacheModes{DirectRead: 3 << 20, BufferedRead: 1 << 20}, false, 1},
		{"direct reads beside more from memory", &profile.CacheModes{DirectRead: 3 << 20, BufferedRead: 1 << 30}, false,
			1},
		{"buffered reads, with readahead", &profile.CacheModes{BufferedRead: 1 << 30}, false, 8},
		{"buffered writes", &profile.CacheModes{DirectRead: 1 << 30, BufferedWrite: 1 << 20}, true, 8},
		{"synchronous writes", &profile.CacheModes{BufferedWrite: 1 << 20, SyncedWrite: 1 << 20}, true, 1},
		{"no calls that tell", nil, false, 8},
	} {
		p := &profile.Profile{Pattern: profile.WholePattern{Modes: c.modes, CallDepth: profile.Depth{MeanBusy: 1}}}
		flow := &profile.Flow{Bytes: 3 << 20, Depth: profile.Depth{MeanBusy: 8, BusyNS: 1}}
		p.Devices = []profile.Device{{Name: "sda", Level: 1, Read: flow, Write: flow}}
		if got := Busiest(p, c.write).Operations(p); got != c.want {
			t.Errorf("%s: %v in flight, want %v", c.name, got, c.want)
		}
	}
}
