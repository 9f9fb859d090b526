package darwin

import (
	"bytes"
	"strconv"

	"github.com/iotrace/iotrace/convert"
)

// heading says which columns stand before a call, as the flags of dtruss have it: -f PID/THRD, -d RELATIVE, -e ELAPSD,
// -o CPU, and -a all of them.
type heading struct {
	there   bool
	threads bool
	numbers int // columns behind PID/THRD
	elapsed int // its place among them, -1 if it is not there
}

// take reads a heading, and reports whether the line is one.
func (h *heading) take(line []byte) bool {
	before, _, found := bytes.Cut(line, []byte("SYSCALL(args)"))
	if !found {
		return false
	}
	n := heading{there: true, elapsed: -1}
	for _, name := range bytes.Fields(before) {
		switch string(name) {
		case "PID/THRD", "PID/LWP":
			n.threads = true
			continue
		case "ELAPSD":
			n.elapsed = n.numbers
		case "RELATIVE", "CPU":
		default:
			return false
		}
		n.numbers++
	}
	*h = n
	return true
}

// call is one line.
type call struct {
	pid       uint32
	tid       uint64
	elapsed   int64 // ns, 0 if it is not known
	name      []byte
	arguments [4]uint64
	paths     [][]byte
	result    int64
	errno     uint64
	words     [][]byte // of the result
}

// parse takes a line apart: " 4966/0x54c8:  391  14  13 read(0x3, "x\0", 0x1000)\t\t = 4096 0".
func (c *call) parse(h *heading, line []byte) bool {
	*c = call{paths: c.paths[:0], words: c.words, pid: 1}
	rest := unindented(line)
	if h.threads {
		who, after, ok := bytes.Cut(rest, []byte(":"))
		pid, tid, both := bytes.Cut(who, []byte("/"))
		p, ok1 := convert.ParseUint(pid, 32)
		t, ok2 := unsigned(tid)
		if !ok || !both || !ok1 || !ok2 {
			return false
		}
		c.pid, c.tid, rest = uint32(p), t, after
	}
	for i := range h.numbers {
		rest = unindented(rest)
		n := 0
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		us, ok := convert.ParseInt(rest[:n], 41)
		if !ok {
			return false
		}
		if i == h.elapsed {
			c.elapsed = us * 1000
		}
		rest = bytes.TrimPrefix(rest[n:], []byte(":")) // fork's lines have one
	}
	open, end := bytes.IndexByte(rest, '('), lastEquals(rest)
	if open <= 0 || end < open {
		return false
	}
	args, closed := bytes.CutSuffix(bytes.TrimRight(rest[open+1:end], "\t "), []byte(")"))
	if !closed {
		return false
	}
	c.name = unindented(rest[:open])
	c.split(args)
	return len(c.name) > 0 && c.returned(rest[end+len(equals):])
}

// equals stands between a call and its result, behind a tabulator or, in what was copied from a terminal, a blank.
var equals = []byte(" = ")

// lastEquals is where it stands last, -1 if it does not.
func lastEquals(text []byte) int {
	for end := len(text); ; {
		i := bytes.LastIndex(text[:end], equals)
		if i <= 0 || text[i-1] == '\t' || text[i-1] == ' ' {
			return i
		}
		end = i + len(equals) - 1
	}
}

// unindented is a text without the blanks and tabulators in front of it.
func unindented(text []byte) []byte {
	for len(text) > 0 && (text[0] == ' ' || text[0] == '\t') {
		text = text[1:]
	}
	return text
}

// unsigned reads a number without a sign, as C writes it.
func unsigned(text []byte) (uint64, bool) {
	if digits, ok := bytes.CutPrefix(text, []byte("0x")); ok {
		if n, ok := convert.ParseHex(digits); ok {
			return n, true
		}
	}
	n, err := strconv.ParseUint(string(text), 0, 64)
	return n, err == nil
}

// split takes the arguments apart. A text between quotes may hold anything, and ends in \0.
func (c *call) split(args []byte) {
	for i := 0; len(args) > 0; i++ {
		var value []byte
		if args = bytes.TrimLeft(args, " "); len(args) > 0 && args[0] == '"' {
			end := bytes.Index(args[1:], []byte("\", "))
			if end < 0 {
				end = len(args) - 2
			}
			if value = args[1 : 1+max(end, 0)]; len(value) > 1 {
				c.paths = append(c.paths, bytes.TrimSuffix(value, []byte(`\0`)))
			}
			args = args[min(len(args), 1+max(end, 0)+1):]
			args = bytes.TrimPrefix(args, []byte(","))
			continue
		}
		value, args, _ = bytes.Cut(args, []byte(","))
		if i < len(c.arguments) {
			c.arguments[i], _ = unsigned(value) // what is no number is not needed
		}
	}
}

// returned reads the result: "3 0", "-1 Err#2".
func (c *call) returned(text []byte) bool {
	f := convert.SplitFields(c.words[:0], text)
	c.words = f
	if len(f) == 0 || len(f) > 2 {
		return false
	}
	n, ok := signed(f[0])
	if !ok {
		return false
	}
	c.result = n
	if len(f) == 2 {
		if code, failed := bytes.CutPrefix(f[1], []byte("Err#")); failed {
			c.errno, ok = convert.ParseUint(code, 16)
			return ok
		}
	}
	return true
}

// signed reads a number that may have a sign, as C writes it.
func signed(text []byte) (int64, bool) {
	if len(text) > 0 && text[0] != '0' {
		if n, ok := convert.ParseInt(text, 64); ok {
			return n, true
		}
	}
	n, err := strconv.ParseInt(string(text), 0, 64)
	return n, err == nil
}
