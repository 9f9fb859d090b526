package biosnoop

import (
	"bytes"
	"strconv"

	"github.com/iotrace/iotrace/convert/requests"
	"github.com/iotrace/iotrace/trace"
)

// short is the table of biosnoop.bt, in milliseconds: TIME(ms), the disk, COMM, PID, LAT(ms). The disk is a name
// (DISK), two numbers (DISK ID, above MAJOR and MINOR), or not there in old versions.
type short struct{ names, numbers int } // of the disk: how many columns

// shortHeading reads the heading of such a table.
func (b *reader) shortHeading(f [][]byte) bool {
	switch heading := string(bytes.Join(f, []byte(" "))); heading {
	case "TIME(ms) COMM PID LAT(ms)":
		b.short = &short{}
	case "TIME(ms) DISK COMM PID LAT(ms)":
		b.short = &short{names: 1}
	case "TIME(ms) DISK ID COMM PID LAT(ms)":
		b.short = &short{numbers: 2}
	case "MAJOR MINOR":
		return b.short != nil
	default:
		return len(f) == 3 && b.Rows == 0 && string(f[0]) == "Attaching" // "Attaching 6 probes..."
	}
	return true
}

// shortLimits are those of a table that has no more.
func shortLimits(head []byte) []trace.Limit {
	first, _, _ := bytes.Cut(head, []byte("TIME(s)"))
	if !bytes.Contains(first, []byte("TIME(ms)")) {
		return nil
	}
	return []trace.Limit{{Code: trace.LimitNoPlaces, Text: "biosnoop.bt does not say what a request did, how large it " +
		"was and where it lies: requests are shown as others, of no bytes."}, trace.LimitNoQueue.Limit()}
}

// row takes a line apart. A command may hold blanks.
func (s *short) row(f [][]byte) (r requests.Row, ok bool) {
	disk := s.names + s.numbers
	if len(f) < disk+4 {
		return r, false
	}
	end, ok1 := requests.ParseDecimal(f[0], 6)
	latency, ok2 := requests.ParseDecimal(f[len(f)-1], 6)
	pid, err := strconv.ParseUint(string(f[len(f)-2]), 10, 32)
	if !ok1 || !ok2 || err != nil || end < 0 || latency < 0 {
		return r, false
	}
	r.Request = trace.Request{Issued: end - latency, Completed: end, Op: trace.ReqOther, PID: uint32(pid),
		TID: uint32(pid), Offset: trace.NoOffset, Bios: 1}
	if s.names > 0 {
		r.Disk = string(f[1])
	}
	if s.numbers > 0 {
		if r.Device, ok = requests.ParseDevice(bytes.Join(f[1:3], []byte(","))); !ok {
			return r, false
		}
		r.Disk = string(bytes.Join(f[1:3], []byte(":")))
	}
	r.Command = string(bytes.Join(f[1+disk:len(f)-2], []byte(" ")))
	return r, true
}
