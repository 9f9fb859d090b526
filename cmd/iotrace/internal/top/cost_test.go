package top

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// measured is a source that only knows what it has lost and cost.
type measured struct {
	tracer.Source
	stats tracer.Stats
}

func (m *measured) Stats() tracer.Stats { return m.stats }

// The cost of probes is told over several looks at it, not as nothing and twice as much by turns.
func TestCostOfProbesIsSteady(t *testing.T) {
	source := &measured{}
	at := int64(0)
	s := &session{source: &tracer.Following{Source: source}, now: func() int64 { return at }}
	s.spend()
	for second := range int64(20) {
		at += 1e9
		if second%2 == 1 { // the source looks at it every two seconds
			source.stats.Cost.ProbeCPU += 2e8
		}
		s.spend()
		if _, probes := s.shares(); second >= 5 && (probes < .099 || probes > .101) {
			t.Errorf("after %d s: %v, want 0.1", second+1, probes)
		}
	}
	if len(s.costs) > 6 {
		t.Errorf("%d costs are kept", len(s.costs))
	}
}

// What is lost is told once, whether the stream tells it, the source counts it, or both do.
func TestLossesAreToldOnce(t *testing.T) {
	source := &measured{stats: tracer.Stats{Lost: map[trace.Kind]uint64{}}}
	s := &session{source: &tracer.Following{Source: source}}
	for n, c := range []struct{ streamed, counted, want uint64 }{
		{0, 0, 0}, {0, 5, 5}, {0, 5, 0}, {0, 8, 3}, {8, 8, 0}, {2, 8, 2}, {0, 10, 0},
	} {
		source.stats.Lost[trace.KindRequest] = c.counted
		if got := s.losses(c.streamed); got != c.want {
			t.Errorf("step %d: %d, want %d", n, got, c.want)
		}
	}
}
