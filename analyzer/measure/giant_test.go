package measure

import "testing"

// Extents of terabytes are not counted block by block.
func TestRegionsOfGiants(t *testing.T) {
	var r Regions
	for i := range int64(10_000) {
		r.Add(i<<40, 1<<39)
	}
	if got := r.Bytes(); got < maxExtents/2<<39 {
		t.Errorf("%d bytes", got)
	}
	if len(r.exact.List) > maxExtents {
		t.Errorf("%d extents", len(r.exact.List))
	}
}

// TestLongExtents: extents too many to be kept and too long for their blocks to be counted are counted all the same,
// once each.
func TestLongExtents(t *testing.T) {
	for _, size := range []int64{512 << 10, 3 << 20, 16 << 20, 64 << 20} {
		var r Regions
		const n = 500
		for round := range int64(2) {
			for i := range int64(n) {
				at := i * 7919 % n * 3 * size
				r.Add(at+round*4096, size-round*4096) // what is touched again counts once
			}
		}
		if got := float64(r.Bytes()) / float64(n*size); got < .93 || got > 1.07 {
			t.Errorf("%d extents of %d bytes: %.3f of their bytes", n, size, got)
		}
	}
}
