package unit

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"
)

// byteUnits are the accepted suffixes, lower case. A lone letter is binary, as
// in fio and dd ("4k" is 4096 bytes); "kb" and "kB" are decimal.
var byteUnits = map[string]int64{
	"": 1, "b": 1,
	"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40, "p": 1 << 50, "e": 1 << 60,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40, "pib": 1 << 50, "eib": 1 << 60,
	"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "pb": 1e15, "eb": 1e18,
}

// ParseBytes reads an amount of data: "512", "4k", "4 KiB", "1.5 GB". Letters
// may be of either case. kB, MB, … are powers of 1000, KiB, MiB, … and the lone
// letters k, M, … powers of 1024. Fractions are cut to whole bytes. The result
// is never negative.
func ParseBytes(s string) (int64, error) {
	number, suffix := split(s)
	factor, ok := byteUnits[strings.ToLower(suffix)]
	if !ok || number == "" {
		return 0, fmt.Errorf("parsing size %q: want a number with an optional unit, such as 4k, 1MiB or 2.5GB", s)
	}
	n, err := times64(number, factor)
	if err != nil {
		return 0, fmt.Errorf("parsing size %q: %w", s, err)
	}
	return n, nil
}

// ParseDuration reads a time span: Go's form ("1m30s", "250ms"), or a bare
// number of seconds ("30", "0.5"). The result is never negative.
func ParseDuration(s string) (time.Duration, error) {
	if number, suffix := split(s); suffix == "" && number != "" {
		n, err := times64(number, int64(time.Second))
		if err != nil {
			return 0, fmt.Errorf("parsing duration %q: %w", s, err)
		}
		return time.Duration(n), nil
	}
	d, err := time.ParseDuration(strings.ReplaceAll(s, " ", ""))
	if err != nil || d < 0 {
		return 0, fmt.Errorf("parsing duration %q: want seconds or a time with units, such as 30, 250ms or 1m30s", s)
	}
	return d, nil
}

// ParseRate reads a transfer rate in bytes per second: "200MB/s", "1GiB/s", or
// a size alone.
func ParseRate(s string) (int64, error) {
	n, err := ParseBytes(strings.TrimSuffix(strings.TrimSpace(s), "/s"))
	if err != nil {
		return 0, fmt.Errorf("parsing rate %q: want a size per second, such as 200MB/s", s)
	}
	return n, nil
}

// split cuts "1.5 GB" into "1.5" and "GB". The number is "" if it is not digits
// with at most one point.
func split(s string) (number, suffix string) {
	s = strings.TrimSpace(s)
	i, points, digits := 0, 0, 0
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c == '.':
			points++
		default:
			return checked(s[:i], digits, points), strings.TrimSpace(s[i:])
		}
	}
	return checked(s, digits, points), ""
}

func checked(number string, digits, points int) string {
	// More digits than any int64 with 18 decimals has: not a quantity.
	if digits == 0 || points > 1 || digits > 40 {
		return ""
	}
	return number
}

// times64 is number × factor, cut to a whole number, without rounding on the
// way: 0.1 s is 100,000,000 ns.
func times64(number string, factor int64) (int64, error) {
	whole, fraction, _ := strings.Cut(number, ".")
	var part uint64 // of the fraction, from its last digit on: what is cut of one digit cannot change the whole
	for i := len(fraction) - 1; i >= 0; i-- {
		part = (uint64(fraction[i]-'0')*uint64(factor) + part) / 10
	}
	n, err := strconv.ParseUint("0"+whole, 10, 64)
	high, low := bits.Mul64(n, uint64(factor))
	if err != nil || high > 0 || low > math.MaxInt64-part {
		return 0, fmt.Errorf("more than %d", int64(math.MaxInt64))
	}
	return int64(low + part), nil
}
