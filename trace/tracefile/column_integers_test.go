package tracefile

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawColumn draws values with some structure: a stride, noise of any width,
// and outliers.
func drawColumn(t *rapid.T, n int) []uint64 {
	stride := rapid.Int64().Draw(t, "stride") >> rapid.IntRange(0, 63).Draw(t, "small")
	noise := rapid.IntRange(0, 64).Draw(t, "bits")
	v := make([]uint64, n)
	at := rapid.Uint64().Draw(t, "start")
	for i := range v {
		at += uint64(stride)
		v[i] = at + rapid.Uint64().Draw(t, "noise")>>noise
		if rapid.IntRange(0, 20).Draw(t, "outlier") == 0 {
			v[i] = rapid.Uint64().Draw(t, "value")
		}
	}
	return v
}

func TestIntegersRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "rows")
		want := drawColumn(t, n)
		keys := make([]uint64, n)
		for i := range keys {
			keys[i] = rapid.Uint64Range(0, 3).Draw(t, "key")
		}
		p := prediction(rapid.IntRange(0, int(numPredictions)-1).Draw(t, "prediction"))

		var e columnEncoder
		e.contexts.reset(n)
		e.contexts.add(keys)
		e.integers(slices.Clone(want), p)

		var d columnDecoder
		d.contexts.reset(n)
		d.contexts.add(keys)
		got := make([]uint64, n)
		if err := readIntegers(e.Raw, got, &d.contexts); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(want, got) {
			t.Fatalf("%d became %d", want, got)
		}
	})
}

// What is predictable takes no space, however many threads are interleaved.
func TestPredictableColumnsAreSmall(t *testing.T) {
	const n = 10000
	column := func(at func(i int) uint64) []uint64 {
		v := make([]uint64, n)
		for i := range v {
			v[i] = at(i)
		}
		return v
	}
	threads := column(func(i int) uint64 { return uint64(i*i*7) % 11 })
	for _, c := range []struct {
		name   string
		p      prediction
		column []uint64
		most   int // bytes
	}{
		{"constant", FromZero, column(func(int) uint64 { return 1 << 40 }), 20},
		{"stride", FromPrevious, column(func(i int) uint64 { return 1<<40 + uint64(i)*4096 }), 20},
		{"noise", FromZero, column(func(i int) uint64 { return 1<<40 + uint64(i*i)%256 }), n + 20},
		{"by thread", FromContext, column(func(i int) uint64 { return threads[i] * 1000 }), 2*n + 20},
	} {
		var e columnEncoder
		e.contexts.reset(n)
		e.contexts.add(threads)
		e.integers(c.column, c.p)
		if len(e.Raw) > c.most {
			t.Errorf("%s: %d bytes", c.name, len(e.Raw))
		}
	}
}

func TestMalformedIntegers(t *testing.T) {
	for _, b := range []string{"", "\x00", "\x00\x00", "\x09\x00\x00", "\x30\x00\x00", "\x01\x00\x00ab",
		"\x01\x00\x00abcd", "\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00", "\x20\x00\x00"} {
		if err := readIntegers([]byte(b), make([]uint64, 3), nil); err == nil {
			t.Errorf("%q was accepted", b)
		}
	}
}
