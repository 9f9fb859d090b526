package unit

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Share prints a share of one: "43 %", "0.2 %".
func Share(share float64) string {
	p := share * 100
	switch {
	case math.IsNaN(p) || math.IsInf(p, 0):
		return "?"
	case p <= 0:
		return "0 %"
	case p < 0.1:
		return "<0.1 %"
	case p < 9.95:
		return Significant(p, 2) + " %"
	}
	return strconv.FormatFloat(p, 'f', 0, 64) + " %"
}

// Grouped prints a number of things in groups of three: "1,048,576" from five
// digits on.
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	if n < 0 || len(s) < 5 {
		return s
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Things prints a number of things with their noun: "1 file", "12,000 files".
func Things(n int64, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "s"):
		noun += "e"
	}
	return Grouped(n) + " " + noun + "s"
}

func Nanoseconds(ns int64) string { return Duration(time.Duration(ns)) }

func Speed(bytes int64) string { return Rate(float64(bytes)) }

// List joins words as a sentence does: "a, b and c".
func List(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
