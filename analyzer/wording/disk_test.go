package wording

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// More at once helps where no request waits for another, however many there are; that is so where they take hardly
// longer than one that had the device for itself.
func TestSaturated(t *testing.T) {
	for _, c := range []struct {
		name           string
		depth, waiting float64 // in flight, and the part of the time with more in the queue
		min, p50       int64
		alone          int64
		want           bool
	}{
		{"one at a time", 1, 0, 8e6, 9e6, 0, false},
		{"two at a device that serves both at once", 1.9, 0, 81e5, 87e5, 0, false},
		{"thirty-two at a device that serves all at once", 32, 0, 5e6, 6e6, 0, false},
		{"two at a device that serves one at a time", 1.9, 0, 4e6, 8e6, 0, true},
		{"many behind one link", 6, 0, 1e6, 30e6, 0, true},
		{"one at a time, with the next one in the queue", 1, 0.9, 30e6, 31e6, 0, true},
		{"one at a time, with another one in the queue now and then", 1, 0.2, 30e6, 31e6, 0, false},
		{"four at a device that serves them at once, with more in the queue", 4, 0.9, 5e6, 6e6, 0, false},
		{"four at a device over a network, whose shortest answer is a rare one", 4, 0, 2e5, 3e6, 28e5, false},
		{"four that wait for each other, although the shortest was short", 4, 0, 2e5, 9e6, 28e5, true},
	} {
		d := &Disk{Device: &profile.Device{Queue: &profile.Queue{WritesWaiting: c.waiting}}, Verb: "wrote",
			Flow: &profile.Flow{Latency: profile.Dist{Min: c.min, P50: c.p50}, AloneNS: c.alone,
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

// A queue is named where it held requests back: not where it had nothing more, and not where the drive had as many as
// it could take.
func TestFull(t *testing.T) {
	for _, c := range []struct {
		name           string
		depth, waiting float64
		most           int
		want           bool
	}{
		{"nothing waits", 1, 0.1, 1, false},
		{"one after another", 1, 0.8, 1, true},
		{"as many as it holds", 3.7, 0.8, 4, true},
		{"fewer than it holds, as many as the drive takes", 2.9, 0.8, 3, false},
	} {
		d := &Disk{Verb: "read", Device: &profile.Device{Name: "sdb", Scheduler: "bfq", QueueDepth: 4,
			Queue: &profile.Queue{ReadsWaiting: c.waiting}, Depth: profile.Depth{Max: c.most}},
			Flow: &profile.Flow{Depth: profile.Depth{MeanBusy: c.depth}}}
		none := &profile.Profile{}
		if got := d.Full(none); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
		for _, text := range []string{d.Bandwidth(none), d.Latency(none, "")} {
			if strings.Contains(text, "waiting in its queue (bfq, nr_requests 4)") != c.want {
				t.Errorf("%s: %s", c.name, text)
			}
		}
	}
}

// A direct read of 1 MiB that is split into two requests has the second one wait for the first: that asks for more at a
// time, not for a longer queue.
func TestRestOfACall(t *testing.T) {
	for calls, want := range map[float64]bool{1: true, 4: false} {
		p := &profile.Profile{Pattern: profile.WholePattern{Modes: &profile.CacheModes{DirectRead: 1 << 30},
			CallDepth: profile.Depth{MeanBusy: calls}}}
		d := &Disk{Verb: "read", Device: &profile.Device{Name: "vda", Scheduler: "bfq", QueueDepth: 256,
			Queue: &profile.Queue{ReadsWaiting: 0.8}}, Flow: &profile.Flow{Bytes: 1 << 30, Depth: profile.Depth{MeanBusy: 1}}}
		longer := strings.Contains(d.Latency(p, "")+d.More(p, false), "queue (")
		if d.InPieces(p) != want || d.Full(p) == want || longer == want {
			t.Errorf("%v calls at a time: in pieces %v; %s: %s", calls, d.InPieces(p), d.Latency(p, ""), d.More(p, false))
		}
	}
}
