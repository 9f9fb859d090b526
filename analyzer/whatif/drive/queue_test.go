package drive

import "testing"

// A queue serves in order, never more at once than it has places, and its link
// never carries more than its rate.
func TestQueue(t *testing.T) {
	q := queue{Model: Model{Latency: [services]float64{100, 100, 100, 100, 0}, Rate: [2]float64{1, 1}, Parallel: 2}}
	for i, c := range []struct{ at, want float64 }{{0, 110}, {0, 120}, {0, 220}, {0, 230}, {1000, 1110}} {
		if got := q.serve(c.at, randomRead, 10, 0); got != c.want {
			t.Errorf("request %d: complete at %v, want %v", i, got, c.want)
		}
	}
}
