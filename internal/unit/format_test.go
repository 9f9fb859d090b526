package unit

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 1: "1 B", 999: "999 B", 1000: "1.00 kB", 1024: "1.02 kB", -2048: "-2.05 kB",
		9_999: "10.0 kB", 999_499: "999 kB", 999_500: "1.00 MB", 1 << 20: "1.05 MB", 1 << 30: "1.07 GB",
		math.MaxInt64: "9.22 EB", math.MinInt64: "-9.22 EB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestBlockSize(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 512: "512 B", 1000: "1000 B", 4096: "4 KiB", 128 << 10: "128 KiB", 1 << 20: "1 MiB",
		1280 << 10: "1.25 MiB", 65_000: "63.5 KiB", 5 << 30: "5 GiB", -4096: "-4 KiB", math.MinInt64: "-8 EiB",
		1<<20 - 1: "1.00 MiB",
	} {
		if got := BlockSize(n); got != want {
			t.Errorf("BlockSize(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestRate(t *testing.T) {
	for bps, want := range map[float64]string{
		0: "0 B/s", 1.98e9: "1.98 GB/s", 4400e6: "4.40 GB/s", 0.5: "0.500 B/s",
		math.Inf(1): "?", math.NaN(): "?",
	} {
		if got := Rate(bps); got != want {
			t.Errorf("Rate(%g) = %q, want %q", bps, got, want)
		}
	}
	if got := RateOver(1<<30, 2*time.Second); got != "537 MB/s" {
		t.Errorf("RateOver = %q", got)
	}
	if got := RateOver(1, 0); got != "?" {
		t.Errorf("a rate over no time is not computable, got %q", got)
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 12_345: "12,345", -1500: "-1,500",
		math.MinInt64: "-9,223,372,036,854,775,808"} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 ns", 999: "999 ns", 1000: "1.00 µs", 1_250_000: "1.25 ms", 999_999: "1.00 ms", 12 * time.Second: "12.0 s",
		59_940 * time.Millisecond: "59.9 s", 59_970 * time.Millisecond: "1m00s", 125 * time.Second: "2m05s",
		3725 * time.Second: "1h02m05s", -1500: "-1.50 µs", 100 * time.Hour: "100h00m00s",
	} {
		if got := Duration(d); got != want {
			t.Errorf("Duration(%d) = %q, want %q", d, got, want)
		}
	}
}

// What is printed, read again, is within half a unit in the third digit and the
// fraction of a byte that reading cuts.
func TestPrintedAmountsParseBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 8e18).Draw(t, "n")
		for _, text := range []string{Bytes(n), BlockSize(n)} {
			back, err := ParseBytes(text)
			if err != nil {
				t.Fatalf("%d prints as %q: %v", n, text, err)
			}
			if diff := math.Abs(float64(back - n)); diff > float64(n)*0.00501+1 {
				t.Fatalf("%d prints as %q, which is %d", n, text, back)
			}
		}
	})
}

func TestDurationHasThreeDigitsBelowAMinute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(1000, int64(59*time.Second)).Draw(t, "d"))
		number, _, _ := strings.Cut(Duration(d), " ")
		if digits := len(strings.TrimLeft(strings.ReplaceAll(number, ".", ""), "0")); digits != 3 {
			t.Fatalf("%d ns prints as %q", d, number)
		}
	})
}
