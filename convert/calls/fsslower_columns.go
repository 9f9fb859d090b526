package calls

import (
	"bytes"
	"regexp"
	"strconv"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/block"
)

// exact reads a line of -j: ENDTIME_us,TASK,PID,TYPE,BYTES,OFFSET_b,LATENCY_us,FILE. The time is since the machine was
// started. Names may hold commas: a command's are left of the process, a file's at the end.
func (r *fsslowerReader) exact(text []byte) (kind byte, ok bool) {
	first, rest, _ := bytes.Cut(text, []byte(","))
	end, ok := convert.ParseUint(first, 52)
	if !ok {
		return 0, false
	}
	command, at, file := split(comma, rest, 0)
	if at == nil {
		return 0, false
	}
	took, ok1 := convert.ParseUint(at[5], 52)
	offset, ok2 := convert.ParseUint(at[4], 63)
	if !ok1 || !ok2 || !r.process(command, at[1]) {
		return 0, false
	}
	r.row.End, r.row.Start = int64(end)*1000, (int64(end)-int64(took))*1000
	r.row.Offset, r.row.Path = int64(offset), plain(file)
	r.row.Bytes, ok = moved(at[3])
	return at[2][0], ok
}

// comma is what stands between the names.
var comma = regexp.MustCompile(`,(\d{1,10}),([A-Z]),(-?\d{1,20}),(\d{1,19}),(\d{1,16}),`)

// split cuts a text in two names by the first match of what stands between them, from a place on. The names are left to
// no expression: one that goes on over a long name reads 20 MB a second.
func split(between *regexp.Regexp, text []byte, from int) (before []byte, columns [][]byte, behind []byte) {
	if from > len(text) {
		return nil, nil, nil
	}
	at := between.FindSubmatchIndex(text[from:])
	if at == nil {
		return nil, nil, nil
	}
	for i := 0; i < len(at); i += 2 {
		columns = append(columns, text[from+at[i]:from+at[i+1]])
	}
	return text[:from+at[0]], columns, text[from+at[1]:]
}

// coarse reads a line of the table: TIME COMM PID T BYTES OFF_KB LAT(ms) FILENAME. A command may hold blanks.
func (r *fsslowerReader) coarse(text []byte) (kind byte, ok bool) {
	clock := clockTime.FindSubmatch(text[:min(len(text), len("00:00:00 "))])
	if clock == nil {
		return 0, false
	}
	command, at, file := split(blank, bytes.TrimLeft(text[len(clock[0]):], " "), 1)
	if at == nil {
		return 0, false
	}
	hours, _ := convert.ParseUint(clock[1], 8)
	minutes, _ := convert.ParseUint(clock[2], 8)
	seconds, _ := convert.ParseUint(clock[3], 8)
	offset, ok1 := convert.ParseUint(at[4], 53)
	took, ok2 := block.ParseDecimal(at[5], 6)
	if hours > 23 || minutes > 59 || seconds > 60 || !ok1 || !ok2 || !r.process(command, at[1]) {
		return 0, false
	}
	r.row.Bytes, ok = moved(at[3])
	if !ok {
		return 0, false
	}
	const day = 24 * 3600
	now := int64(hours*3600 + minutes*60 + seconds)
	if now < r.last-day/2 {
		r.days++
	}
	r.last = now
	r.seconds++
	r.row.End = (now + r.days*day) * 1e9
	r.row.Start = r.row.End - took
	r.row.Offset, r.row.Path = int64(offset)*1024, plain(file)
	return at[2][0], true
}

var (
	clockTime = regexp.MustCompile(`^(\d\d):(\d\d):(\d\d) $`)
	blank     = regexp.MustCompile(` +(\d{1,10}) +([A-Z]) +(-?\d{1,20}|LL_MAX) +(\d{1,16}) +(\d{1,12}\.\d+) `)
)

// process is who did it.
func (r *fsslowerReader) process(command, pid []byte) bool {
	n, err := strconv.ParseUint(string(pid), 10, 32)
	r.row.PID, r.row.Command = uint32(n), string(plain(command))
	return err == nil
}

// plain is a name without the marks of Python 3, which some versions print: b'name'.
func plain(name []byte) []byte {
	if inner, ok := bytes.CutPrefix(name, []byte("b'")); ok && bytes.HasSuffix(inner, []byte("'")) {
		return inner[:len(inner)-1]
	}
	return name
}

// moved is how much was moved, or -errno: bcc prints it without a sign, of 32 bits.
func moved(text []byte) (int64, bool) {
	if string(text) == "LL_MAX" { // of a sync up to the end
		return 0, true
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if least := int64(1<<32 - 4095); n >= least && n < 1<<32 {
		n -= 1 << 32
	}
	return n, err == nil && n > -4096
}
