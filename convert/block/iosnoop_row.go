package block

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/convert"

	"github.com/iotrace/iotrace/trace"
)

// column says what stands in a column.
type column uint8

const (
	other column = iota
	begin
	end
	date // "2005 Jul 24 22:52:15": four words, of which the trace needs none
	elapsed
	pid
	kind
	disk
	block
	size
	command
	file
	arguments
)

// field is a column of a dialect. Times have decimals: they count 10^scale nanoseconds.
type field struct {
	what  column
	scale int
}

// Scales of times: seconds, milliseconds and microseconds in nanoseconds.
const (
	seconds      = 9
	milliseconds = 6
	microseconds = 3
)

// dialect gives columns by their names.
type dialect map[string]field

var perfTools = dialect{"STARTs": {begin, seconds}, "ENDs": {end, seconds}, "COMM": {what: command}, "PID": {what: pid},
	"TYPE": {what: kind}, "DEV": {what: disk}, "BLOCK": {what: block}, "BYTES": {what: size},
	"LATms": {elapsed, milliseconds}}

var toolkit = dialect{"STIME(us)": {begin, microseconds}, "TIME(us)": {end, microseconds}, "STRTIME": {what: date},
	"DELTA(us)": {elapsed, microseconds}, "DTIME(us)": {}, "UID": {}, "PID": {what: pid}, "PPID": {}, "D": {what: kind},
	"BLOCK": {what: block}, "SIZE": {what: size}, "DEVICE": {what: disk}, "INS": {}, "MAJ": {}, "MIN": {},
	"COMM": {what: command}, "PATHNAME": {what: file}, "ARGS": {what: arguments}}

// columns lists their names, for messages.
func (d dialect) columns() string { return strings.Join(slices.Sorted(maps.Keys(d)), ", ") }

// row is a line on its way to being a request.
type row struct {
	Row
	begin, end, elapsed int64 // ns, -1 if they are not there
	block               int64
	unread              []byte // what could not be read
	texts               convert.Texts
}

// init makes it ready for the next line.
func (r *row) init() {
	r.begin, r.end, r.elapsed, r.block = -1, -1, -1, -1
	r.Row = Row{Request: trace.Request{Offset: trace.NoOffset, Bios: 1}}
	r.unread = nil
}

// take takes a line apart.
func (r *row) take(heading []field, f [][]byte) bool {
	var kinds []byte
	for i := range heading {
		c := heading[i].what
		if len(f) == 0 {
			return i == len(heading)-1 && (c == file || c == arguments) && r.operation(kinds)
		}
		words := 1
		switch c {
		case date:
			words = 4
		case command:
			words = commandLength(heading[i+1:], f)
		case file, arguments:
			if i == len(heading)-1 {
				words = len(f)
			}
		}
		if len(f) < words {
			return false
		}
		value := f[0]
		if words > 1 {
			value = bytes.Join(f[:words], []byte(" "))
		}
		f = f[words:]
		if c == kind {
			kinds = value
		} else if !r.set(heading[i], value) {
			r.unread = value
			return false
		}
	}
	return len(f) == 0 && r.operation(kinds)
}

// operation reads what the request does, which flushes tell by their size as well.
func (r *row) operation(kinds []byte) (ok bool) {
	r.Op, r.Flags, ok = ParseRWBS(string(kinds), r.Bytes)
	return ok
}

// commandLength is how many words a command has: where a path follows, as many as stand before it.
func commandLength(after []field, f [][]byte) int {
	if len(after) == 0 || after[0].what != file {
		return 1
	}
	for i := 1; i < len(f); i++ {
		if strings.IndexByte("/?<", f[i][0]) >= 0 {
			return i
		}
	}
	return 1
}

// set takes the value of a column.
func (r *row) set(c field, value []byte) (ok bool) {
	switch c.what {
	case begin:
		r.begin, ok = ParseDecimal(value, c.scale)
		return ok && r.begin >= 0
	case end:
		r.end, ok = ParseDecimal(value, c.scale)
		return ok && r.end >= 0
	case elapsed:
		r.elapsed, ok = ParseDecimal(value, c.scale)
		return ok && r.elapsed >= 0
	case pid:
		if n, ok := convert.ParseUint(value, 32); ok { // a command with blanks pushes it aside
			r.PID, r.TID = uint32(n), uint32(n)
		}
	case block:
		n, ok := convert.ParseInt(value, 55)
		if r.block = n; !ok || n < -1 {
			r.block = -1
			return string(value) == "18446744073709551615"
		}
		r.Sector = uint64(max(n, 0))
	case size:
		r.Bytes, ok = convert.ParseInt(value, 41)
		return ok && r.Bytes >= 0
	case disk:
		if id, ok := ParseDevice(value); ok {
			r.Device = id
			value[bytes.IndexByte(value, ',')] = ':'
		}
		r.Disk = r.texts.Get(value)
	case command:
		r.Command = r.texts.Get(value)
	case file:
		if value[0] == '/' || bytes.HasPrefix(value, []byte("??/")) {
			r.Path = r.texts.Get(value)
		}
	}
	return true
}

// timed works out when the request began and ended, as far as the table tells. last is when the row before did, for
// tables without times: their requests follow one another.
func (r *row) timed(last *int64) {
	lasts := max(r.elapsed, 0)
	switch {
	case r.begin >= 0 && r.end >= r.begin:
	case r.begin >= 0:
		r.end = r.begin + lasts
	case r.end >= 0:
		r.begin = r.end - lasts
	default:
		r.begin = *last
		r.end = r.begin + max(lasts, 1000)
		*last = r.end
		if r.elapsed < 0 {
			r.end = r.begin
		}
	}
	r.Issued, r.Completed = r.begin, r.end
}
