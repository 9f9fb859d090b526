package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/stats/internal/cases"
)

func spans() *rapid.Generator[[]Span] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Span {
		start := rapid.Int64Range(-50, 1000).Draw(t, "start")
		return Span{start, start + rapid.Int64Range(-5, 300).Draw(t, "latency")}
	}), 0, 60)
}

// TestDepthTickByTick compares with counting at every nanosecond.
func TestDepthTickByTick(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ops := spans().Draw(t, "ops")
		start := rapid.Int64Range(-10, 500).Draw(t, "from")
		end := rapid.Int64Range(-10, 1500).Draw(t, "to")
		want := InFlight{}
		for at := start; at < end; at++ {
			depth := 0
			for _, o := range ops {
				if o.Start <= at && at < o.End {
					depth++
				}
			}
			want.Wall++
			want.Integral += float64(depth)
			want.Latency += float64(depth)
			want.Max = max(want.Max, depth)
			if depth > 0 {
				want.Busy++
			}
		}
		if got := Depth(ops, start, end); got != want {
			t.Fatalf("%+v, want %+v", got, want)
		}
	})
}

func TestDepthLittlesLaw(t *testing.T) {
	// Eight requests at a time, 238 µs each: 1 MiB at 4.4 GB/s.
	var ops []Span
	for i := range int64(100000) {
		start := i * 238000 / 8
		ops = append(ops, Span{start, start + 238000})
	}
	f := Depth(ops, 0, ops[len(ops)-1].End)
	if math.Abs(f.Integral/f.Latency-1) > 1e-9 {
		t.Errorf("integral of depth %g, sum of latencies %g", f.Integral, f.Latency)
	}
	cases.Check(t, "mean depth", f.OverWall(), 8, 1e-3)
	if f.Max != 8 {
		t.Errorf("maximum %d", f.Max)
	}
	idle := Depth(ops, 0, 2*ops[len(ops)-1].End)
	cases.Check(t, "over twice the time", idle.OverWall(), 4, 1e-3)
	cases.Check(t, "over busy time", idle.OverBusy(), f.OverBusy(), 1e-12)
	if e := Depth(ops, 5, 5); e.OverWall() != 0 || e.OverBusy() != 0 {
		t.Errorf("empty window: %+v", e)
	}
}

func BenchmarkDepth(b *testing.B) {
	ops := make([]Span, 100000)
	for i := range ops {
		start := int64(i * 7919 % 100000 * 1000)
		ops[i] = Span{start, start + 8000}
	}
	for b.Loop() {
		Depth(ops, 0, 1e9)
	}
}
