package block

import (
	"bytes"

	"github.com/iotrace/iotrace/convert"

	"github.com/iotrace/iotrace/trace"
)

// short is the table of biosnoop.bt, in milliseconds: TIME(ms), the disk, COMM, PID, LAT(ms). The disk is a name
// (DISK), two numbers (DISK ID, above MAJOR and MINOR), or not there in old versions.
type short struct{ names, numbers int } // of the disk: how many columns

// shortHeading reads the heading of such a table.
func (b *biosnoopReader) shortHeading(f [][]byte) bool {
	switch string(f[0]) {
	case "TIME(ms)", "MAJOR", "Attaching":
	default:
		return false // as nearly all lines
	}
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

// shortRow takes a line apart. A command may hold blanks.
func (b *biosnoopReader) shortRow(r *Row, f [][]byte) (ok bool) {
	disk, n := b.short.names+b.short.numbers, len(f)
	if n < disk+4 {
		return false
	}
	end, ok1 := ParseDecimal(f[0], 6)
	latency, ok2 := ParseDecimal(f[n-1], 6)
	pid, ok3 := convert.ParseUint(f[n-2], 32)
	if !ok1 || !ok2 || !ok3 || end < 0 || latency < 0 {
		return false
	}
	r.Request = trace.Request{Issued: end - latency, Completed: end, Op: trace.ReqOther, PID: uint32(pid),
		TID: uint32(pid), Offset: trace.NoOffset, Bios: 1}
	if b.short.names > 0 {
		r.Disk = b.texts.Get(f[1])
	}
	if b.short.numbers > 0 {
		if r.Device, ok = MakeDevice(f[1], f[2]); !ok {
			return false
		}
		b.joined = append(append(append(b.joined[:0], f[1]...), ':'), f[2]...)
		r.Disk = b.texts.Get(b.joined)
	}
	r.Command = b.command(f[1+disk : n-2])
	return true
}
