package dtrace

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Kind is the first column of a line.
type Kind byte

// The kinds of lines.
const (
	KindVersion Kind = 'V'
	KindCall    Kind = 'C'
	KindFork    Kind = 'F'
	KindExec    Kind = 'X'
	KindExit    Kind = 'E'
	KindStart   Kind = 'R'
	KindDone    Kind = 'D'
	KindTick    Kind = 'T'
	KindMark    Kind = 'M'
	KindEnd     Kind = 'Z'
)

// Record is a line taken apart. Which fields it has depends on its kind.
type Record struct {
	Kind Kind
	CPU  int32
	Time int64 // ns on DTrace's clock, when the line was printed
	PID  uint32
	TID  uint32

	// calls
	Start           int64
	Result          int64
	Errno           int64
	FD, FD2         int32
	Length          int64
	Offset, Offset2 int64
	Flags           uint64
	Call            string
	Path, Path2     string // Path is also the name of an exec, or of a request's file

	// requests
	Buffer       uint64
	Major, Minor uint32
	Block        int64
	Bytes        int64
	Residual     int64
	Read, Async  bool

	Other  uint32 // child of a fork
	Status int64  // of an exit
	Cause  int64  // of an exit: CLD_EXITED 1, CLD_KILLED 2, CLD_DUMPED 3

	Number int64 // of a tick on its CPU, from 1

	Version  int64
	Wall     int64
	Platform Platform
	Caps     string
}

// errLine means that a line is not of this protocol, or damaged.
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

// int32 reads a number of a CPU or a descriptor: one that does not fit is not cut, as it would be another's then.
func (c *columns) int32(least int32) int32 {
	v := c.int(int64(least))
	if v > math.MaxInt32 {
		c.err = errLine
	}
	return int32(v)
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

// parseRecord takes a line apart. The line has no line feed.
func parseRecord(line string) (r Record, err error) {
	kindColumn, rest, _ := strings.Cut(line, "\t")
	if len(kindColumn) != 1 {
		return r, errLine
	}
	r.Kind = Kind(kindColumn[0])
	c := columns{rest: rest}
	switch r.Kind {
	case KindVersion:
		r.Version, r.Time, r.Wall = c.int(1), c.int(0), c.int(0)
		r.Platform, r.Caps = Platform(c.next()), c.next()
		if c.err == nil && r.Version != protocolVersion {
			return r, fmt.Errorf("reading the output of dtrace: it speaks version %d of the protocol, this program version %d",
				r.Version, protocolVersion)
		}
		return r, c.err
	case KindEnd:
		r.Time = c.int(0)
		return r, c.err
	}
	r.CPU = c.int32(0)
	if r.Kind == KindCall {
		c.call(&r)
		return r, c.err
	}
	r.Time = c.int(0)
	switch r.Kind {
	case KindMark:
	case KindTick:
		r.Number = c.int(1)
	case KindFork:
		r.PID, r.Other = c.uint32(), c.uint32()
	case KindExec:
		r.PID, r.Path = c.uint32(), c.text()
	case KindExit:
		r.PID, r.Cause, r.Status = c.uint32(), c.int(anything), c.int(anything)
	case KindStart:
		r.PID, r.TID, r.Buffer = c.uint32(), c.uint32(), c.hex()
		r.Major, r.Minor = c.uint32(), c.uint32()
		r.Block, r.Bytes = c.int(anything), c.int(0)
		r.Read, r.Async = c.int(0) == 1, c.int(0) == 1
		r.Path = unescape(c.rest) // may be empty
	case KindDone:
		r.Buffer, r.Major, r.Minor = c.hex(), c.uint32(), c.uint32()
		r.Block, r.Bytes, r.Residual, r.Errno = c.int(anything), c.int(0), c.int(0), c.int(0)
	default:
		return r, errLine
	}
	return r, c.err
}

// call reads a call: times, thread, result, then the arguments.
func (c *columns) call(r *Record) {
	r.Start = c.int(0)
	duration := c.int(0)
	r.Time = r.Start + duration
	r.PID, r.TID = c.uint32(), c.uint32()
	r.Result, r.Errno = c.int(anything), c.int(0)
	r.FD, r.FD2 = c.int32(math.MinInt32), c.int32(math.MinInt32)
	r.Length, r.Offset, r.Offset2, r.Flags = c.int(anything), c.int(anything), c.int(anything), c.hex()
	r.Call = c.next()
	if c.rest != "" {
		r.Path = c.text()
		r.Path2 = unescape(c.rest)
	}
	if r.Time < r.Start || r.Call == "" {
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
