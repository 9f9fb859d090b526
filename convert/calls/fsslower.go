package calls

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/iotrace/iotrace/convert"

	"github.com/iotrace/iotrace/internal/linux"
	"github.com/iotrace/iotrace/trace"
)

// FSSlower reads a line for each operation of a file system, at its end.
var FSSlower = convert.Importer{
	From: "fsslower",
	About: "ext4slower -j 0 > FILE, of bcc or libbpf-tools; xfsslower, btrfsslower, nfsslower, zfsslower as well\n" +
		"(without -j times are whole seconds, without 0 only slow operations are shown)",
	Header: trace.Header{Backend: "import:fsslower", OS: "linux", Scope: "import", Calls: Names(),
		Limits: []trace.Limit{
			{Code: trace.LimitNoPaths, Text: "Files are shown by the last part of their names, cut to 31 bytes: those of one " +
				"name are taken for one."},
			{Code: trace.LimitNoRequested, Text: "How much an operation asked for is not seen, only how much it moved; both " +
				"are taken to be the same."},
			trace.LimitNoAsync.Limit(), trace.LimitNoClones.Limit(), trace.LimitNoRequests.Limit(), trace.LimitNoFaults.Limit(),
			trace.LimitNoWaits.Limit(), trace.LimitNoFill.Limit(), trace.LimitNoProcesses.Limit()}},
	Joins:  true,
	Import: convert.Checked(fsslowerRead),
}

// ahead is how many rows are looked at to find the earliest beginning: they come in the order of their ends.
const ahead = 4096

func fsslowerRead(in io.Reader, sink trace.Sink) (c convert.Counts, err error) {
	r := fsslowerReader{out: NewFinished(sink, ahead), others: convert.LeftOut{}, fastest: -1}
	if err = c.Each(in, r.line); err == nil {
		err = r.out.Flush()
	}
	if err != nil {
		return c, err
	}
	if c.Lines > 0 && r.out.Rows == 0 {
		return c, fmt.Errorf("importing from fsslower: %w: none of %d lines is an operation (TIME COMM PID T BYTES OFF_KB "+
			"LAT(ms) FILENAME, or the columns of -j)", convert.ErrFormat, c.Lines)
	}
	c.Notes = append(c.Notes, r.notes()...)
	return c, nil
}

type fsslowerReader struct {
	out       *Finished
	others    convert.LeftOut // by the letter of T
	threshold string          // as the tool says it, "" if it shows all
	told      bool            // the tool said what it shows
	fastest   int64
	seconds   uint64 // lines whose times are whole seconds
	days      int64
	last      int64 // time of day of the line before
	lost      uint64
	row       Row
}

// operations are the calls that the letters of T stand for; the libbpf tools say F for what others call S.
var operations = map[byte]string{'R': "read", 'W': "write", 'O': "openat", 'S': "fsync", 'F': "fsync",
	'G': "newfstatat"}

// notes says what the table could not tell.
func (r *fsslowerReader) notes() (notes []string) {
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	switch {
	case r.threshold != "":
		note("the table has only operations slower than %s: numbers, bytes and rates are of these; with 0 the tool shows all",
			r.threshold)
	case !r.told:
		note("the table does not say how slow an operation had to be to be shown: the fastest took %v",
			time.Duration(r.fastest))
	}
	if r.seconds > 0 {
		note("the table has the seconds in which operations ended: their order and depth within one is not known, and " +
			"offsets are rounded down to KiB; -j has both")
	}
	if len(r.others) > 0 {
		note("operations of kinds that a trace does not hold: %s", r.others)
	}
	if r.lost > 0 {
		note("the tool lost %d operations", r.lost)
	}
	return append(notes, r.out.Notes()...)
}

func (r *fsslowerReader) line(text []byte) (convert.Verdict, error) {
	if len(bytes.TrimSpace(text)) == 0 || r.said(text) {
		return convert.Skipped, nil
	}
	r.row = Row{}
	kind, ok := r.exact(text)
	if !ok {
		kind, ok = r.coarse(text)
	}
	if !ok {
		return convert.Damaged, nil
	}
	name, known := operations[kind]
	if !known {
		r.others.Add([]byte{kind})
		return convert.Skipped, nil
	}
	r.row.Call, _ = ByName(name)
	if took := r.row.End - r.row.Start; r.fastest < 0 || took < r.fastest {
		r.fastest = took
	}
	switch op := linux.Calls[r.row.Call].Op; {
	case op != trace.OpRead && op != trace.OpWrite:
		r.row.Offset, r.row.Bytes = trace.NoOffset, min(r.row.Bytes, 0)
	case r.row.Bytes > 0:
		r.row.Requested = r.row.Bytes
	}
	if ok, err := r.out.Add(&r.row); !ok || err != nil {
		return convert.Damaged, err
	}
	return convert.Read, nil
}

// said reads what the tool says itself: what it shows, the names of the columns, losses.
func (r *fsslowerReader) said(text []byte) bool {
	switch {
	case bytes.HasPrefix(text, []byte("Tracing ")):
		_, slower, _ := bytes.Cut(text, []byte(" slower than "))
		if n := bytes.Index(slower, []byte(" ms")); n > 0 && n < 12 {
			r.threshold = string(slower[:n+3])
		}
		r.told = true
	case bytes.HasPrefix(text, []byte("TIME ")), bytes.HasPrefix(text, []byte("ENDTIME_us,")):
	case bytes.HasPrefix(text, []byte("Possibly lost ")):
		number, _, _ := bytes.Cut(text[len("Possibly lost "):], []byte(" "))
		n, err := strconv.ParseUint(string(number), 10, 40)
		r.lost += n
		return err == nil
	default:
		return false
	}
	return true
}
