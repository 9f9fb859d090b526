package strace

import "bytes"

// trim is bytes.TrimSpace, at once for what has at most one blank in front, as nearly all arguments.
func trim(s []byte) []byte {
	if len(s) > 0 && s[0] == ' ' {
		s = s[1:]
	}
	if n := len(s); n > 0 && s[0] > ' ' && s[0] < 0x7f && s[n-1] > ' ' && s[n-1] < 0x7f {
		return s
	}
	return bytes.TrimSpace(s)
}

// number reads the number that a text begins with: decimal, octal after 0, hexadecimal after 0x, with a sign. It
// returns how many bytes it takes, 0 if there is none. One that is larger than any has the largest value.
func number(s []byte) (n int64, length int) {
	i := 0
	negative := len(s) > 1 && s[0] == '-'
	if negative {
		i++
	}
	base := uint64(10)
	if i+1 < len(s) && s[i] == '0' {
		switch {
		case s[i+1] == 'x' && i+2 < len(s):
			base, i = 16, i+2
		case s[i+1] >= '0' && s[i+1] <= '7':
			base = 8
		}
	}
	value, from := uint64(0), i
	for ; i < len(s); i++ {
		d := digit(s[i])
		if d >= base {
			break
		}
		if value >= 1<<59 && value > (1<<64-1-d)/base { // below, no digit is too much
			value = 1<<64 - 1
			continue
		}
		value = value*base + d
	}
	if i == from {
		return 0, 0
	}
	if n = int64(value); negative {
		n = -n
	}
	return n, i
}

func digit(b byte) uint64 {
	switch {
	case b >= '0' && b <= '9':
		return uint64(b - '0')
	case b >= 'a' && b <= 'f':
		return uint64(b-'a') + 10
	}
	return 16
}

// seconds reads "12.000345" as nanoseconds, and returns how many bytes it takes, 0 if there is none.
func seconds(s []byte) (ns int64, length int) {
	i := 0
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		if ns = ns*10 + int64(s[i]-'0'); ns > maxSeconds {
			return 0, 0
		}
	}
	if i == 0 {
		return 0, 0
	}
	ns *= 1e9
	if i == len(s) || s[i] != '.' {
		return ns, i
	}
	i++
	fraction, unit := int64(0), 0
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		if unit < len(units)-1 {
			fraction = fraction*10 + int64(s[i]-'0')
			unit++
		}
	}
	return ns + fraction*units[unit], i
}

// units are what a fraction of so many digits is in, in ns.
var units = [...]int64{1e9, 1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 10, 1}

// maxSeconds is the largest number of them that is a time.
const maxSeconds = 1<<33 - 1

// unquote undoes the escapes of C: \n, \", \\, octal digits and, of -x, hexadecimal ones.
func unquote(s []byte) []byte {
	if bytes.IndexByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b = append(b, s[i])
			continue
		}
		i++
		if j := bytes.IndexByte([]byte("abtnvfr"), s[i]); j >= 0 {
			b = append(b, byte(7+j))
			continue
		}
		if s[i] == 'x' && i+2 < len(s) && digit(s[i+1]) < 16 && digit(s[i+2]) < 16 {
			b = append(b, byte(digit(s[i+1])<<4|digit(s[i+2])))
			i += 2
			continue
		}
		n, v := 0, byte(0)
		for n < 3 && i+n < len(s) && s[i+n] >= '0' && s[i+n] <= '7' {
			v = v<<3 | (s[i+n] - '0')
			n++
		}
		if n == 0 {
			b = append(b, s[i])
			continue
		}
		b = append(b, v)
		i += n - 1
	}
	return b
}
