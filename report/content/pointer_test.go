package content

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// Evidence says what a number is of, in words and with a unit, wherever in a profile it stands.
func TestProof(t *testing.T) {
	p := &profile.Profile{Devices: []profile.Device{{Name: "sda"}, {Name: "sdb"}},
		Copies:    []profile.Copy{{Destination: "/b"}},
		TimeStack: profile.TimeStack{Slices: []profile.StackSlice{{Text: "device reading"}}}}
	for pointer, want := range map[string]string{
		"/copies/0/bytes":                      "copy to /b: bytes 1.50 GB",
		"/devices/1/read/latency_ns/p50":       "sdb: read: latency: median 1.50 s",
		"/devices/0/read/depth/mean_busy":      "sda: read: queue depth: mean while busy 1,500,000,000",
		"/time_stack/slices/0/ns":              "time: device reading 1.50 s",
		"/devices/7/write/bytes":               "devices, 8: write: bytes 1.50 GB",
		"/trace/io_limits/1/write_bytes_per_s": "trace: limit of a cgroup 2: write speed 1.50 GB/s",
		"/wall_ns":                             "time to return 1.50 s",
	} {
		where, value := Proof(p, &profile.Evidence{Pointer: pointer, Value: 1.5e9})
		if got := where + " " + value; got != want {
			t.Errorf("%s: %q, want %q", pointer, got, want)
		}
		if strings.ContainsAny(where, "_") {
			t.Errorf("%s: %q is no word", pointer, where)
		}
	}
}

// Times that stand side by side have one unit.
func TestTimesHaveOneUnit(t *testing.T) {
	f := &profile.Flow{Count: 2, Latency: profile.Dist{Count: 2, Max: 2e9, P50: 25e3, P99: 38e6}}
	p := &profile.Profile{Layers: []profile.Layer{{Name: "calls", Read: f}},
		Calls: []profile.Call{{Op: trace.OpRead, Name: "read", Count: 2, TimeNS: 2e9, Latency: f.Latency}}}
	units := map[string]bool{}
	for _, c := range append(Devices(p).Columns, Calls(p).Columns...) {
		if name, unit, _ := strings.Cut(c.Title, " "); unit != "" && (name == "p50" || name == "p99" || name == "max") {
			units[unit] = true
		}
	}
	if len(units) != 1 {
		t.Errorf("units are %v", units)
	}
}
