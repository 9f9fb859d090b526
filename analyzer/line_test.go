package analyzer

import (
	"math"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// What waits in a queue counts for as long as the drive works at the workload's requests meanwhile: once, however much
// waits, and not while a limit keeps the drive idle.
func TestWaitingInTheQueue(t *testing.T) {
	for _, c := range []struct {
		name     string
		requests [][3]int64 // queued, issued, completed, in ms
		want     float64
	}{
		{"one after another", [][3]int64{{0, 0, 10}, {10, 10, 20}, {20, 20, 30}}, 0},
		{"the next one waits", [][3]int64{{0, 0, 10}, {0, 10, 20}, {10, 20, 30}}, 2.0 / 3},
		{"all wait from the beginning", [][3]int64{{0, 0, 10}, {0, 10, 20}, {0, 20, 30}}, 2.0 / 3},
		{"the later half of the time", [][3]int64{{0, 0, 10}, {5, 10, 20}}, 0.25},
		{"kept from an idle drive", [][3]int64{{0, 0, 1}, {1, 10, 11}, {11, 20, 21}}, 0},
		{"nobody saw it come", [][3]int64{{-1, 0, 10}, {-1, 10, 20}}, 0},
	} {
		s := newScene(t, "cat", "/data")
		s.device(trace.Device{ID: nvme, Name: "nvme0n1", Scheduler: "bfq", QueueDepth: 4})
		for i, at := range c.requests {
			r := &trace.Request{Op: trace.ReqRead, Device: nvme, Queued: at[0] * ms, Issued: at[1] * ms,
				Completed: at[2] * ms, Sector: uint64(i) * 2048, Bytes: MiB, PID: 100, TID: 100, Owner: 100, Bios: 1,
				Offset: trace.NoOffset}
			if at[0] < 0 {
				r.Queued = -1
			}
			s.put(r.Completed, r)
		}
		s.now = 40 * ms
		p := s.profile()
		if len(p.Devices) != 1 || c.want > 0 && p.Devices[0].Queue == nil {
			t.Fatalf("%s: %+v", c.name, p.Devices)
		}
		if q := p.Devices[0].Queue; q != nil && math.Abs(q.ReadsWaiting-c.want) > 1e-9 || q != nil && q.WritesWaiting != 0 {
			t.Errorf("%s: reads waited for %.3f of the time, writes for %.3f; want %.3f", c.name, q.ReadsWaiting,
				q.WritesWaiting, c.want)
		}
	}
}
