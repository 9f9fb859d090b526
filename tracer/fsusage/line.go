// Package fsusage records on macOS through the text of fs_usage(1), and reads
// such text from a file. It is the fallback where the kernel's trace records
// cannot be read directly: it needs no private layout, but shows less.
//
// The line format is that of fs_usage.c of system_cmds-1026, with -w. Its
// fields are not separated in any way a parser could rely on, so a line is
// taken apart from both ends. Time and call come from the left; elapsed time,
// mark, command and thread from the right. What is between depends on the kind
// of call.
package fsusage

import (
	"bytes"
	"errors"
	"strconv"
)

// Line is one line of fs_usage -w.
type Line struct {
	TimeOfDay int64 // ns since midnight, local time, when the call ended
	Call      string
	Disk      bool   // a disk request: Call is its label, "RdData[AT2]"
	Errno     int64  // macOS number, 0 if the call succeeded
	FD        int32  // -1 if none is shown
	FD2       int32  // result of dup, -1 if none is shown
	DirFD     int32  // of the *at calls, -2 for the working directory
	Bytes     int64  // bytes moved, or length of a mapping; -1 if none is shown
	Offset    int64  // -1 if none is shown
	Block     int64  // of a disk request, in blocks of the device; -1 if none is shown
	Address   uint64 // of a mapping, a page-in or an aiocb
	Device    string // without /dev/
	Flags     string // of open and access: "RWC___________"
	Tag       string // of fcntl, lseek, mmap, flock …: "FULLFSYNC", "SEEK_SET", "CMD=12"
	Path      string
	Cut       bool // the beginning of Path is missing
	Elapsed   int64
	Waited    bool
	Command   string
	TID       uint64
}

// The errors of Parse. A line that cannot be taken apart is one that was
// damaged on its way, or is no line of fs_usage -w at all.
var (
	ErrTime   = errors.New("no time of day with microseconds at its start (fs_usage prints it with -w)")
	ErrNoCall = errors.New("no name of a call behind the time")
	ErrTail   = errors.New("no elapsed time, command and thread at its end")
)

// Parse takes a line apart. The line has no line feed. With ErrTail the fields
// that are there are filled in.
func Parse(line []byte) (l Line, err error) {
	l = Line{FD: -1, FD2: -1, DirFD: -2, Bytes: -1, Offset: -1, Block: -1}
	rest, ok := l.time(line)
	if !ok {
		return l, ErrTime
	}
	body, ok := l.tail(rest)
	if !ok {
		body, err = bytes.TrimRight(rest, " \r"), ErrTail
	}
	body = bytes.TrimLeft(body, " ")
	end := bytes.IndexByte(body, ' ')
	if end < 0 {
		end = len(body)
	}
	if end == 0 {
		return l, ErrNoCall
	}
	l.Call = string(body[:end])
	l.Disk = bytes.IndexByte(body[:end], '[') > 0
	l.middle(body[end:])
	return l, err
}

// time reads HH:MM:SS.uuuuuu.
func (l *Line) time(b []byte) (rest []byte, ok bool) {
	if len(b) < 16 || b[2] != ':' || b[5] != ':' || b[8] != '.' || b[15] != ' ' {
		return nil, false
	}
	h, ok1 := digits(b[0:2])
	m, ok2 := digits(b[3:5])
	s, ok3 := digits(b[6:8])
	us, ok4 := digits(b[9:15])
	if !ok1 || !ok2 || !ok3 || !ok4 || h > 23 || m > 59 || s > 60 {
		return nil, false
	}
	l.TimeOfDay = ((h*60+m)*60+s)*1e9 + us*1000
	return b[15:], true
}

// maxCommand is the longest command name: MAXCOMLEN, or twice that on some
// versions.
const maxCommand = 32

// tail reads "SECONDS.MICROSECONDS W COMMAND.THREAD" from the end of the line.
// Command may hold blanks and dots, and so may the path before the seconds, so
// the last place that fits is taken.
func (l *Line) tail(b []byte) (body []byte, ok bool) {
	b = bytes.TrimRight(b, " \r")
	dot := bytes.LastIndexByte(b, '.')
	if dot < 0 {
		return nil, false
	}
	tid, err := strconv.ParseUint(string(b[dot+1:]), 10, 64)
	if err != nil {
		return nil, false
	}
	l.TID = tid
	for at := dot - 1; at >= max(0, dot-maxCommand-1); at-- {
		if b[at] != ' ' {
			continue
		}
		end := at // of the elapsed time: "0.000012 W name" or "0.000012   name"
		if end < 2 || b[end-2] != ' ' || b[end-1] != 'W' && b[end-1] != ' ' {
			continue
		}
		start, ns, ok := elapsed(b[:end-2])
		if !ok {
			continue
		}
		l.Waited = b[at-1] == 'W'
		l.Command = string(b[at+1 : dot])
		l.Elapsed = ns
		l.Cut = cut(b[:start])
		return b[:start], true
	}
	return nil, false
}

// elapsed reads "SECONDS.FRACTION" from the end of b; a blank is before it.
func elapsed(b []byte) (start int, ns int64, ok bool) {
	dot := bytes.LastIndexByte(b, '.')
	if dot < 1 || len(b)-dot-1 < 1 || len(b)-dot-1 > 6 {
		return 0, 0, false
	}
	frac, ok := digits(b[dot+1:])
	if !ok {
		return 0, 0, false
	}
	for range 9 - (len(b) - dot - 1) {
		frac *= 10
	}
	start = dot
	for start > 0 && b[start-1] >= '0' && b[start-1] <= '9' {
		start--
	}
	sec, ok := digits(b[start:dot])
	if !ok || sec > 1e9 || start == 0 || b[start-1] != ' ' {
		return 0, 0, false
	}
	return start, sec*1e9 + frac, true
}

// cut reports whether what is left of the elapsed time is filled to the last
// column, so that the beginning of a path may have been cut off: there are then
// only the blanks that the format puts there itself.
func cut(b []byte) bool {
	text := bytes.TrimRight(b, " ")
	return len(b)-len(text) <= 4 && len(text) > 120
}

// digits reads a decimal number of 1 to 12 digits.
func digits(b []byte) (n int64, ok bool) {
	if len(b) == 0 || len(b) > 12 {
		return 0, false
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}
