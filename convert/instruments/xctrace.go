package instruments

import (
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

// Importer reads tables of Instruments, exported as XML: syscall of the System
// Trace template, and fs-syscall of File Activity. Other tables are skipped. A
// row is turned back into the trace records of its call, so that descriptors and
// offsets are followed as in a recording.
var Importer = convert.Importer{
	From: "xctrace",
	About: `xctrace export --input X.trace --output FILE \
  --xpath '/trace-toc/run[@number="1"]/data/table[@schema="syscall"]'
(fs-syscall for File Activity)`,
	Header: trace.Header{Backend: "import:xctrace", OS: "darwin", Scope: "import", Calls: kdebug.Names(),
		Limits: []trace.Limit{
			{Code: trace.LimitNoRequests,
				Text: "The table of disk requests of Instruments is not known: only system calls are " +
					"imported."},
			{Code: trace.LimitNoPaths, Text: "The syscall table has no paths; the fs-syscall table names some files."},
			trace.LimitNoFaults.Limit(),
			trace.LimitNoWaits.Limit(),
			trace.LimitNoFill.Limit(),
		}},
	Import: convert.Checked(importTables),
}

func importTables(in io.Reader, sink tracer.Sink) (convert.Counts, error) {
	x := tables{in: newReader(in), known: map[uint64]bool{},
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
		return "it has the tables " + strings.Join(x.tables, ", ") + ", and of these only syscall and fs-syscall can be read"
	}
	return ""
}

type tables struct {
	in     *reader
	d      *kdebug.Decoder
	count  convert.Counts
	known  map[uint64]bool // threads whose process was told
	node   bool
	open   int      // elements around the rows
	tables []string // schemas that were skipped
	useful bool     // the current table is one of calls
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
		x.schema(attribute(start, "name"))
		return x.in.skip()
	case "row":
		e, err := x.in.row(start)
		if err == nil && x.useful {
			err = x.row(e)
		}
		return err
	}
	return nil
}

// maxTables bounds the schemas that are named.
const maxTables = 64

// schema begins a table.
func (x *tables) schema(name string) {
	x.useful = name == "syscall" || name == "fs-syscall"
	if !x.useful && len(x.tables) < maxTables {
		x.tables = append(x.tables, strings.Clone(name[:min(len(name), bounded.MaxName)]))
	}
}

// row turns a call into the records that the kernel logged for it.
func (x *tables) row(row *element) error {
	x.count.Lines++
	start, ok1 := row.Child("start-time").Number()
	duration, ok2 := row.Child("duration").Number()
	thread := row.Child("thread")
	tid, ok3 := thread.Child("tid").Number()
	process := row.Child("process")
	if process == nil {
		process = thread.Child("process")
	}
	pid, ok4 := process.Child("pid").Number()
	if !ok1 || !ok2 || !ok3 || !ok4 || start < 0 || duration < 0 || start > 1<<55 || duration > 1<<55 {
		x.count.AddDamaged()
		return nil
	}
	if x.in.missing {
		x.count.AddDamagedAs("it refers to a value that stands too far above")
		return nil
	}
	number, ok := callNumber(row)
	if !ok {
		x.count.Skipped++
		return nil
	}
	if err := x.process(uint64(tid), uint32(pid), process.Fmt); err != nil {
		return err
	}
	begin := kdebug.Record{Time: uint64(start), Thread: uint64(tid), DebugID: kdebug.CallID(number) | kdebug.FuncStart}
	end := kdebug.Record{Time: uint64(start + duration), Thread: uint64(tid),
		DebugID: kdebug.CallID(number) | kdebug.FuncEnd}
	end.Arg[3] = uint64(uint32(pid))
	n, returns := 0, 0
	for _, c := range row.Children {
		v, ok := c.Number()
		switch {
		case !ok:
		case c.Name == "syscall-arg" && n < len(begin.Arg):
			begin.Arg[n] = uint64(v)
			n++
		case c.Name == "syscall-return" && returns < 2:
			end.Arg[1+returns] = uint64(v)
			returns++
		}
	}
	if returns == 1 {
		end.Arg[2] = uint64(int64(end.Arg[1])) >> 32
	}
	if errno, ok := findErrno(row); ok && errno > 0 && !(harmless(row) && int64(end.Arg[1]) >= 0) {
		end.Arg[0] = uint64(errno)
	}
	x.push(begin)
	if path := findPath(row); path != "" {
		for _, r := range kdebug.LookupRecords(begin, path) {
			x.push(r)
		}
	}
	x.push(end)
	return x.flush(uint64(start)) // rows are in the order of their beginnings
}

// process tells the decoder which process a thread belongs to: "cp (123)".
func (x *tables) process(tid uint64, pid uint32, name string) error {
	if x.known[tid] || len(x.known) >= convert.MaxSeen {
		return nil
	}
	x.known[tid] = true
	if i := strings.LastIndex(name, " ("); i > 0 {
		name = name[:i]
	}
	return x.d.Seed([]kdebug.ThreadEntry{{TID: tid, PID: pid, Command: name}})
}
