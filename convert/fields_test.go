package convert

import (
	"bytes"
	"strconv"
	"testing"
)

// FuzzFields compares with what the standard library finds.
func FuzzFields(f *testing.F) {
	for _, text := range []string{"", " a  bc\td\r", "a\u00a0b c", "18446744073709551615", "18446744073709551616", "-128", "+127",
		"-129", "128", "255", "256", "ffFF", "10000000000000000", "7 ", "-", "0x1", "1_0", "010", "0x_1", "-0x8000000000000000", "0xFFFFFFFFFFFFFFFF", "\x80", "9223372036854775808",
		"-9223372036854775808", "4294967296", "4294967295"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if got, want := SplitFields(nil, text), bytes.Fields(text); !bytes.Equal(bytes.Join(got, []byte("|")),
			bytes.Join(want, []byte("|"))) || len(got) != len(want) {
			t.Errorf("words of %q: %q", text, got)
		}
		for _, bits := range []int{8, 32, 41, 64} {
			n, ok := ParseUint(text, bits)
			if want, err := strconv.ParseUint(string(text), 10, bits); ok != (err == nil) || ok && n != want {
				t.Errorf("%q in %d bits: %d %v", text, bits, n, ok)
			}
			i, ok := ParseInt(text, bits)
			if want, err := strconv.ParseInt(string(text), 10, bits); ok != (err == nil) || ok && i != want {
				t.Errorf("%q in %d bits and a sign: %d %v", text, bits, i, ok)
			}
		}
		n, ok := ParseHex(text)
		if want, err := strconv.ParseUint(string(text), 16, 64); ok != (err == nil) || ok && n != want {
			t.Errorf("%q in hexadecimal: %d %v", text, n, ok)
		}
		i, ok := ParseLiteral(text)
		want, err := strconv.ParseInt(string(text), 0, 64)
		if large, err2 := strconv.ParseUint(string(text), 0, 64); err != nil && err2 == nil {
			want, err = int64(large), nil
		}
		if ok != (err == nil) || ok && i != want {
			t.Errorf("%q as in C: %d %v", text, i, ok)
		}
		if got := new(Texts).Get(text); got != string(text) {
			t.Errorf("%q is %q", text, got)
		}
	})
}
