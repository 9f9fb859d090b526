package darwin

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/internal/bounded"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/kdebug"
)

// Instruments reads tables of Instruments, exported as XML: syscall of the System Trace template, fs-syscall of File
// Activity (FsSyscall in some versions of Xcode), and the table of disk requests, by its columns. Other tables are
// skipped. A row of a call is turned back into the trace records of its call, so that descriptors and offsets are
// followed as in a recording.
var Instruments = convert.Importer{
	From: "xctrace",
	About: `xctrace export --input X.trace --output FILE \
  --xpath '/trace-toc/run[@number="1"]/data/table[@schema="fs-syscall"]'
(of File Activity; syscall of System Trace; --toc lists the tables)`,
	Header: trace.Header{Backend: "import:xctrace", OS: "darwin", Scope: "import", Calls: kdebug.Names(),
		Limits: []trace.Limit{
			{Code: trace.LimitNoPaths,
				Text: "The syscall table has no paths; the fs-syscall table names the file of each call."},
			trace.LimitNoFaults.Limit(),
			trace.LimitNoWaits.Limit(),
			trace.LimitNoFill.Limit(),
		}},
	Limits: missing,
	Import: convert.Checked(importTables),
}

// missing says what the first table of an export does not have.
func missing(head []byte) []trace.Limit {
	if bytes.Contains(head, []byte(operation)) {
		return []trace.Limit{{Code: trace.LimitNoCalls,
			Text: "The export begins with a table of disk requests, which has no " +
				"system calls: those are in the table fs-syscall."}}
	}
	return []trace.Limit{{Code: trace.LimitNoRequests,
		Text: "The export begins with a table of system calls, which has no disk " +
			"requests: those are in another table of File Activity."}}
}

func importTables(in io.Reader, sink trace.Sink) (convert.Counts, error) {
	x := tables{in: newReader(in), known: map[uint64]bool{}, disks: disks{sink: sink, ids: map[string]trace.DeviceID{}},
		d: kdebug.NewDecoder(kdebug.Config{Scope: tracer.Scope{All: true}, Timebase: kdebug.Timebase{Numer: 1, Denom: 1}},
			sink)}
	err := x.read()
	var syntax *xml.SyntaxError
	damaged := errors.As(err, &syntax)
	if damaged && x.count.Lines > 0 {
		// An export that was cut: what came before is good.
		line, _ := x.in.Place()
		x.count.Notes = append(x.count.Notes, fmt.Sprintf("the export ends early, in line %d: %s", line, syntax.Msg))
		err, damaged = nil, false
	}
	if err == nil {
		err = x.flush(1<<63 - 1)
	}
	if wrong := x.wrong(damaged); wrong != "" && (damaged || err == nil) {
		return x.count, fmt.Errorf("importing from xctrace: %w: %s", convert.ErrFormat, wrong)
	}
	if x.in.forgotten {
		x.count.Notes = append(x.count.Notes, "the export has more values than are remembered: rows that refer to one that "+
			"stands too far above are among the damaged")
	}
	x.count.AddNote(x.d.Files().Note())
	x.count.Notes = append(x.count.Notes, "the columns of Instruments' tables are not documented; they were taken from "+
		"public descriptions")
	return x.count, err
}

// wrong is why there is nothing to import, "" if there is.
func (x *tables) wrong(damaged bool) string {
	switch {
	case damaged || !x.node:
		return "there is no trace-query-result in it; was it made with xctrace export --xpath?"
	case x.count.Lines > 0 && x.count.Damaged == x.count.Lines:
		return fmt.Sprintf("none of its %d rows can be read; the first: %s", x.count.Lines, x.count.Why)
	case len(x.tables) > 0 && x.count.Lines == 0:
		return "it has the tables " + strings.Join(x.tables, ", ") + ", and of these only syscall, fs-syscall (FsSyscall) " +
			"and those of disk requests can be read"
	}
	return ""
}

type tables struct {
	in     *instrumentsReader
	d      *kdebug.Decoder
	count  convert.Counts
	known  map[uint64]bool // threads whose process was told
	node   bool
	open   int      // elements around the rows
	tables []string // schemas that were skipped
	table  schema   // the current one
	disks  disks
	queue  records
	buf    []byte
}

func (x *tables) read() error {
	for {
		t, err := x.in.Token()
		switch t := t.(type) {
		case xml.StartElement:
			err = x.element(t)
		case xml.EndElement:
			if outer(t.Name) {
				x.open--
			}
		}
		if errors.Is(err, bounded.ErrTooLong) || errors.Is(err, errDeep) {
			line, at := x.in.Place()
			x.count.Lines++
			x.count.AddDamagedAs(fmt.Sprintf("in line %d of the file, at byte %d, %s", line, at, err))
			if err = x.in.SkipTo("row"); errors.Is(err, io.EOF) {
				return nil
			}
		}
		if errors.Is(err, io.EOF) && x.open > 0 {
			return errCut
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// outer tells the elements around the rows.
func outer(n xml.Name) bool { return n.Local == "trace-query-result" || n.Local == "node" }

// element reads what begins with an element outside of rows.
func (x *tables) element(start xml.StartElement) error {
	switch start.Name.Local {
	case "trace-query-result", "node":
		x.node = true
		x.open++
	case "schema":
		return x.begin(start)
	case "row":
		e, err := x.in.row(start)
		if err == nil && x.table.content != otherRows {
			err = x.row(e)
		}
		return err
	}
	return nil
}

// maxTables bounds the schemas that are named.
const maxTables = 64

// begin begins a table.
func (x *tables) begin(start xml.StartElement) error {
	s, err := x.in.schema(start)
	if x.table = s; s.content == otherRows && len(x.tables) < maxTables {
		x.tables = append(x.tables, s.name)
	}
	return errors.Join(err, x.flush(1<<63-1)) // its times begin anew
}

// row takes a row of the current table.
func (x *tables) row(row *element) error {
	x.count.Lines++
	r, ok := x.table.common(row)
	switch {
	case !ok:
		x.count.AddDamaged()
		return nil
	case x.in.missing:
		x.count.AddDamagedAs("it refers to a value that stands too far above")
		return nil
	case x.table.content == diskRows:
		return x.request(row, &r)
	}
	return x.call(row, &r)
}

// common is what every table says of a row.
type common struct {
	start, end int64
	pid        uint32
	tid        uint64
	process    string // "cp (123)"
}

func (s *schema) common(row *element) (c common, ok bool) {
	start, ok1 := s.value(row, "start-time", "start").Number()
	duration, ok2 := s.value(row, "duration", "duration").Number()
	thread := s.value(row, "thread", "thread")
	tid, ok3 := thread.Child("tid").Number()
	process := s.value(row, "process", "process")
	if process == nil {
		process = thread.Child("process")
	}
	pid, ok4 := process.Child("pid").Number()
	if !ok1 || !ok2 || !ok4 || !ok3 && s.content != diskRows || start < 0 || duration < 0 || start > 1<<55 ||
		duration > 1<<55 {
		return c, false
	}
	return common{start, start + duration, uint32(pid), uint64(tid), process.Fmt}, true
}

// process tells the decoder which process a thread belongs to: "cp (123)".
func (x *tables) process(r *common) error {
	if x.known[r.tid] || len(x.known) >= convert.MaxSeen {
		return nil
	}
	x.known[r.tid] = true
	name := r.process
	if i := strings.LastIndex(name, " ("); i > 0 {
		name = name[:i]
	}
	return x.d.Seed([]kdebug.ThreadEntry{{TID: r.tid, PID: r.pid, Command: name}})
}
