package calls

import (
	"bytes"
	"strconv"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/internal/linux"
)

// pair is a field of an event: a number, a text in quotes, or ( "O_RDONLY" : container = 0 ).
type pair struct {
	name, value []byte
	payload     bool // it is of the last group, that of the event itself
}

// maxPairs bounds the fields of an event.
const maxPairs = 64

// take takes the groups of a line apart, from behind the first bracket.
func (r *eventReader) take(text []byte) bool {
	r.pairs = r.pairs[:0]
	depth, start, last := 1, 0, 0 // last: the first field of the last group
	for i := boundary(text, 0); i >= 0; i = boundary(text, i+1) {
		whole := depth == 1 // a field ends here, if no bracket begins
		switch text[i] {
		case '{', '(', '[':
			if whole = false; depth == 0 {
				start, last = i+1, len(r.pairs)
			}
			depth++
		case '}', ')', ']':
			if depth--; depth < 0 {
				return false
			}
		}
		if !whole {
			continue
		}
		if !r.field(text[start:i]) {
			return false
		}
		start = i + 1
	}
	for i := last; i < len(r.pairs); i++ {
		r.pairs[i].payload = true
	}
	return depth == 0
}

// field takes in "name = value"; there may be none between two brackets.
func (r *eventReader) field(text []byte) bool {
	if text = bytes.TrimSpace(text); len(text) == 0 {
		return true
	}
	name, value, ok := bytes.Cut(text, []byte(" = "))
	if !ok || len(r.pairs) >= maxPairs {
		return false
	}
	r.pairs = append(r.pairs, pair{name: bytes.TrimSpace(name), value: bytes.TrimSpace(value)})
	return true
}

// boundary is the place of the next bracket or comma outside of a text in quotes, -1 if there is none.
func boundary(text []byte, from int) int {
	within := false
	for i := from; i < len(text); i++ {
		switch c := text[i]; {
		case within && c == '\\':
			i++
		case c == '"':
			within = !within
		case within:
		case c == '{' || c == '}' || c == '(' || c == ')' || c == '[' || c == ']' || c == ',':
			return i
		}
	}
	return -1
}

// value is that of a field of the event, nil if there is none.
func (r *eventReader) value(name string) []byte {
	for i := len(r.pairs) - 1; i >= 0 && r.pairs[i].payload; i-- {
		if string(r.pairs[i].name) == name {
			return r.pairs[i].value
		}
	}
	return nil
}

// number is a value in decimal or hexadecimal, or what an enumeration or a set of flags comes to.
func (p *pair) number() (int64, bool) {
	text := p.value
	if _, container, ok := bytes.Cut(text, []byte(" : container = ")); ok && text[0] == '(' {
		text = bytes.TrimRight(container, " )")
	}
	if digits, ok := bytes.CutPrefix(text, []byte("0x")); ok {
		n, ok := convert.ParseHex(bytes.ToLower(digits))
		return int64(n), ok
	}
	if n, ok := convert.ParseInt(text, 64); ok {
		return n, true
	}
	n, ok := convert.ParseUint(text, 64)
	return int64(n), ok
}

// text is a value without its quotes.
func (p pair) text() []byte {
	if inner, err := strconv.Unquote(string(p.value)); err == nil && len(p.value) > 0 && p.value[0] == '"' {
		return []byte(inner)
	}
	return bytes.Trim(p.value, `"`)
}

// stamped reads what stands before the groups: a time in brackets, the time since the event before, the host and the
// name of the event.
func (r *eventReader) stamped(l *eventLine, text []byte) bool {
	text = bytes.TrimLeft(text, " ")
	end := bytes.IndexByte(text, ']')
	if end < 2 || text[0] != '[' {
		return false
	}
	word := text[1:end]
	if i := bytes.LastIndexByte(word, ' '); i >= 0 { // --clock-date
		word = word[i+1:]
	}
	if l.event = text[bytes.LastIndexByte(text, ' ')+1:]; len(l.event) == 0 {
		return false
	}
	if i := bytes.LastIndexByte(l.event, ':'); i >= 0 { // kernel:block_rq_issue
		l.event = l.event[i+1:]
	}
	const day = 24 * 3600 * 1_000_000_000
	if len(word) != 18 || word[2] != ':' || word[5] != ':' {
		var ok bool
		l.time, ok = seconds(word) // --clock-seconds
		return ok
	}
	hours, ok1 := convert.ParseUint(word[:2], 8)
	minutes, ok2 := convert.ParseUint(word[3:5], 8)
	rest, ok3 := seconds(word[6:])
	if !ok1 || !ok2 || !ok3 || hours > 23 || minutes > 59 {
		return false
	}
	at := int64(hours*3600+minutes*60)*1e9 + rest
	if at < r.clock-day/2 {
		r.days++
	}
	r.clock = at
	l.time = at + r.days*day
	return true
}

// placeOf is which argument of a call, counted from 1, a field is; 0 if it is none that is used.
func placeOf(shape linux.Shape, name string) int {
	at := shape.Args()
	switch name {
	case "fd", "fildes", "oldfd", "fd_in", "fdin", "in_fd":
		return at.FD
	case "fd_out", "fdout", "out_fd", "newfd":
		return at.FD2
	case "dfd", "olddfd":
		return at.Dir
	case "newdfd":
		return at.Dir2
	case "filename", "pathname", "path", "oldname":
		return at.Path
	case "newname":
		return at.Path2
	case "count", "len", "length", "nbytes", "arg":
		return at.Length
	case "pos", "pos_l":
		return at.Offset
	case "offset", "off_in":
		return max(at.Offset, at.OffsetAt)
	case "off_out":
		return at.Offset2At
	case "whence", "cmd", "prot":
		return at.Flags
	case "mode":
		if shape == linux.ShapeAllocate {
			return at.Flags
		}
	case "flags":
		switch shape {
		case linux.ShapeMmap:
			return 4
		case linux.ShapeDup2:
			return 3
		case linux.ShapeTwoAt:
			return at.Path2 + 1
		case linux.ShapeOpen, linux.ShapeOpenAt, linux.ShapeSend, linux.ShapeMessage, linux.ShapeCloseMany:
			return at.Flags
		}
	}
	return 0
}
