package text

import (
	"strconv"

	"github.com/iotrace/iotrace/trace"
)

// The pieces that lines of events are made of.

// separate appends a comma unless an opening parenthesis came just before.
func separate(b []byte) []byte {
	if len(b) > 0 && b[len(b)-1] == '(' {
		return b
	}
	return append(b, ", "...)
}

// appendOffset appends " @8192", or nothing if there is no offset.
func appendOffset(b []byte, offset int64) []byte {
	if offset == trace.NoOffset {
		return b
	}
	return strconv.AppendInt(append(b, " @"...), offset, 10)
}

func appendDuration(b []byte, ns int64) []byte {
	return append(appendSeconds(append(b, " <"...), ns, 0), '>')
}

// appendSeconds appends a time as seconds with all nine digits, at least width
// wide.
func appendSeconds(b []byte, ns int64, width int) []byte {
	var digits [24]byte
	d := strconv.AppendUint(digits[:0], magnitude(ns), 10)
	length := max(len(d), 10) + 1 // at least 0.000000000
	if ns < 0 {
		length++
	}
	b = eventsPad(b, len(b)+width-length)
	if ns < 0 {
		b = append(b, '-')
	}
	if len(d) > 9 {
		b = append(b, d[:len(d)-9]...)
		d = d[len(d)-9:]
	} else {
		b = append(b, '0')
	}
	b = append(b, '.')
	for range 9 - len(d) {
		b = append(b, '0')
	}
	return append(b, d...)
}

// eventsPad appends spaces until b is length long.
func eventsPad(b []byte, length int) []byte {
	for len(b) < length {
		b = append(b, ' ')
	}
	return b
}

// printable is a word that may come from outside, quoted if it is anything but
// plain.
func printable(word string) string {
	for i := 0; i < len(word); i++ {
		if c := word[i]; c <= ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return strconv.Quote(word)
		}
	}
	return word
}

func abs(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}

// magnitude is the distance from 0, of the smallest int64 too.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}
