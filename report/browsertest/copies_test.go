package browsertest

import "testing"

// TestCopiesLaneOfMany checks that the lane of copies is drawn on a telephone too, where they lie closer than a pixel.
func TestCopiesLaneOfMany(t *testing.T) {
	for _, width := range []int64{1400, 390} {
		b := open(t, write(t, reported(t, "copy-tree")), width, 844)
		b.do("iotrace.drawAll()")
		if n := eval[int](b, `(() => { const c = [...iotrace.drawn.values()].find((e) => e.spec.title === 'Copies');
			return c.rects.length; })()`); n == 0 {
			t.Errorf("at a width of %d no copy is drawn", width)
		}
	}
}
