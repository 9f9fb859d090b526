package dtruss

import (
	"bytes"
	"strconv"
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
}

// parse takes a line apart: " 4966/0x54c8:  391  14  13 read(0x3, "x\0", 0x1000)\t\t = 4096 0".
func (c *call) parse(h *heading, line []byte) bool {
	*c = call{paths: c.paths[:0], pid: 1}
	rest := bytes.TrimLeft(line, " \t")
	if h.threads {
		who, after, ok := bytes.Cut(rest, []byte(":"))
		pid, tid, both := bytes.Cut(who, []byte("/"))
		p, err1 := strconv.ParseUint(string(pid), 10, 32)
		t, err2 := strconv.ParseUint(string(tid), 0, 64)
		if !ok || !both || err1 != nil || err2 != nil {
			return false
		}
		c.pid, c.tid, rest = uint32(p), t, after
	}
	for i := range h.numbers {
		rest = bytes.TrimLeft(rest, " \t")
		n := 0
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		us, err := strconv.ParseInt(string(rest[:n]), 10, 41)
		if err != nil {
			return false
		}
		if i == h.elapsed {
			c.elapsed = us * 1000
		}
		rest = bytes.TrimPrefix(rest[n:], []byte(":")) // fork's lines have one
	}
	open, end := bytes.IndexByte(rest, '('), bytes.LastIndex(rest, []byte("\t\t = "))
	if open <= 0 || end < open || rest[end-1] != ')' {
		return false
	}
	c.name = bytes.TrimLeft(rest[:open], " \t")
	c.split(rest[open+1 : end-1])
	return len(c.name) > 0 && c.returned(rest[end+len("\t\t = "):])
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
			c.arguments[i], _ = strconv.ParseUint(string(value), 0, 64) // what is no number is not needed
		}
	}
}

// returned reads the result: "3 0", "-1 Err#2".
func (c *call) returned(text []byte) bool {
	f := bytes.Fields(text)
	if len(f) == 0 || len(f) > 2 {
		return false
	}
	n, err := strconv.ParseInt(string(f[0]), 0, 64)
	if err != nil {
		return false
	}
	c.result = n
	if len(f) == 2 {
		if code, failed := bytes.CutPrefix(f[1], []byte("Err#")); failed {
			c.errno, err = strconv.ParseUint(string(code), 10, 16)
			return err == nil
		}
	}
	return true
}
