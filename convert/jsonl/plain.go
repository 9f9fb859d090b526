package jsonl

import "github.com/iotrace/iotrace/convert"

// plain reads the members of a line as this program writes it, one after the other: texts without escapes, integers and
// lists of such texts, without blanks between. Whatever else JSON allows is left to encoding/json.
type plain struct {
	line []byte
	at   int  // in the line
	odd  bool // something else stands there
}

// next is the next byte, 0 behind the last.
func (p *plain) next() byte {
	if p.at < len(p.line) {
		return p.line[p.at]
	}
	return 0
}

// ended reports whether all was read, and nothing odd.
func (p *plain) ended() bool { return !p.odd && p.at == len(p.line) }

// open reads how an object or a list begins that is not empty.
func (p *plain) open(bracket byte) bool {
	p.odd = p.odd || p.next() != bracket
	p.at++
	p.odd = p.odd || p.next() == bracket+2
	return !p.odd
}

// more goes on behind a value; false behind the last of them.
func (p *plain) more(bracket byte) bool {
	c := p.next()
	p.at++
	p.odd = p.odd || c != ',' && c != bracket
	return c == ',' && !p.odd
}

// starts reads what stands next if that is a text.
func (p *plain) starts(text string) bool {
	end := p.at + len(text)
	if end > len(p.line) || p.line[end-1] != text[len(text)-1] || p.line[end-2] != text[len(text)-2] ||
		string(p.line[p.at:end]) != text {
		return false
	}
	p.at = end
	return true
}

// text reads a text of ASCII without escapes.
func (p *plain) text() []byte {
	if p.next() != '"' {
		p.odd = true
		return nil
	}
	first := p.at + 1
	for i := first; i < len(p.line); i++ {
		switch c := p.line[i]; {
		case c == '"':
			p.at = i + 1
			return p.line[first:i]
		case c < ' ' || c == '\\' || c >= 0x7f:
			p.odd = true
			return nil
		}
	}
	p.odd = true
	return nil
}

// digits reads the digits of a number, as JSON has it, with a sign or without.
func (p *plain) digits() []byte {
	first := p.at
	if p.next() == '-' {
		p.at++
	}
	most := p.at
	for c := p.next(); c >= '0' && c <= '9'; c = p.next() {
		p.at++
	}
	if p.at == most || p.line[most] == '0' && p.at-first > 1 {
		p.odd = true
	}
	return p.line[first:p.at] // what is not whole is odd to more
}

// number reads an integer of so many bits.
func (p *plain) number(signed bool, bits int) (n int64) {
	text := p.line[min(p.at, len(p.line)):]
	digits := 0
	for digits < len(text) && digits < 18 && text[digits]-'0' <= 9 { // more digits may be too large a number
		n = n*10 + int64(text[digits]-'0')
		digits++
	}
	if digits > 0 && digits < 18 && (text[0] != '0' || digits == 1) {
		p.at += digits
		p.odd = p.odd || n>>(bits-1) != 0 && (signed || n>>bits != 0)
		return n
	}
	ok := false
	if signed {
		n, ok = convert.ParseInt(p.digits(), bits)
	} else {
		var u uint64
		u, ok = convert.ParseUint(p.digits(), bits)
		n = int64(u)
	}
	p.odd = p.odd || !ok
	return n
}

// truth reads true or false.
func (p *plain) truth() bool {
	yes := p.starts("true")
	p.odd = p.odd || !yes && !p.starts("false")
	return yes
}

// skip reads a text or an integer that is not needed.
func (p *plain) skip() {
	if p.next() == '"' {
		p.text()
	} else {
		p.digits()
	}
}
