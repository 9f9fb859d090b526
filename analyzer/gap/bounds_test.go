package gap

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: got %v, want %v ± %v", what, got, want, within)
	}
}

// TestPublishedCopy computes the bounds of a published copy: a drive that reads
// 5085 and writes 4400 MB/s copied at 1980 MB/s.
func TestPublishedCopy(t *testing.T) {
	near(t, "serial bound", serialCopy(5085, 4400), 2358.88, 0.01)
	near(t, "share of the read side", readShare(5085, 4400, 1980), 0.70796, 0.00002)
	b := Benchmark{}
	b.Read.Value, b.Write.Value = 5085e6, 4400e6
	w := &Workload{Bytes: 1e9, ReadBytes: 1e9, WriteBytes: 1e9, CallBytes: 2e9, Seconds: 1e9 / 1980e6, Files: 1}
	bounds := Bounds(w, b)
	if bounds[0].Code != "serial" || bounds[1].Code != "overlapped" {
		t.Fatal(bounds)
	}
	if _, ok := Explained(bounds); ok {
		t.Error("1980 MB/s is 16 % below the serial bound: it must not count as explained")
	}
	w.Seconds = 1e9 / 2300e6
	if got, ok := Explained(Bounds(w, b)); !ok || got.Code != "serial" {
		t.Error("2300 MB/s lies within 5 % of the serial bound")
	}
}

func TestOtherBounds(t *testing.T) {
	near(t, "overlapped", overlappedCopy(5000, 4000, 0), 4000, 0)
	near(t, "overlapped on a link", overlappedCopy(5000, 4000, 6000), 3000, 0)
	near(t, "Little", little(8, 1<<20, 0.002), 4194304000, 1)
	near(t, "per file", ratePerFile(5000, 0.0001, 5000*4096, 1e9), 20480000/(0.5+0.02048), 1)
	if !math.IsNaN(readShare(5085, 4400, 4500)) {
		t.Error("without a gap there is no share")
	}
}

func TestSerialCopyProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, w := rapid.Float64Range(1, 1e10).Draw(t, "read"), rapid.Float64Range(1, 1e10).Draw(t, "write")
		serial, overlapped := serialCopy(r, w), overlappedCopy(r, w, 0)
		if serial > overlapped*(1+1e-9) || serial < overlapped/2*(1-1e-9) {
			t.Fatalf("serial %v must lie between half of the overlapped bound and it (%v)", serial, overlapped)
		}
		if serialCopy(w, r) != serial {
			t.Fatal("not symmetric")
		}
	})
}
