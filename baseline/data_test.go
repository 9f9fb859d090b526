package baseline

import (
	"bytes"
	"compress/flate"
	"io"
	"testing"
	"unsafe"
)

func filled(t *testing.T, n int, block int64, kind Data, seed uint64) *buffers {
	t.Helper()
	b, err := newBuffers(n, block)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.free(); err != nil {
			t.Error(err)
		}
	})
	b.fill(kind, seed)
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
	b := filled(t, 3, 513, Zero, 0)
	for i := range 3 {
		p := b.at(i)
		if len(p) != 513 || cap(p) != 513 || uintptr(unsafe.Pointer(&p[0]))%sector != 0 {
			t.Errorf("buffer %d: length %d, capacity %d, address %p", i, len(p), cap(p), &p[0])
		}
		p[512] = byte(i + 1)
	}
	if b.at(0)[512] != 1 || b.at(1)[512] != 2 {
		t.Error("buffers overlap")
	}
}

func TestDataIsOfItsKind(t *testing.T) {
	const block = 3 * mib
	random := filled(t, 1, block, RandomData, 1).at(0)
	if n := compressed(t, random); n < block*99/100 {
		t.Errorf("random data compresses from %d to %d", block, n)
	}
	if other := filled(t, 1, block, RandomData, 2).at(0); bytes.Equal(random, other) {
		t.Error("random data is the same in two runs")
	}
	two := filled(t, 2, block, Repeat1MiB, 1)
	p := two.at(0)
	if !bytes.Equal(p[:mib], p[mib:2*mib]) || !bytes.Equal(p, two.at(1)) || compressed(t, p[:mib]) < mib*99/100 {
		t.Error("repeated data is not one incompressible MiB over and over")
	}
	if p := filled(t, 1, block, Zero, 1).at(0); !bytes.Equal(p, make([]byte, block)) {
		t.Error("zero data is not zero")
	}
	if p := filled(t, 1, block, ByteA, 1).at(0); !bytes.Equal(p, bytes.Repeat([]byte{0x41}, block)) {
		t.Error("0x41 data is not 0x41")
	}
}

func TestStampsAreUnique(t *testing.T) {
	p := filled(t, 1, mib, RandomData, 1).at(0)
	seen := map[string]bool{}
	for operation := range int64(64) {
		stamp(p, 7, operation)
		for i := 0; i < len(p); i += sector {
			seen[string(p[i:i+8])] = true
		}
	}
	if want := 64 * mib / sector; len(seen) != want {
		t.Errorf("%d different sectors of %d", len(seen), want)
	}
}
