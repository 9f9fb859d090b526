package storage

import (
	"bytes"
	"compress/flate"
	"io"
	"testing"
	"unsafe"

	"github.com/iotrace/iotrace/baseline"
)

func filled(t *testing.T, n int, block int64, kind baseline.Data, seed uint64) *Buffers {
	t.Helper()
	b, err := NewBuffers(n, block)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Free(); err != nil {
			t.Error(err)
		}
	})
	b.Fill(kind, seed)
	return b
}

func compressed(t *testing.T, p []byte) int {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(w, bytes.NewReader(p)); err != nil {
		t.Fatal(err)
	}
	w.Close()
	return out.Len()
}

func TestBuffersAreAlignedAndApart(t *testing.T) {
	b := filled(t, 3, 513, baseline.Zero, 0)
	for i := range 3 {
		p := b.At(i)
		if len(p) != 513 || cap(p) != 513 || uintptr(unsafe.Pointer(&p[0]))%Sector != 0 {
			t.Errorf("buffer %d: length %d, capacity %d, address %p", i, len(p), cap(p), &p[0])
		}
		p[512] = byte(i + 1)
	}
	if b.At(0)[512] != 1 || b.At(1)[512] != 2 {
		t.Error("buffers overlap")
	}
}

func TestDataIsOfItsKind(t *testing.T) {
	const block = 3 * mib
	random := filled(t, 1, block, baseline.RandomData, 1).At(0)
	if n := compressed(t, random); n < block*99/100 {
		t.Errorf("random data compresses from %d to %d", block, n)
	}
	if other := filled(t, 1, block, baseline.RandomData, 2).At(0); bytes.Equal(random, other) {
		t.Error("random data is the same in two runs")
	}
	two := filled(t, 2, block, baseline.Repeat1MiB, 1)
	p := two.At(0)
	if !bytes.Equal(p[:mib], p[mib:2*mib]) || !bytes.Equal(p, two.At(1)) || compressed(t, p[:mib]) < mib*99/100 {
		t.Error("repeated data is not one incompressible MiB over and over")
	}
	if p := filled(t, 1, block, baseline.Zero, 1).At(0); !bytes.Equal(p, make([]byte, block)) {
		t.Error("zero data is not zero")
	}
	if p := filled(t, 1, block, baseline.ByteA, 1).At(0); !bytes.Equal(p, bytes.Repeat([]byte{0x41}, block)) {
		t.Error("0x41 data is not 0x41")
	}
}

func TestStampsAreUnique(t *testing.T) {
	p := filled(t, 1, mib, baseline.RandomData, 1).At(0)
	seen := map[string]bool{}
	for operation := range int64(64) {
		Stamp(p, 7, operation)
		for i := 0; i < len(p); i += Sector {
			seen[string(p[i:i+8])] = true
		}
	}
	if want := 64 * mib / Sector; len(seen) != want {
		t.Errorf("%d different sectors of %d", len(seen), want)
	}
}

func TestBlank(t *testing.T) {
	// The last sector is shorter: what is left of it after three quarters are none.
	for share, want := range map[float64]int{0: 0, 0.25: 3 * 1024, 1: 3*4096 + 2304} {
		p := bytes.Repeat([]byte{1}, 3*Sector+2304)
		Blank(p, share)
		if got := bytes.Count(p, []byte{0}); got != want {
			t.Errorf("share %v: %d zeros, want %d", share, got, want)
		}
	}
}
