package course

import (
	"math"
	"testing"

	"github.com/iotrace/iotrace/analyzer/measure"
)

// A heat map ends with the greatest value there is.
func TestHeatOfTheGreatestValue(t *testing.T) {
	s := newSeries("calls", "", "read", 0, 1000, 10)
	s.add(0, math.MaxInt64, math.MaxInt64)
	h := s.heat("size", func(b *bin) *measure.Histogram { return &b.size })
	if len(h.Rows) == 0 || len(h.Rows) > 300 {
		t.Errorf("%d rows", len(h.Rows))
	}
}

// So many operations in flight that each begins and ends in bins of its own are
// given up at that level.
func TestZoomOfManyInFlight(t *testing.T) {
	z := &zoom{width: 1, bins: 1 << 40, whole: true, heated: true}
	c := z.curve()
	for i := range int64(4 * zoomOpen) {
		c.add(i, 1<<30+i, 4096)
	}
	if len(c.open) > zoomOpen+8 || !z.dead {
		t.Errorf("%d open bins, dead is %v", len(c.open), z.dead)
	}
}
