package text

import (
	"math"
	"strings"
	"testing"
)

func TestSeconds(t *testing.T) {
	for ns, want := range map[int64]string{
		0: "0.000000000", 1: "0.000000001", 999_999_999: "0.999999999", 1_000_000_000: "1.000000000",
		12_345_678_901: "12.345678901",
		-1:             "-0.000000001", math.MinInt64: "-9223372036.854775808", math.MaxInt64: "9223372036.854775807",
	} {
		if got := string(appendSeconds(nil, ns, 0)); got != want {
			t.Errorf("%d ns: %q, want %q", ns, got, want)
		}
		if got := string(appendSeconds(nil, ns, 25)); len(got) != 25 || strings.TrimLeft(got, " ") != want {
			t.Errorf("%d ns, 25 wide: %q", ns, got)
		}
	}
}
