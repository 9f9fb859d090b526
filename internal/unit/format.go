// Package unit prints and parses the quantities iotrace speaks of: bytes, rates,
// durations, counts, shares and lists. Every sentence and table words them through it,
// and the page does the same: testdata/vectors.json holds both to it.
//
// A decimal prefix is a power of 1000 (MB = 10^6 bytes) and a binary prefix a
// power of 1024 (MiB = 2^20 bytes), in output and in input. Amounts and rates
// are printed in decimal units, block sizes in binary ones. Numbers have three
// significant digits; whole bytes and nanoseconds are exact.
package unit

import (
	"math"
	"strconv"
	"time"
)

// scale is one step of a ladder of units, its factor relative to the base.
type scale struct {
	factor float64
	name   string
}

var (
	decimal = []scale{{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}, {1e15, "PB"}, {1e18, "EB"}}
	binary  = []scale{{1, "B"}, {1 << 10, "KiB"}, {1 << 20, "MiB"}, {1 << 30, "GiB"}, {1 << 40, "TiB"}, {1 << 50, "PiB"},
		{1 << 60, "EiB"}}
	times = []scale{{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}}
)

// Bytes prints an amount of data in decimal units: "512 B", "1.07 GB".
func Bytes(n int64) string { return whole(n, decimal) }

// BlockSize prints a block or request size in binary units: "4 KiB",
// "1.25 MiB". Multiples of a unit have no decimals.
func BlockSize(n int64) string {
	for i := len(binary) - 1; i > 0; i-- {
		f := int64(binary[i].factor)
		if n != 0 && n%f == 0 && abs(n)/uint64(f) < 1024 {
			return strconv.FormatInt(n/f, 10) + " " + binary[i].name
		}
	}
	return whole(n, binary)
}

// Rate prints a transfer rate in decimal units: "1.98 GB/s".
func Rate(bytesPerSecond float64) string {
	if !finite(bytesPerSecond) {
		return "?"
	}
	return scaled(bytesPerSecond, decimal) + "/s"
}

// RateOver is the rate of n bytes in d, "?" if d is not positive.
func RateOver(n int64, d time.Duration) string {
	if d <= 0 {
		return "?"
	}
	return Rate(float64(n) / d.Seconds())
}

// Duration prints a time span: "350 ns", "1.25 ms", "12.0 s", "2m05s",
// "1h02m05s".
func Duration(d time.Duration) string {
	switch {
	case d > -1000 && d < 1000:
		return strconv.FormatInt(int64(d), 10) + " ns"
	case d < 0:
		if d == math.MinInt64 {
			d++ // has no positive counterpart; one nanosecond in 292 years
		}
		return "-" + Duration(-d)
	case d.Round(100*time.Millisecond) < time.Minute:
		return scaled(float64(d), times)
	}
	s := int64(math.Round(d.Seconds()))
	if s < 3600 {
		return strconv.FormatInt(s/60, 10) + "m" + twoDigits(s%60) + "s"
	}
	return strconv.FormatInt(s/3600, 10) + "h" + twoDigits(s/60%60) + "m" + twoDigits(s%60) + "s"
}

// Significant prints x with the given number of significant digits and no
// exponent: Significant(1234.5, 3) is "1234", as digits before the point are
// never dropped.
func Significant(x float64, digits int) string {
	if !finite(x) {
		return "?"
	}
	if x == 0 {
		return "0"
	}
	decimals := digits - 1 - exponent(x, digits)
	return strconv.FormatFloat(x, 'f', max(decimals, 0), 64)
}

// exponent is the power of ten of x's first digit once x is rounded to the
// given number of digits: 999.6 with three digits is 1.00e3.
func exponent(x float64, digits int) int {
	s := strconv.FormatFloat(x, 'e', digits-1, 64)
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == 'e' {
			e, _ := strconv.Atoi(s[i+1:])
			return e
		}
	}
	return 0
}

// whole prints n exactly while it has no prefix.
func whole(n int64, ladder []scale) string {
	if abs(n) < uint64(ladder[1].factor) {
		return strconv.FormatInt(n, 10) + " " + ladder[0].name
	}
	return scaled(float64(n), ladder)
}

func scaled(x float64, ladder []scale) string {
	v, name := step(x, ladder)
	return Significant(v, 3) + " " + name
}

// step chooses the unit for x. The decision is made on the rounded value, so
// that 999,999 bytes are 1.00 MB and not 1000 kB.
func step(x float64, ladder []scale) (float64, string) {
	i := 0
	for ; i+1 < len(ladder); i++ {
		ratio := ladder[i+1].factor / ladder[i].factor
		if math.Abs(x)/ladder[i].factor < ratio-0.5 {
			break
		}
	}
	return x / ladder[i].factor, ladder[i].name
}

func twoDigits(n int64) string {
	if n < 10 {
		return "0" + strconv.FormatInt(n, 10)
	}
	return strconv.FormatInt(n, 10)
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func abs(n int64) uint64 {
	if n < 0 {
		return uint64(-(n + 1)) + 1
	}
	return uint64(n)
}
