package jsonl

import (
	"bytes"

	"github.com/iotrace/iotrace/convert/internal/fields"
	"github.com/iotrace/iotrace/convert/names"
	"github.com/iotrace/iotrace/trace"
)

// plain reads the members of a line as this program writes it, one after the other: texts without escapes, integers and
// lists of such texts, without blanks between. Whatever else JSON allows is left to encoding/json.
type plain struct {
	rest []byte
	odd  bool // something else stands there
}

// begin is the first of a line.
func (p *plain) begin(line []byte) {
	rest, ok := bytes.CutPrefix(line, []byte("{"))
	*p = plain{rest: rest, odd: !ok}
}

// key is the name of the next member, nil behind the last. Its value is to be read before the next.
func (p *plain) key() []byte {
	name := p.text()
	if len(p.rest) == 0 || p.rest[0] != ':' {
		p.odd = true
		return nil
	}
	p.rest = p.rest[1:]
	return name
}

// more goes on behind a value; false at the end of the line.
func (p *plain) more() bool {
	switch {
	case p.odd || len(p.rest) == 0:
		p.odd = true
		return false
	case p.rest[0] == ',':
		p.rest = p.rest[1:]
		return true
	}
	p.odd = len(p.rest) != 1 || p.rest[0] != '}'
	return false
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

// int reads an integer.
func (p *plain) int() int64 {
	n, ok := fields.Int(p.digits(), 64)
	p.odd = p.odd || !ok
	return n
}

// int32 reads one of 32 bits.
func (p *plain) int32() int32 {
	n, ok := fields.Int(p.digits(), 32)
	p.odd = p.odd || !ok
	return int32(n)
}

// uint reads one of so many bits, without a sign.
func (p *plain) uint(bits int) uint64 {
	n, ok := fields.Uint(p.digits(), bits)
	p.odd = p.odd || !ok
	return n
}

// flags reads the names of flags.
func (p *plain) flags(n names.Bits) (set uint32) {
	if len(p.rest) < 2 || p.rest[0] != '[' || p.rest[1] == ']' {
		p.odd = true
		return 0
	}
	for p.rest = p.rest[1:]; !p.odd; p.rest = p.rest[1:] {
		bit, ok := n.Find(p.text())
		p.odd = p.odd || !ok
		set |= bit
		if len(p.rest) > 0 && p.rest[0] == ']' {
			p.rest = p.rest[1:]
			return set
		}
		p.odd = p.odd || len(p.rest) == 0 || p.rest[0] != ','
		if p.odd {
			return set
		}
	}
	return set
}

// named is the value with a name.
func named[T ~uint8](p *plain, e enumeration[T]) T {
	v, ok := e[string(p.text())]
	p.odd = p.odd || !ok
	return v
}

// plainSyscall reads the line of a call; false if it is not as plain as nearly all.
func (d *decoder) plainSyscall(line []byte) bool {
	p, e := &d.plain, &d.call
	*e = trace.Syscall{FD: -1, FD2: -1, Offset: trace.NoOffset, Offset2: trace.NoOffset}
	called := false
	p.begin(line)
	for more := !p.odd; more; more = p.more() {
		switch string(p.key()) {
		case "kind", "path", "path2":
			p.text()
		case "start":
			e.Start = p.int()
		case "duration":
			e.Duration = p.int()
		case "pid":
			e.PID = uint32(p.uint(32))
		case "tid":
			e.TID = uint32(p.uint(32))
		case "op":
			e.Op = named(p, ops)
		case "call":
			e.Call, called = d.calls[string(p.text())]
			p.odd = p.odd || !called
		case "flags":
			e.Flags = trace.IOFlags(p.flags(names.IOFlags))
		case "fd":
			e.FD = p.int32()
		case "fd2":
			e.FD2 = p.int32()
		case "file":
			e.File = trace.FileID(p.uint(32))
		case "file2":
			e.File2 = trace.FileID(p.uint(32))
		case "offset":
			e.Offset = p.int()
		case "offset2":
			e.Offset2 = p.int()
		case "requested":
			e.Requested = p.int()
		case "result":
			e.Result = p.int()
		case "filled":
			e.Filled = p.int()
		case "buffer":
			e.Buffer = p.uint(64)
		default:
			p.odd = true
		}
	}
	return !p.odd && called
}

// plainRequest reads the line of a request likewise.
func (d *decoder) plainRequest(line []byte) bool {
	p, e := &d.plain, &d.block
	*e = trace.Request{Queued: -1, Offset: trace.NoOffset}
	p.begin(line)
	for more := !p.odd; more; more = p.more() {
		switch string(p.key()) {
		case "kind", "path", "name":
			p.text()
		case "queued":
			e.Queued = p.int()
		case "issued":
			e.Issued = p.int()
		case "completed":
			e.Completed = p.int()
		case "device":
			e.Device = trace.DeviceID(p.uint(32))
		case "sector":
			e.Sector = p.uint(64)
		case "bytes":
			e.Bytes = p.int()
		case "op":
			e.Op = named(p, reqOps)
		case "flags":
			e.Flags = trace.ReqFlags(p.flags(names.ReqFlags))
		case "pid":
			e.PID = uint32(p.uint(32))
		case "tid":
			e.TID = uint32(p.uint(32))
		case "owner":
			e.Owner = uint32(p.uint(32))
		case "file":
			e.File = trace.FileID(p.uint(32))
		case "offset":
			e.Offset = p.int()
		case "evidence":
			e.Evidence = named(p, evidences)
		case "bios":
			e.Bios = uint32(p.uint(32))
		case "requeues":
			e.Requeues = uint32(p.uint(32))
		case "error":
			e.Error = p.int32()
		default:
			p.odd = true
		}
	}
	return !p.odd
}
