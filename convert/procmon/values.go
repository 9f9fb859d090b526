package procmon

import (
	"bytes"
	"unicode/utf8"
)

// after is what follows a label in a detail: "Offset: 0, Length: 4,096".
func after(detail []byte, label string) []byte {
	i := bytes.Index(detail, []byte(label))
	if i < 0 {
		return nil
	}
	return detail[i+len(label):]
}

// value is what follows a label up to the next comma.
func value(detail []byte, label string) []byte {
	text, _, _ := bytes.Cut(after(detail, label), []byte(","))
	return text
}

// grouped reads a number whose digits are grouped as the language of the system has it: "4,096", "4.096", "4 096",
// "4'096". The blank may be one that does not break.
func grouped(text []byte) (n int64, ok bool) {
	for len(text) > 0 {
		c, size := utf8.DecodeRune(text)
		switch {
		case c >= '0' && c <= '9':
			if n > 1<<62/10-1 {
				return 0, false
			}
			n, ok = n*10+int64(c-'0'), true
		case ok && isGroup(c) && len(text) > size && text[size] >= '0' && text[size] <= '9':
		default:
			return n, ok
		}
		text = text[size:]
	}
	return n, ok
}

func isGroup(c rune) bool {
	return c == ',' || c == '.' || c == ' ' || c == '\'' || c == '’' || c == '\u00a0' || c == '\u202f'
}

// timeOfDay reads "10:29:05.0593693 AM", "下午 10:29:05.0593693", "22:29:05,0593693", in ns.
func timeOfDay(text []byte) (ns int64, ok bool) {
	var parts [3]int64
	word := ""
	if n := bytes.IndexAny(text, "0123456789"); n > 0 {
		word, text = string(text[:n]), text[n:]
	}
	for i := range parts {
		n := 0
		for n < len(text) && n < 4 && text[n] >= '0' && text[n] <= '9' {
			parts[i] = parts[i]*10 + int64(text[n]-'0')
			n++
		}
		if text = text[n:]; n == 0 {
			return 0, false
		}
		if i < 2 {
			if len(text) == 0 || text[0] != ':' && text[0] != '.' {
				return 0, false
			}
			text = text[1:]
		}
	}
	fraction := int64(0)
	if len(text) > 1 && (text[0] == '.' || text[0] == ',') {
		fraction, text = decimals(text[1:])
	}
	second, told, known := half(word + string(text))
	switch {
	case !known: // half a day would be wrong
		return 0, false
	case told && second && parts[0] < 12:
		parts[0] += 12
	case told && !second && parts[0] == 12:
		parts[0] = 0
	}
	if parts[1] > 59 || parts[2] > 60 {
		return 0, false
	}
	return (parts[0]*3600+parts[1]*60+parts[2])*1e9 + fraction, true
}

// decimals reads what stands behind the point of seconds, in ns, and returns what follows.
func decimals(text []byte) (ns int64, rest []byte) {
	unit := int64(1e8)
	for len(text) > 0 && text[0] >= '0' && text[0] <= '9' {
		ns, unit, text = ns+unit*int64(text[0]-'0'), unit/10, text[1:]
	}
	return ns, text
}

// seconds reads a duration: "0.0000123", "0,0000123".
func seconds(text []byte) (ns int64, ok bool) {
	n := 0
	for ; n < len(text) && text[n] >= '0' && text[n] <= '9'; n++ {
		if ns = ns*10 + int64(text[n]-'0'); ns > 1e9 {
			return 0, false
		}
	}
	ns *= 1e9
	if text = text[n:]; n > 0 && len(text) > 1 && (text[0] == '.' || text[0] == ',') {
		part, rest := decimals(text[1:])
		ns, text = ns+part, rest
	}
	return ns, n > 0 && len(text) == 0
}
