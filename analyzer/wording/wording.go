// Package wording puts the numbers of an analysis into words, the same way as
// everywhere in the product.
package wording

import (
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// Times words the middle of a distribution of times: "5 µs", "150 to 400 µs".
func Times(d *profile.Dist) string {
	if d.P90 < 2*d.P10 || d.P10 == 0 && d.P90 < 1000 {
		return unit.Nanoseconds(d.P50)
	}
	return unit.Nanoseconds(d.P10) + " to " + unit.Nanoseconds(d.P90)
}

// Each words what each of some operations took: the middle of the times, and the longest one where it is much of all.
// Where few took most of the time, the middle says nothing of it.
func Each(d *profile.Dist) string {
	switch {
	case d.Count == 1:
		return Times(d)
	case 2*d.P90*d.Count < d.Sum && 2*d.Max < d.Sum:
		return unit.Nanoseconds(d.Sum) + " in all, the longest " + unit.Nanoseconds(d.Max)
	case d.Max > 2*d.P90 && d.Max > d.Sum/4:
		return Times(d) + " each, the longest " + unit.Nanoseconds(d.Max)
	}
	return Times(d) + " each"
}

// IOLimit is one of the numbers of a limit of I/O.
type IOLimit struct {
	Verb    string // "read", "write"
	Pointer string // of the number within the limit
	Of      func(*profile.IOLimit) int64
	Text    func(int64) string
}

// Bytes reports whether the limit is one of bytes, not of requests.
func (l *IOLimit) Bytes() bool { return strings.HasSuffix(l.Pointer, "_bytes_per_s") }

// IOLimits are the numbers that a limit can have.
func IOLimits() []IOLimit {
	requests := func(n int64) string { return unit.Things(n, "request") + " a second" }
	return []IOLimit{
		{"read", "/read_bytes_per_s", func(l *profile.IOLimit) int64 { return l.ReadBytes }, unit.Speed},
		{"write", "/write_bytes_per_s", func(l *profile.IOLimit) int64 { return l.WriteBytes }, unit.Speed},
		{"read", "/reads_per_s", func(l *profile.IOLimit) int64 { return l.Reads }, requests},
		{"write", "/writes_per_s", func(l *profile.IOLimit) int64 { return l.Writes }, requests},
	}
}

// Sizes words the usual size of an operation.
func Sizes(d *profile.Dist) string {
	if len(d.Top) > 0 && d.Top[0].Count*2 > d.Count {
		return unit.BlockSize(d.Top[0].Value)
	}
	if d.P90 < 2*d.P10 {
		return unit.BlockSize(d.P50)
	}
	return unit.BlockSize(d.P10) + " to " + unit.BlockSize(d.P90)
}
