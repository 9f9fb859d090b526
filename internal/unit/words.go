package unit

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Nanoseconds prints a time span as Duration does.
func Nanoseconds(ns int64) string { return Duration(time.Duration(ns)) }

// Speed prints a transfer rate of whole bytes per second as Rate does.
func Speed(bytesPerSecond int64) string { return Rate(float64(bytesPerSecond)) }

// Share prints a part of a whole, 1 being all of it: "0.4 %", "5.2 %", "43 %". It is
// 0 % or 100 % only if it is: what is nearly nothing or nearly all is "<0.1 %", ">99 %".
func Share(part float64) string {
	p := part * 100
	switch {
	case !finite(p):
		return "?"
	case p < 0:
		return "-" + Share(-part)
	case p == 0:
		return "0 %"
	case p < 0.1:
		return "<0.1 %"
	case p < 9.95:
		return strings.TrimSuffix(strconv.FormatFloat(p, 'f', 1, 64), ".0") + " %"
	case p > 99.5 && p < 100:
		return ">99 %"
	}
	return strconv.FormatFloat(p, 'f', 0, 64) + " %"
}

// Count prints a number of things, exactly: "999", "12,345".
func Count(n int64) string {
	s := strconv.FormatUint(abs(n), 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if n < 0 {
		return "-" + s
	}
	return s
}

// Number prints a number without a unit, such as a queue depth: as a count if it is
// whole or has no room for decimals, or else with three significant digits.
func Number(x float64) string {
	if (x == math.Trunc(x) || math.Abs(x) >= 999.5) && math.Abs(x) < 1<<53 {
		return Count(int64(math.RoundToEven(x)))
	}
	return Significant(x, 3)
}

// Things prints a number of things with their noun: "1 file", "12,000 copies". A plural that does not follow the rule
// is given as well: "1 file was", "2 files were".
func Things(n int64, noun string, many ...string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case len(many) > 0:
		return Count(n) + " " + many[0]
	}
	return Count(n) + " " + plural(noun)
}

func plural(noun string) string {
	last := len(noun) - 1
	switch {
	case noun[last] == 's':
		return noun + "es"
	case noun[last] == 'y' && !strings.ContainsRune("aeiou", rune(noun[last-1])):
		return noun[:last] + "ies"
	}
	return noun + "s"
}

// List joins words as a sentence does: "a", "a and b", "a, b and c".
func List(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}
