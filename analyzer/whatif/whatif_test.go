package whatif

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/program"
	"github.com/iotrace/iotrace/analyzer/whatif/drive"

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
	p := &Program{Threads: make([]Thread, threads)}
	end := int64(each) * (think + latency)
	for k := range p.Threads {
		p.Threads[k] = Thread{
			Number: uint32(k + 1), Begin: anchor{What: AtTime}, End: end, Main: k == 0,
		}
	}
	for i := range each {
		for k := range p.Threads {
			asked, n := int64(i)*(think+latency)+think, int32(len(p.Requests))
			t := &p.Threads[k]
			t.Steps = append(t.Steps,
				Step{Run: think, What: Submits, Index: n}, Step{What: Needs, Index: n})
			p.Requests = append(p.Requests, Request{
				Request: drive.Request{
					Queued: asked, Completed: asked + latency, Sector: uint64(n%7) << 20, Bytes: 4096, Op: trace.ReqRead,
				},
				Thread: t.Number,
			})
		}
	}
	for k := range p.Threads {
		p.Threads[k].Steps = append(p.Threads[k].Steps, Step{What: Ends})
	}
	p.Causes = make([]anchor, len(p.Requests))
	p.Window.Wall, p.Window.End = end, end
	return &Recording{program: p, devices: disk(p.Requests), followers: newFollowers(p)}
}

// disk is the device that served all of some requests.
func disk(requests []Request) []*drive.Device {
	all := make([]*drive.Request, len(requests))
	for i := range all {
		all[i] = &requests[i].Request
	}
	return []*drive.Device{drive.NewDevice("disk", all, fitted)}
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
		{"a CPU twice as fast", Change{CPU: 2}, reads * (think/2 + latency)},
		{"all in memory", Change{Warm: true}, reads * think},
		{"four at a time", Change{Change: program.Change{Depth: 4}}, reads * latency / 4},
	} {
		p := r.Predict(c.change)
		if miss := math.Abs(float64(p.Wall)/c.want - 1); miss > 0.02 || p.Undecided > 0 {
			t.Errorf("%s: %d ns, want %.0f (%d undecided)", c.name, p.Wall, c.want, p.Undecided)
		}
	}
}

// Requests of one size that never had company do not tell their latency from what their bytes take: half the latency
// may save as little as nothing of large ones, and half of small ones.
func TestBytesMayTakeTheTime(t *testing.T) {
	for _, c := range []struct {
		bytes int64
		saves bool
	}{{4096, true}, {1 << 20, false}} {
		r := readers(1, reads)
		for i := range r.program.Requests {
			r.program.Requests[i].Bytes = c.bytes
		}
		r.devices = disk(r.program.Requests)
		was, a := r.Recorded().Wall, r.Answer(Scenario{Change: Change{Latency: 0.5}})
		if saves := a.Wall.High < was*8/10; saves != c.saves || off(a.Wall.NS, was*6/11) > 0.01 {
			t.Errorf("%d bytes: %+v instead of %d ns, saves for sure: %v, want %v", c.bytes, a.Wall, was, saves, c.saves)
		}
	}
}

// What is left to be written back may be waited for on another drive, or not at all.
func TestWriteBackWidensTheInterval(t *testing.T) {
	r := readers(1, reads)
	r.program.Window.End += 1e9
	r.program.Throttled = 1e7
	plain, other := r.Answer(Scenario{Change: Change{CPU: 1}}), r.Answer(Scenario{Change: Change{Latency: 1}})
	if other.Wall.High != other.Durable.High || other.Wall.Low != plain.Wall.Low-1e7 ||
		plain.Wall.High == other.Wall.High {
		t.Errorf("on another drive %+v, data safe %+v; on this one %+v", other.Wall, other.Durable, plain.Wall)
	}
}

// What the traced command was called cannot act on a terminal.
func TestCommand(t *testing.T) {
	r := &Recording{program: &Program{Command: []string{"cp", "a\x1b[2Jb"}}}
	if s := r.Command(); strings.Contains(s, "\x1b") {
		t.Errorf("%q", s)
	}
}
