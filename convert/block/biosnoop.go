package block

import (
	"bytes"
	"fmt"
	"io"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/trace"
)

// Biosnoop reads the table that biosnoop of bcc and of its libbpf tools prints,
// one line a request at its completion. Which columns there are is said by the
// heading: QUE(ms) comes with -Q. That of bpftrace has fewer.
var Biosnoop = convert.Importer{
	From:  "biosnoop",
	About: "biosnoop -Q > FILE\n(without -Q it is not known when a request was queued)",
	Header: trace.Header{Backend: "import:biosnoop", OS: "linux", Scope: "import",
		Limits: append(Limits("biosnoop"), trace.Limit{Code: trace.LimitNoErrors,
			Text: "biosnoop does not say whether a request failed."})},
	Limits: shortLimits,
	Import: convert.Checked(read),
}

func read(in io.Reader, sink trace.Sink) (c convert.Counts, err error) {
	b := biosnoopReader{Finished: NewFinished(sink)}
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
	c.Notes = append(c.Notes, b.bccNotes()...)
	return c, nil
}

type biosnoopReader struct {
	*Finished
	columns *columns // nil before a heading
	queues  bool
	writes  bool
	short   *short // the table is of bpftrace's
	words   [][]byte
	next    Row
	texts   convert.Texts
	joined  []byte // a command with blanks
}

func (b *biosnoopReader) line(text []byte) (convert.Verdict, error) {
	f := convert.SplitFields(b.words[:0], text)
	b.words = f
	if len(f) == 0 || b.heading(text, f) || b.shortHeading(f) {
		return convert.Skipped, nil
	}
	b.next = Row{}
	ok := false
	if b.short != nil {
		ok = b.shortRow(&b.next, f)
	} else {
		ok = b.row(&b.next, f)
	}
	if !ok {
		return convert.Damaged, nil
	}
	return b.Add(&b.next)
}

// row takes a line apart. Its times are those of the text.
func (b *biosnoopReader) row(r *Row, f [][]byte) (ok bool) {
	c := b.columns
	if c == nil || len(f) < c.leftmost {
		return false
	}
	f = c.separate(f)
	n := len(f)
	if n < c.leftmost+1 {
		return false
	}
	pid, ok1 := convert.ParseUint(f[n-c.pid], 32)
	bytesMoved, ok2 := convert.ParseInt(f[n-c.bytes], 41)
	sector, ok3 := convert.ParseInt(f[n-c.sector], 55)
	if !ok3 && string(f[n-c.sector]) == "18446744073709551615" { // that of a flush, as a number without a sign
		sector, ok3 = -1, true
	}
	end, ok4 := parseEnd(f[0])
	latency, ok5 := ParseDecimal(f[n-c.latency], 6)
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || latency < 0 || latency > longest || bytesMoved < 0 {
		return false
	}
	op, flags, ok := ParseRWBS(string(f[n-c.kind]), bytesMoved)
	if op == trace.ReqRead && bytesMoved == 0 { // bcc knows R and W alone
		op, flags = trace.ReqFlush, trace.ReqSync
	}
	b.writes = b.writes || op == trace.ReqWrite
	r.Request = trace.Request{Queued: -1, Issued: end - latency, Completed: end, Bytes: bytesMoved,
		Sector: uint64(max(sector, 0)), Op: op,
		Flags: flags, PID: uint32(pid), TID: uint32(pid), Offset: trace.NoOffset, Bios: 1}
	if c.queue > 0 {
		b.queues = true
		wait, ok := ParseDecimal(f[n-c.queue], 6)
		if !ok || wait > longest {
			return false
		}
		r.Waited = true
		r.Queued = r.Issued - max(wait, 0) // -1: it was not in a queue
	}
	r.Disk = b.texts.Get(f[n-c.disk])
	r.Command = b.command(f[1 : n-c.leftmost])
	return ok
}

// command is a name that may hold blanks.
func (b *biosnoopReader) command(words [][]byte) string {
	if len(words) == 1 {
		return b.texts.Get(words[0])
	}
	b.joined = b.joined[:0]
	for i, word := range words {
		if i > 0 {
			b.joined = append(b.joined, ' ')
		}
		b.joined = append(b.joined, word...)
	}
	return b.texts.Get(b.joined)
}

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
