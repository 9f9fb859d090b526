package fio

import (
	"bytes"
	"strconv"

	"github.com/iotrace/iotrace/trace"
)

// entry is a line of a log: "2, 355678, 0, 4096, 61440, 0x0000". It is the time in ms, the latency in ns, the direction
// (read, write, trim), the size, then with log_offset the offset, the priority, and with log_issue_time when the I/O
// was issued, in ns.
type entry struct {
	time, latency, size int64
	direction           uint64
	offset              int64 // trace.NoOffset if it is not there
	issue               int64 // -1 if it is not there
}

func (e *entry) parse(line []byte) bool {
	var values [8][]byte
	n := 0
	for rest, more := bytes.TrimSpace(line), true; more; n++ {
		if n == len(values) {
			return false
		}
		values[n], rest, more = bytes.Cut(rest, []byte(", "))
	}
	if n < 4 || n > 7 {
		return false
	}
	var err [4]error
	e.time, err[0] = strconv.ParseInt(string(values[0]), 10, 43)
	e.latency, err[1] = strconv.ParseInt(string(values[1]), 10, 62)
	e.direction, err[2] = strconv.ParseUint(string(values[2]), 10, 8)
	e.size, err[3] = strconv.ParseInt(string(values[3]), 10, 41)
	for _, err := range err {
		if err != nil {
			return false
		}
	}
	e.offset, e.issue = trace.NoOffset, -1
	if n == 4 {
		return e.time >= 0 && e.latency >= 0 && e.size >= 0
	}
	at, isPlace := place(values[4], n)
	if isPlace {
		e.offset = at
	}
	if n == 7 {
		issue, err := strconv.ParseInt(string(values[6]), 10, 62)
		if err != nil {
			return false
		}
		e.issue = issue
	}
	_, isNumber := strconv.ParseUint(string(values[n-1]), 0, 64)
	return isNumber == nil && e.time >= 0 && e.latency >= 0 && e.size >= 0 && (isPlace || n == 5)
}

// place reads the fifth value. Of five it is the priority, 0 or 1 or in hexadecimal, but the offset in logs of old
// versions, which have no priority.
func place(value []byte, of int) (int64, bool) {
	n, err := strconv.ParseInt(string(value), 10, 62)
	return n, err == nil && n >= 0 && (of > 5 || n > 1)
}
