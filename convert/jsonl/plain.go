package jsonl

import (
	"bytes"

	"github.com/iotrace/iotrace/convert/internal/fields"
)

// plain reads the members of a line as this program writes it, one after the other: texts without escapes, integers and
// lists of such texts, without blanks between. Whatever else JSON allows is left to encoding/json.
type plain struct {
	rest []byte
	odd  bool // something else stands there
}

// begin is the first of a line.
func (p *plain) begin(line []byte) { *p = plain{rest: line} }

// open reads how an object or a list begins that is not empty.
func (p *plain) open(bracket byte) bool {
	if len(p.rest) < 2 || p.rest[0] != bracket || p.rest[1] == bracket+2 {
		p.odd = true
	}
	if !p.odd {
		p.rest = p.rest[1:]
	}
	return !p.odd
}

// more goes on behind a value; false behind the last of them.
func (p *plain) more(bracket byte) bool {
	p.odd = p.odd || len(p.rest) == 0 || p.rest[0] != ',' && p.rest[0] != bracket
	if p.odd {
		return false
	}
	next := p.rest[0] == ','
	p.rest = p.rest[1:]
	return next
}

// key is the name of the next member, nil if there is none. Its value is to be read before the next.
func (p *plain) key() []byte {
	name := p.text()
	if len(p.rest) == 0 || p.rest[0] != ':' {
		p.odd = true
		return nil
	}
	p.rest = p.rest[1:]
	return name
}

// text reads a text of ASCII without escapes.
func (p *plain) text() []byte {
	if len(p.rest) == 0 || p.rest[0] != '"' {
		p.odd = true
		return nil
	}
	for i, c := range p.rest[1:] {
		if c == '"' {
			text := p.rest[1 : 1+i]
			p.rest = p.rest[2+i:]
			return text
		}
		if c < ' ' || c == '\\' || c >= 0x7f {
			break
		}
	}
	p.odd = true
	return nil
}

// digits reads the digits of a number, as JSON has it, with a sign or without.
func (p *plain) digits() []byte {
	n := 0
	if len(p.rest) > 0 && p.rest[0] == '-' {
		n = 1
	}
	first := n
	for n < len(p.rest) && p.rest[n] >= '0' && p.rest[n] <= '9' {
		n++
	}
	if n == first || p.rest[first] == '0' && n > 1 {
		p.odd = true
	}
	text := p.rest[:n]
	p.rest = p.rest[n:] // what is not whole is odd to more
	return text
}

// number reads an integer of so many bits.
func (p *plain) number(signed bool, bits int) (n int64) {
	ok := false
	if signed {
		n, ok = fields.Int(p.digits(), bits)
	} else {
		var u uint64
		u, ok = fields.Uint(p.digits(), bits)
		n = int64(u)
	}
	p.odd = p.odd || !ok
	return n
}

// truth reads true or false.
func (p *plain) truth() bool {
	rest, yes := bytes.CutPrefix(p.rest, []byte("true"))
	if !yes {
		var no bool
		rest, no = bytes.CutPrefix(p.rest, []byte("false"))
		p.odd = p.odd || !no
	}
	p.rest = rest
	return yes
}

// skip reads a text or an integer that is not needed.
func (p *plain) skip() {
	if len(p.rest) > 0 && p.rest[0] == '"' {
		p.text()
	} else {
		p.digits()
	}
}
