package convert

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf8"
)

// Kinds of bytes.
const (
	ofWord = iota
	blank
	wide // part of a character that may be a blank
)

var kinds = func() (all [256]byte) {
	for _, c := range "\t\n\v\f\r " {
		all[c] = blank
	}
	for c := utf8.RuneSelf; c < len(all); c++ {
		all[c] = wide
	}
	return all
}()

// SplitFields adds the words of a line to a list: those that bytes.Fields finds, parts of the line.
func SplitFields(list [][]byte, line []byte) [][]byte {
	for first, i := len(list), 0; ; {
		for i < len(line) && kinds[line[i]] == blank {
			i++
		}
		begin := i
		for i < len(line) && kinds[line[i]] == ofWord {
			i++
		}
		switch {
		case i < len(line) && kinds[line[i]] == wide:
			return append(list[:first], bytes.Fields(line)...)
		case i == begin:
			return list
		}
		list = append(list, line[begin:i])
	}
}

// ParseUint reads a number of decimal digits that fits into a number of bits.
func ParseUint(text []byte, bits int) (n uint64, ok bool) {
	if len(text) == 0 {
		return 0, false
	}
	for _, c := range text {
		d := uint64(c - '0')
		if d > 9 || n > math.MaxUint64/10 || n*10 > math.MaxUint64-d {
			return 0, false
		}
		n = n*10 + d
	}
	return n, n>>1>>(bits-1) == 0
}

// ParseInt reads such a number with or without a sign.
func ParseInt(text []byte, bits int) (int64, bool) {
	negative := false
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		negative, text = text[0] == '-', text[1:]
	}
	n, ok := ParseUint(text, 64)
	switch limit := uint64(1) << (bits - 1); {
	case !ok, n > limit, n == limit && !negative:
		return 0, false
	case negative:
		return -int64(n), true
	}
	return int64(n), true
}

// ParseHex reads a number of hexadecimal digits.
func ParseHex(text []byte) (n uint64, ok bool) {
	if len(text) == 0 {
		return 0, false
	}
	for _, c := range text {
		d := digits[c]
		if d > 15 || n>>60 != 0 {
			return 0, false
		}
		n = n<<4 | uint64(d)
	}
	return n, true
}

// ParseLiteral reads a number as C writes it, with or without a sign. One that needs all 64 bits is below zero.
func ParseLiteral(text []byte) (int64, bool) {
	digits := text
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		digits = text[1:]
	}
	switch {
	case len(digits) == 0 || digits[0] < '0' || digits[0] > '9':
		return 0, false // a word
	case digits[0] != '0' || len(digits) == 1:
		if n, ok := ParseInt(text, 64); ok {
			return n, true
		}
	case len(text) > 2 && text[1] == 'x':
		if n, ok := ParseHex(text[2:]); ok {
			return int64(n), true
		}
	}
	if n, err := strconv.ParseInt(string(text), 0, 64); err == nil {
		return n, true
	}
	n, err := strconv.ParseUint(string(text), 0, 64)
	return int64(n), err == nil
}

// digits are the values of the bytes that are hexadecimal digits, 16 for others.
var digits = func() (all [256]byte) {
	for i := range all {
		all[i] = 16
	}
	for i, c := range "0123456789abcdef" {
		all[c] = byte(i)
	}
	for i, c := range "ABCDEF" {
		all[c] = byte(10 + i)
	}
	return all
}()

// Bounds of what is kept: the number of texts, and the bytes of one.
const (
	maxTexts = 1 << 16
	maxText  = 256
)

// Texts are texts that come again and again: each is made once.
type Texts struct {
	all  map[string]string
	last string
}

// Get is the text of some bytes.
func (t *Texts) Get(b []byte) string {
	if string(b) == t.last {
		return t.last
	}
	text, known := t.all[string(b)]
	if !known {
		if text = string(b); len(t.all) < maxTexts && len(b) <= maxText {
			if t.all == nil {
				t.all = map[string]string{}
			}
			t.all[text] = text
		}
	}
	t.last = text
	return text
}
