package fsslower

import (
	"bytes"
	"regexp"
	"strconv"

	"github.com/iotrace/iotrace/convert/internal/fields"
	"github.com/iotrace/iotrace/convert/requests"
)

// exact reads a line of -j: ENDTIME_us,TASK,PID,TYPE,BYTES,OFFSET_b,LATENCY_us,FILE. The time is since the machine was
// started. Names may hold commas: a command's are left of the process, a file's at the end.
func (r *reader) exact(text []byte) (kind byte, ok bool) {
	at := comma.FindSubmatch(text)
	if at == nil {
		return 0, false
	}
	end, ok1 := fields.Uint(at[1], 52)
	took, ok2 := fields.Uint(at[7], 52)
	offset, ok3 := fields.Uint(at[6], 63)
	if !ok1 || !ok2 || !ok3 || !r.process(at[2], at[3]) {
		return 0, false
	}
	r.row.End, r.row.Start = int64(end)*1000, (int64(end)-int64(took))*1000
	r.row.Offset, r.row.Path = int64(offset), plain(at[8])
	r.row.Bytes, ok = moved(at[5])
	return at[4][0], ok
}

var comma = regexp.MustCompile(`^(\d{1,16}),(.*?),(\d{1,10}),([A-Z]),(-?\d{1,20}),(\d{1,19}),(\d{1,16}),(.*)$`)

// coarse reads a line of the table: TIME COMM PID T BYTES OFF_KB LAT(ms) FILENAME. A command may hold blanks.
func (r *reader) coarse(text []byte) (kind byte, ok bool) {
	at := blank.FindSubmatch(text)
	if at == nil {
		return 0, false
	}
	hours, _ := fields.Uint(at[1], 8)
	minutes, _ := fields.Uint(at[2], 8)
	seconds, _ := fields.Uint(at[3], 8)
	offset, ok1 := fields.Uint(at[8], 53)
	took, ok2 := requests.ParseDecimal(at[9], 6)
	if hours > 23 || minutes > 59 || seconds > 60 || !ok1 || !ok2 || !r.process(at[4], at[5]) {
		return 0, false
	}
	r.row.Bytes, ok = moved(at[7])
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
	r.row.Offset, r.row.Path = int64(offset)*1024, plain(at[10])
	return at[6][0], true
}

var blank = regexp.MustCompile(`^(\d\d):(\d\d):(\d\d) +(\S.*?) +(\d{1,10}) +([A-Z]) +` +
	`(-?\d{1,20}|LL_MAX) +(\d{1,16}) +(\d{1,12}\.\d+) (.*)$`)

// process is who did it.
func (r *reader) process(command, pid []byte) bool {
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
