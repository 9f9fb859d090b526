package instruments

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/iotrace/iotrace/convert"
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
	if err == nil {
		err = x.flush(1<<63 - 1)
	}
	var syntax *xml.SyntaxError
	switch {
	case errors.As(err, &syntax) && x.count.Lines > 0:
		// An export that was cut: what came before is good.
		x.count.Notes = append(x.count.Notes, fmt.Sprintf("the export ends early, in line %d: %s", syntax.Line, syntax.Msg))
		err = x.flush(1<<63 - 1)
	case errors.As(err, &syntax), err == nil && !x.node:
		return x.count, fmt.Errorf("importing from xctrace: %w: there is no trace-query-result in it; was it made with "+
			"xctrace export --xpath?", convert.ErrFormat)
	}
	if err == nil && len(x.tables) > 0 && x.count.Lines == 0 {
		return x.count, fmt.Errorf("importing from xctrace: %w: it has the tables %s, and of these only syscall and "+
			"fs-syscall can be read",
			convert.ErrFormat, strings.Join(x.tables, ", "))
	}
	x.count.Notes = append(x.count.Notes, "the columns of Instruments' tables are not documented; they were taken from "+
		"public descriptions")
	return x.count, err
}

type tables struct {
	in     *reader
	d      *kdebug.Decoder
	count  convert.Counts
	known  map[uint64]bool // threads whose process was told
	node   bool
	tables []string // schemas that were skipped
	useful bool     // the current table is one of calls
	queue  records
	buf    []byte
}

func (x *tables) read() error {
	for {
		t, err := x.in.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		start, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "trace-query-result", "node":
			x.node = true
		case "schema":
			x.schema(attribute(start, "name"))
			if err := x.in.Skip(); err != nil {
				return err
			}
		case "row":
			e, err := x.in.read(start)
			if err != nil {
				return err
			}
			if x.useful {
				if err := x.row(e); err != nil {
					return err
				}
			}
		}
	}
}

// schema begins a table.
func (x *tables) schema(name string) {
	x.useful = name == "syscall" || name == "fs-syscall"
	if !x.useful {
		x.tables = append(x.tables, name)
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
