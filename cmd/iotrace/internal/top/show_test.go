package top

import (
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// An interval as long as a recording has the numbers of `show`: requests, bytes, median, 99th percentile and maximum.
// What others did at the same devices is not among those of `show`.
func TestAnIntervalIsAsShow(t *testing.T) {
	paths, err := filepath.Glob("../../../../testdata/*.iotrace")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, path := range paths {
		p, err := analyzer.Analyze(path, analyzer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		shown := map[string]profile.Device{}
		for _, d := range p.Devices {
			shown[d.ID] = d
		}
		for _, d := range wholeInterval(t, path).Devices {
			for what, flows := range map[string]struct {
				top  Flow
				show *profile.Flow
			}{"read": {d.Read, shown[d.ID].Read}, "write": {d.Write, shown[d.ID].Write}} {
				if flows.top.Requests > 0 {
					compared++
					sameFlow(t, filepath.Base(path)+", "+d.Name+", "+what, flows.top, flows.show)
				}
			}
		}
	}
	if compared < 10 {
		t.Errorf("only %d directions of devices were compared", compared)
	}
}

// wholeInterval is one that has all requests of a recording.
func wholeInterval(t *testing.T, path string) *Interval {
	t.Helper()
	const forever = int64(1) << 60
	a := newActivity(activityOptions{Every: forever})
	_, err := tracefile.Each(path, func(b *trace.Batch) {
		for i := range b.Devices {
			if err := a.Device(&b.Devices[i]); err != nil {
				t.Fatal(err)
			}
		}
		for i := range b.Requests {
			if q := &b.Requests[i]; q.Flags&trace.ReqForeign == 0 {
				if err := a.Request(q); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return a.Take(forever)
}

func sameFlow(t *testing.T, what string, top Flow, show *profile.Flow) {
	t.Helper()
	if show == nil || top.Latency == nil {
		t.Errorf("%s: %+v, %+v", what, top, show)
		return
	}
	l := show.Latency
	if top.Requests != show.Count || top.Bytes != show.Bytes || top.Latency.Max != l.Max ||
		!near(top.Latency.P50, l.P50) || !near(top.Latency.P99, l.P99) {
		t.Errorf("%s: %d requests, %d bytes, %+v; show has %d, %d, p50 %d, p99 %d, max %d", what, top.Requests, top.Bytes,
			*top.Latency, show.Count, show.Bytes, l.P50, l.P99, l.Max)
	}
}

// near reports whether two percentiles are the same but for what a histogram is off (1.6 %).
func near(a, b int64) bool { return max(a, b)-min(a, b) <= max(a, b)*16/1000 }
