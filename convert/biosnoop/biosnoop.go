// Package biosnoop reads the tables of biosnoop, in the dialects of its several makers.
package biosnoop

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/requests"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// Importer reads the table that biosnoop of bcc and of its libbpf tools prints,
// one line a request at its completion. Which columns there are is said by the
// heading: QUE(ms) comes with -Q. That of bpftrace has fewer.
var Importer = convert.Importer{
	From:  "biosnoop",
	About: "biosnoop -Q > FILE\n(without -Q it is not known when a request was queued)",
	Header: trace.Header{Backend: "import:biosnoop", OS: "linux", Scope: "import",
		Limits: append(requests.Limits("biosnoop"), trace.Limit{Code: trace.LimitNoErrors,
			Text: "biosnoop does not say whether a request failed."})},
	Limits: shortLimits,
	Import: convert.Checked(read),
}

func read(in io.Reader, sink tracer.Sink) (c convert.Counts, err error) {
	b := reader{Finished: requests.NewFinished(sink)}
	if err = c.Each(in, b.line); err == nil {
		err = b.Flush()
	}
	if err != nil {
		return c, err
	}
	if c.Lines > 0 && b.Rows == 0 {
		return c, fmt.Errorf("importing from biosnoop: %w: none of %d lines is a request below a heading with TIME(s), "+
			"COMM, PID, DISK, SECTOR, BYTES and LAT(ms), or TIME(ms), COMM, PID and LAT(ms)",
			convert.ErrFormat, c.Lines)
	}
	c.Notes = append(c.Notes, b.Notes()...)
	if b.short != nil {
		c.Notes = append(c.Notes, "the times are whole milliseconds: most requests of a fast drive seem to take none")
	} else if !b.queues {
		c.Notes = append(c.Notes, "there is no QUE(ms) column: biosnoop -Q adds the time requests waited in the queue")
	}
	if b.short == nil || b.short.numbers == 0 {
		c.Notes = append(c.Notes, "biosnoop names disks without their numbers: the device numbers of this trace are made up")
	}
	return c, nil
}

type reader struct {
	*requests.Finished
	columns map[string]int // places from the right end, from 1
	queues  bool
	short   *short // the table is of bpftrace's
}

// heading reads the names of the columns. Those right of COMM are counted from
// the right: a command may hold blanks.
func (b *reader) heading(f [][]byte) bool {
	if len(f) < 7 || string(f[0]) != "TIME(s)" || string(f[1]) != "COMM" {
		return false
	}
	columns := map[string]int{}
	for i, name := range f {
		columns[string(name)] = len(f) - i
	}
	for _, name := range []string{"PID", "DISK", "T", "SECTOR", "BYTES", "LAT(ms)"} {
		if columns[name] == 0 {
			return false
		}
	}
	b.columns, b.short = columns, nil
	return true
}

func (b *reader) line(text []byte) (convert.Verdict, error) {
	f := bytes.Fields(text)
	if len(f) == 0 || b.heading(f) || b.shortHeading(f) {
		return convert.Skipped, nil
	}
	r, ok := requests.Row{}, false
	if b.short != nil {
		r, ok = b.short.row(f)
	} else {
		r, ok = b.row(f)
	}
	if !ok {
		return convert.Damaged, nil
	}
	return convert.Read, b.Add(&r)
}

// row takes a line apart. Its times are those of the text.
func (b *reader) row(f [][]byte) (r requests.Row, ok bool) {
	at := func(name string) string { return string(f[len(f)-b.columns[name]]) }
	if b.columns == nil || len(f) < b.columns["PID"]+1 {
		return r, false
	}
	pid, err1 := strconv.ParseUint(at("PID"), 10, 32)
	bytesMoved, err2 := strconv.ParseInt(at("BYTES"), 10, 41)
	sector, err3 := strconv.ParseInt(at("SECTOR"), 10, 55)
	if err3 != nil && at("SECTOR") == "18446744073709551615" { // that of a flush, as a number without a sign
		sector, err3 = -1, nil
	}
	seconds, ok1 := requests.ParseDecimal(f[0], 9)
	latency, ok2 := requests.ParseDecimal([]byte(at("LAT(ms)")), 6)
	if err1 != nil || err2 != nil || err3 != nil || !ok1 || !ok2 || seconds < 0 || latency < 0 || bytesMoved < 0 {
		return r, false
	}
	op, flags, ok := requests.ParseRWBS(at("T"), bytesMoved)
	r.Request = trace.Request{Queued: -1, Issued: seconds - latency, Completed: seconds, Bytes: bytesMoved,
		Sector: uint64(max(sector, 0)), Op: op,
		Flags: flags, PID: uint32(pid), TID: uint32(pid), Offset: trace.NoOffset, Bios: 1}
	if b.columns["QUE(ms)"] > 0 {
		b.queues = true
		wait, ok := requests.ParseDecimal([]byte(at("QUE(ms)")), 6)
		if !ok {
			return r, false
		}
		r.Waited = true
		r.Queued = r.Issued - max(wait, 0) // -1: it was not in a queue
	}
	r.Disk = at("DISK")
	r.Command = string(bytes.Join(f[1:len(f)-b.columns["PID"]], []byte(" ")))
	return r, ok
}
