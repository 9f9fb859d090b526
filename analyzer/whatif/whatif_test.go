package whatif

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// Nothing changed is nothing predicted: the recording follows from itself.
func TestNoChange(t *testing.T) {
	files, err := filepath.Glob("../../testdata/*.iotrace")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	tried := 0
	for _, file := range files {
		r, err := Load(file)
		if err != nil {
			continue // TestRefused
		}
		tried++
		p, was := r.Predict(Change{}), r.Recorded()
		if p.Undecided != 0 || off(p.Wall, was.Wall) > 0.002 || off(p.Durable, was.Durable) > 0.002 {
			t.Errorf("%s: predicted %+v, recorded %+v", filepath.Base(file), p, was)
		}
	}
	if tried < 9 {
		t.Errorf("%d recordings can be simulated, want at least 9", tried)
	}
}

func off(a, b int64) float64 { return math.Abs(float64(a)/float64(b) - 1) }

const (
	think   = 100e3  // ns on the CPU between two reads
	latency = 1000e3 // ns of a read
	reads   = 500
)

// readers makes the recording of threads that read at random, one read at a time.
func readers(threads, each int) *Recording {
	r := &Recording{}
	own := make([][]cutPoint, threads)
	end := int64(each) * (think + latency)
	for i := range each {
		for k := range threads {
			asked, n := int64(i)*(think+latency)+think, int32(len(r.requests))
			own[k] = append(own[k],
				cutPoint{at: asked, what: submits, index: n},
				cutPoint{at: asked, until: asked + latency, what: needs, index: n})
			r.requests = append(r.requests, request{
				queued: asked, completed: asked + latency, sector: uint64(n%7) << 20, bytes: 4096, op: trace.ReqRead,
				thread: uint32(k + 1),
			})
		}
	}
	for k := range own {
		steps := cut(0, append(own[k], cutPoint{at: end, what: ends}))
		r.threads = append(r.threads, thread{
			number: uint32(k + 1), begin: anchor{what: atTime}, steps: steps, end: end, main: k == 0,
		})
	}
	r.agents = make([]anchor, len(r.requests))
	r.window.Wall, r.window.End = end, end
	r.link(0)
	all := make([]*request, len(r.requests))
	for i := range all {
		all[i] = &r.requests[i]
	}
	r.devices = []*device{newDevice("disk", all, fitted)}
	return r
}

func TestOneAtATime(t *testing.T) {
	r := readers(1, reads)
	for _, c := range []struct {
		name   string
		change Change
		want   float64 // ns
	}{
		{"nothing", Change{}, reads * (think + latency)},
		{"half the latency", Change{Latency: 0.5}, reads * (think + latency/2)},
		{"four times the latency", Change{Latency: 4}, reads * (think + 4*latency)},
		{"a processor twice as fast", Change{CPU: 2}, reads * (think/2 + latency)},
		{"all in memory", Change{Warm: true}, reads * think},
		{"four at a time", Change{Depth: 4}, reads * latency / 4},
	} {
		p := r.Predict(c.change)
		if miss := math.Abs(float64(p.Wall)/c.want - 1); miss > 0.02 || p.Undecided > 0 {
			t.Errorf("%s: %d ns, want %.0f (%d undecided)", c.name, p.Wall, c.want, p.Undecided)
		}
	}
}

// A queue serves in order, never more at once than it has places, and its link
// never carries more than its rate.
func TestQueue(t *testing.T) {
	q := newQueue(Model{Latency: [services]float64{100, 100, 100, 100, 0}, Rate: [2]float64{1, 1}, Parallel: 2})
	for i, c := range []struct{ at, want float64 }{{0, 110}, {0, 120}, {0, 220}, {0, 230}, {1000, 1110}} {
		if got := q.serve(c.at, randomRead, 10, 0); got != c.want {
			t.Errorf("request %d: complete at %v, want %v", i, got, c.want)
		}
	}
}

// What is left to be written back may be waited for on another drive, or not at all.
func TestWriteBackWidensTheInterval(t *testing.T) {
	r := readers(1, reads)
	r.window.End += 1e9
	r.throttled = 1e7
	plain, other := r.Answer(Scenario{Change: Change{CPU: 1}}), r.Answer(Scenario{Change: Change{Latency: 1}})
	if other.Wall.High != other.Durable.High || other.Wall.Low != plain.Wall.Low-1e7 ||
		plain.Wall.High == other.Wall.High {
		t.Errorf("on another drive %+v, data safe %+v; on this one %+v", other.Wall, other.Durable, plain.Wall)
	}
}
