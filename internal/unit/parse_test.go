package unit

import (
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseBytes(t *testing.T) {
	for s, want := range map[string]int64{
		"0": 0, "512": 512, "4k": 4096, "4K": 4096, "4 KiB": 4096, "1MiB": 1 << 20, "1MB": 1e6, "1 mb": 1e6, "2.5GB": 2.5e9,
		"0.1kB": 100, "1.0001k": 1024, " 7 B ": 7, ".5k": 512, "7E": 7 << 60, "9223372036854775807": 1<<63 - 1,
	} {
		if got, err := ParseBytes(s); err != nil || got != want {
			t.Errorf("ParseBytes(%q) = %d, %v; want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "k", "-1", "+1", "1.2.3", ".", "4 kk", "8E", "1e3", "0x10", "NaN", "1/2",
		"9223372036854775808"} {
		if got, err := ParseBytes(s); err == nil {
			t.Errorf("ParseBytes(%q) = %d, want an error", s, got)
		}
	}
}

// What is parsed is what exact arithmetic makes of it.
func TestTimes64(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.StringMatching(`[0-9]{0,22}\.?[0-9]{1,18}`).Draw(t, "number")
		factor := rapid.Int64Range(1, 1<<60).Draw(t, "factor")
		exact, _ := new(big.Rat).SetString(number)
		exact.Mul(exact, new(big.Rat).SetInt64(factor))
		want := new(big.Int).Quo(exact.Num(), exact.Denom())
		if got, err := times64(number, factor); (err == nil) != want.IsInt64() || err == nil && got != want.Int64() {
			t.Errorf("%s × %d is %d, %v; want %d", number, factor, got, err, want)
		}
	})
}

func TestParseDuration(t *testing.T) {
	for s, want := range map[string]time.Duration{
		"0": 0, "30": 30 * time.Second, "0.1": 100 * time.Millisecond, "250ms": 250 * time.Millisecond,
		"1m30s": 90 * time.Second, "1.25 ms": 1250 * time.Microsecond, "350 ns": 350,
	} {
		if got, err := ParseDuration(s); err != nil || got != want {
			t.Errorf("ParseDuration(%q) = %v, %v; want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "-1", "-1s", "1d", "abc", "10000000000"} {
		if got, err := ParseDuration(s); err == nil {
			t.Errorf("ParseDuration(%q) = %v, want an error", s, got)
		}
	}
}

// Whatever is accepted prints and parses again, and nothing panics.
func TestParseRate(t *testing.T) {
	for s, want := range map[string]int64{"200MB/s": 200e6, "1GiB/s": 1 << 30, "5k": 5120} {
		if got, err := ParseRate(s); err != nil || got != want {
			t.Errorf("ParseRate(%q) = %d, %v; want %d", s, got, err, want)
		}
	}
	if _, err := ParseRate("fast"); err == nil {
		t.Error("ParseRate accepted a word")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"4k", "1.5GiB", "30", "1m30s", "9e99", ".", "1 / 2", "\x00", "200MB/s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if n, err := ParseBytes(s); err == nil {
			if n < 0 {
				t.Fatalf("ParseBytes(%q) is negative: %d", s, n)
			}
			if _, err := ParseBytes(BlockSize(n)); err != nil && n < 7<<60 {
				t.Fatal(err)
			}
		}
		if d, err := ParseDuration(s); err == nil && d < 0 {
			t.Fatalf("ParseDuration(%q) is negative: %d", s, d)
		}
	})
}
