package experiment

import (
	"testing"
	"time"
)

// What a run takes follows from the last two pilots: a part that is always the same, and one that grows with the
// payload.
func TestPilotIsScaled(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		runs    []pilotRun
		payload int64
		want    time.Duration
	}{
		{nil, 64 << 20, 0},
		{[]pilotRun{{payload: 1 << 20, took: 2 * s}}, 1 << 20, 2 * s},
		{[]pilotRun{{payload: 1 << 20, took: 2 * s}}, 512 << 20, 1024 * s}, // too slow for another
		{[]pilotRun{{payload: 1 << 20, took: s}, {payload: 8 << 20, took: 8 * s}}, 8 << 20, 8 * s},
		// 2 s whatever the payload
		{[]pilotRun{{payload: 1 << 20, took: 3 * s}, {payload: 8 << 20, took: 10 * s}}, 64 << 20, 66 * s},
		{[]pilotRun{{payload: 1 << 20, took: 9 * s}, {payload: 8 << 20, took: 8 * s}, {payload: 64 << 20, took: 64 * s}},
			512 << 20, 512 * s},
		{[]pilotRun{{payload: 1 << 20, took: 4 * s}, {payload: 8 << 20, took: 3 * s}}, 64 << 20, 3 * s}, // nothing but noise
	} {
		if got := scaled(c.runs, c.payload); got != c.want {
			t.Errorf("%v, %d bytes: %v, want %v", c.runs, c.payload, got, c.want)
		}
	}
}
