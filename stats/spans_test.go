package stats

import "testing"

func TestUnion(t *testing.T) {
	for _, c := range []struct {
		spans [][2]int64
		want  int64
	}{
		{nil, 0},
		{[][2]int64{{5, 9}}, 4},
		{[][2]int64{{20, 30}, {0, 10}}, 20},         // apart, out of order
		{[][2]int64{{0, 10}, {5, 15}, {6, 7}}, 15},  // overlapping, one within another
		{[][2]int64{{0, 10}, {10, 12}, {4, 4}}, 12}, // touching, and one of no length
	} {
		if got := Union(c.spans); got != c.want {
			t.Errorf("%v: %d, want %d", c.spans, got, c.want)
		}
	}
}

func TestWithin(t *testing.T) {
	spans := [][2]int64{{0, 10}, {20, 30}, {40, 50}}
	for _, c := range []struct{ from, to, want int64 }{
		{0, 50, 30}, {10, 20, 0}, {5, 25, 10}, {22, 28, 6}, {45, 90, 5}, {60, 90, 0},
	} {
		if got := Within(spans, c.from, c.to); got != c.want {
			t.Errorf("from %d to %d: %d, want %d", c.from, c.to, got, c.want)
		}
	}
}
