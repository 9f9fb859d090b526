package dtrace

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// kind is the first column of a line.
type kind byte

// The kinds of lines.
const (
	kindVersion kind = 'V'
	kindCall    kind = 'C'
	kindFork    kind = 'F'
	kindExec    kind = 'X'
	kindExit    kind = 'E'
	kindStart   kind = 'R'
	kindDone    kind = 'D'
	kindTick    kind = 'T'
	kindMark    kind = 'M'
	kindEnd     kind = 'Z'
)

// record is a line taken apart. Which fields it has depends on its kind.
type record struct {
	kind kind
	cpu  int32
	time int64 // ns on DTrace's clock, when the line was printed
	pid  uint32
	tid  uint32

	// calls
	start           int64
	result          int64
	errno           int64
	fd, fd2         int32
	length          int64
	offset, offset2 int64
	flags           uint64
	call            string
	path, path2     string // path is also the name of an exec, or of a request's file

	// requests
	buffer       uint64
	major, minor uint32
	block        int64
	bytes        int64
	residual     int64
	read, async  bool

	other  uint32 // child of a fork
	status int64  // of an exit
	cause  int64  // of an exit: CLD_EXITED 1, CLD_KILLED 2, CLD_DUMPED 3

	number int64 // of a tick on its CPU, from 1

	version  int64
	wall     int64
	platform Platform
	caps     string
}

var errLine = errors.New("not a line of this protocol")

// columns reads the columns of a line in order; the first error sticks.
type columns struct {
	rest string
	err  error
}

func (c *columns) next() string {
	if c.err != nil {
		return ""
	}
	if c.rest == "" {
		c.err = errLine
		return ""
	}
	col, rest, more := strings.Cut(c.rest, "\t")
	c.rest = rest
	if !more {
		c.rest = ""
	}
	return col
}

func (c *columns) int(least int64) int64 {
	v, err := strconv.ParseInt(c.next(), 10, 64)
	if c.err == nil && (err != nil || v < least) {
		c.err = errLine
	}
	return v
}

func (c *columns) uint32() uint32 {
	v, err := strconv.ParseUint(c.next(), 10, 64) // a thread ID may have more bits; the lowest tell threads apart
	if c.err == nil && err != nil {
		c.err = errLine
	}
	return uint32(v)
}

func (c *columns) hex() uint64 {
	v, err := strconv.ParseUint(c.next(), 16, 64)
	if c.err == nil && err != nil {
		c.err = errLine
	}
	return v
}

func (c *columns) text() string { return unescape(c.next()) }

const anything = -1 << 63

// parse takes a line apart. The line has no line feed.
func parse(line string) (r record, err error) {
	kindColumn, rest, _ := strings.Cut(line, "\t")
	if len(kindColumn) != 1 {
		return r, errLine
	}
	r.kind = kind(kindColumn[0])
	c := columns{rest: rest}
	switch r.kind {
	case kindVersion:
		r.version, r.time, r.wall = c.int(1), c.int(0), c.int(0)
		r.platform, r.caps = Platform(c.next()), c.next()
		if c.err == nil && r.version != Version {
			return r, fmt.Errorf("reading the output of dtrace: it speaks version %d of the protocol, this program version %d", r.version, Version)
		}
		return r, c.err
	case kindEnd:
		r.time = c.int(0)
		return r, c.err
	}
	r.cpu = int32(c.int(0))
	if r.kind == kindCall {
		c.call(&r)
		return r, c.err
	}
	r.time = c.int(0)
	switch r.kind {
	case kindMark:
	case kindTick:
		r.number = c.int(1)
	case kindFork:
		r.pid, r.other = c.uint32(), c.uint32()
	case kindExec:
		r.pid, r.path = c.uint32(), c.text()
	case kindExit:
		r.pid, r.cause, r.status = c.uint32(), c.int(anything), c.int(anything)
	case kindStart:
		r.pid, r.tid, r.buffer = c.uint32(), c.uint32(), c.hex()
		r.major, r.minor = c.uint32(), c.uint32()
		r.block, r.bytes = c.int(anything), c.int(0)
		r.read, r.async = c.int(0) == 1, c.int(0) == 1
		r.path = unescape(c.rest) // may be empty
	case kindDone:
		r.buffer, r.major, r.minor = c.hex(), c.uint32(), c.uint32()
		r.block, r.bytes, r.residual, r.errno = c.int(anything), c.int(0), c.int(0), c.int(0)
	default:
		return r, errLine
	}
	return r, c.err
}

// call reads a call: times, thread, result, then the arguments.
func (c *columns) call(r *record) {
	r.start = c.int(0)
	duration := c.int(0)
	r.time = r.start + duration
	r.pid, r.tid = c.uint32(), c.uint32()
	r.result, r.errno = c.int(anything), c.int(0)
	r.fd, r.fd2 = int32(c.int(-1<<31)), int32(c.int(-1<<31))
	r.length, r.offset, r.offset2, r.flags = c.int(anything), c.int(anything), c.int(anything), c.hex()
	r.call = c.next()
	if c.rest != "" {
		r.path = c.text()
		r.path2 = unescape(c.rest)
	}
	if r.time < r.start || r.call == "" {
		c.err = errLine
	}
}

// unescape undoes %S: \n, \t and their like, \" and \\, and three octal digits.
// DTrace on Linux prints the byte that ends a text as well, as \0.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '\\' || i+1 == len(s) {
			b.WriteByte(c)
			continue
		}
		i++
		if j := strings.IndexByte("abtnvfr", s[i]); j >= 0 {
			b.WriteByte(byte(7 + j))
			continue
		}
		n := 0
		for n < 3 && i+n < len(s) && s[i+n] >= '0' && s[i+n] <= '7' {
			n++
		}
		if n == 0 {
			b.WriteByte(s[i])
			continue
		}
		v, _ := strconv.ParseUint(s[i:i+n], 8, 16)
		if v == 0 {
			break
		}
		b.WriteByte(byte(v))
		i += n - 1
	}
	return b.String()
}
