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
