package compare

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// mapping is a profile of a program that maps a file and touches it.
func mapping(bytes, wait int64, backward float64) *profile.Profile {
	flow := &profile.Flow{Count: 100, Bytes: bytes, LastNS: 100 * wait, Depth: profile.Depth{MeanBusy: 1,
		BusyNS: 100 * wait}}
	flow.Latency = profile.Dist{
		Count: 100, Sum: 100 * wait, Min: wait, P50: wait, Max: wait,
		Bins: []profile.Bin{{From: wait, To: wait + 1, Count: 100}},
	}
	flow.Size = profile.Dist{
		Count: 100, Sum: bytes, Min: bytes / 100, P50: bytes / 100, Max: bytes / 100,
		Bins: []profile.Bin{{From: bytes / 100, To: bytes/100 + 1, Count: 100}},
	}
	places := &profile.AccessPattern{Accesses: 100, Backward: backward,
		Run: profile.Dist{Count: 1 + int64(99*backward)}}
	return &profile.Profile{
		Layers:  []profile.Layer{{Name: "calls", Read: &profile.Flow{Count: 3, Bytes: 900}}, {Name: "faults", Read: flow}},
		Files:   []profile.File{{Faults: &profile.FaultCount{Count: 100, Filled: bytes, Pattern: places}}},
		Pattern: profile.WholePattern{Modes: &profile.CacheModes{BufferedRead: 900}},
	}
}

// TestMappedFilesAreRead: what waits for a mapped file brought in is compared as reads are: how much at a
// time, how fast, in which order, with which wait.
func TestMappedFilesAreRead(t *testing.T) {
	c := Compare(FromProfile("a", mapping(100<<20, 1e6, 0)), FromProfile("b", mapping(100<<20, 4e6, 1)))
	for code, ratio := range map[string]float64{"throughput": 0.25, "read_latency": 4, "call_size": 1} {
		d := c.Find(code)
		if d.Ratio == nil || *d.Ratio < 0.95*ratio || *d.Ratio > 1.05*ratio {
			t.Errorf("%s: %+v, want a ratio of %v", code, d, ratio)
		}
	}
	if d := c.Find("locality"); d.Verdict != "differs" {
		t.Errorf("locality: %+v, want a difference: in order and at random", d)
	}
	if d := c.Find("interface"); d.Subject.share(byMapping) < 0.99 {
		t.Errorf("interface: %+v, want mapped files", d.Subject)
	}
}

// TestMappedFilesAreWork: two commands whose mapped files brought in different amounts are not compared by rates, even
// if their calls moved the same.
func TestMappedFilesAreWork(t *testing.T) {
	for name, c := range map[string]struct {
		other int64
		state string
	}{"as much": {100 << 20, "differs"}, "much less": {1 << 20, "?"}} {
		sides := [2]*profile.Profile{mapping(100<<20, 1e6, 0), mapping(c.other, 4e6, 0)}
		for _, p := range sides {
			p.Command, p.TimeStack.TotalNS = []string{"x"}, 1e9
			p.Trace.Reason = "command"
		}
		d := Compare(FromProfile("a", sides[0]), FromProfile("b", sides[1])).Find("throughput")
		if d.Verdict != c.state {
			t.Errorf("%s: %+v, want %q", name, d, c.state)
		}
	}
}

// The libraries of a program that reads by calls are no workload.
func TestLibrariesAreNoWorkload(t *testing.T) {
	p := mapping(1<<20, 1e6, 0)
	p.Layers[0].Read = &profile.Flow{Count: 100, Bytes: 100 << 20, LastNS: 1e9}
	s := FromProfile("a", p)
	if v := s.values[interfaceUsed]; v.share(byMapping) > 0 {
		t.Errorf("%+v, want calls alone", v)
	}
}
