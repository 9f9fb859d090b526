// Package procmon reads the tables that Process Monitor of Windows saves as CSV. It is a package of its own, as every
// format is: none knows another.
package procmon

import (
	"bytes"
	"fmt"
	"io"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/internal/bounded"
	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/trace"
)

// Importer reads such a table. Its columns are those that the user chose to see.
var Importer = convert.Importer{
	From:  "procmon",
	About: "Process Monitor: File, Save, CSV\n(with the columns Duration and TID, which are not there by default)",
	Header: trace.Header{Backend: "import:procmon", OS: "windows", Scope: "import", Calls: names(),
		Limits: []trace.Limit{trace.LimitNoRequests.Limit(), trace.LimitNoRequested.Limit(), trace.LimitNoFaults.Limit(),
			trace.LimitNoWaits.Limit(), trace.LimitNoFill.Limit(), trace.LimitNoProcesses.Limit(),
			trace.LimitNoAsync.Limit()}},
	Limits: untimed,
	Proves: func(head []byte) bool { return columnsOf(head) != nil },
	Import: convert.Checked(read),
}

// untimed is the limit of a table without the time that operations took.
func untimed(head []byte) []trace.Limit {
	if c := columnsOf(head); c != nil && c[inDuration] >= 0 {
		return nil
	}
	return []trace.Limit{{Code: trace.LimitNoDurations, Text: "The table has no column Duration: how long " +
		"operations took is not known. Process Monitor shows it on request (Options, Select Columns)."}}
}

// columnsOf are the columns of the heading that a table begins with, nil if it does not begin with one.
func columnsOf(head []byte) *[columnCount]int {
	var r reader
	first, _, _ := bytes.Cut(head, []byte("\n"))
	if !r.split(bytes.TrimSuffix(first, []byte("\r"))) || !r.heading() {
		return nil
	}
	return r.columns
}

func read(in io.Reader, sink trace.Sink) (c convert.Counts, err error) {
	r := reader{sink: sink, files: fdtable.NewFiles(sink.File, nil), known: map[uint32]bool{}, created: map[uint32]bool{},
		before: -1, zero: -1}
	if err = c.Each(in, r.line); err != nil {
		return c, err
	}
	if c.Lines > 0 && r.rows == 0 {
		return c, fmt.Errorf("importing from procmon: %w: none of %d lines is an event below a heading with Time of Day, "+
			"PID, Operation and Path", convert.ErrFormat, c.Lines)
	}
	c.Notes = r.notes()
	return c, nil
}

// notes are what the user should know of events that became none of a trace, or changed ones.
func (r *reader) notes() (list []string) {
	if r.paging > 0 {
		list = append(list, fmt.Sprintf("%d reads and writes, of %d bytes, are the paging of the system's cache "+
			"and of mapped files: they are left out, as the calls that caused them stand beside them", r.paging, r.paged))
	}
	if r.others > 0 {
		list = append(list, fmt.Sprintf("%d events are no operations on files that a trace holds: they are of the "+
			"registry, the network or threads, or internals of file systems", r.others))
	}
	if r.pending > 0 {
		list = append(list, fmt.Sprintf("%d requests that Windows keeps until something happens (changes of "+
			"directories and the journal, oplocks, pipes) stand there without their duration, as that is how long "+
			"nothing happened", r.pending))
	}
	if r.again > 0 {
		list = append(list, fmt.Sprintf("%d operations are left out that ended in FAST IO DISALLOWED: "+
			"Windows did each once more, another way", r.again))
	}
	if note := r.files.Note(); note != "" {
		list = append(list, note)
	}
	return list
}

type reader struct {
	sink    trace.Sink
	files   *fdtable.Files
	known   map[uint32]bool   // processes
	created map[uint32]bool   // of them, those whose parents told of them and that did not yet start
	columns *[columnCount]int // their places, -1 for those that are not there; nil before the heading
	width   int               // how many there are
	made    trace.Syscall
	fields  [][]byte
	quoted  []byte // what fields with quotes in them point into
	zero    int64  // the time of day of the first event, -1 before it
	before  int64  // that of the last one
	days    int64
	rows    uint64
	others  uint64 // events of which a trace holds nothing
	pending uint64 // requests that wait for something to happen
	again   uint64 // operations that Windows then did once more
	paging  uint64
	paged   int64 // bytes
}

// column is one that is read.
type column int

// The columns.
const (
	inTime column = iota
	inRelative
	inProcess
	inPID
	inTID
	inDuration
	inOperation
	inPath
	inResult
	inDetail
	inImage
	columnCount
)

var columnNames = map[string]column{"Time of Day": inTime, "Relative Time": inRelative,
	"Process Name": inProcess, "PID": inPID,
	"TID": inTID, "Duration": inDuration, "Operation": inOperation, "Path": inPath, "Result": inResult, "Detail": inDetail,
	"Image Path": inImage}

// heading reads the names of the columns.
func (r *reader) heading() bool {
	var at [columnCount]int
	for c := range at {
		at[c] = -1
	}
	for i, name := range r.fields {
		if c, known := columnNames[string(name)]; known {
			at[c] = i
		}
	}
	if at[inRelative] >= 0 {
		at[inTime] = at[inRelative]
	}
	for _, needed := range []column{inTime, inPID, inOperation, inPath} {
		if at[needed] < 0 {
			return false
		}
	}
	r.columns, r.width = &at, len(r.fields)
	return true
}

// field is what stands in a column, nil if the table does not have it.
func (r *reader) field(c column) []byte {
	if i := r.columns[c]; i >= 0 && i < len(r.fields) {
		return r.fields[i]
	}
	return nil
}

func (r *reader) line(text []byte) (convert.Verdict, error) {
	switch {
	case len(text) == 0:
		return convert.Skipped, nil
	case !r.split(text):
		return convert.Damaged, nil
	case r.columns == nil:
		if r.heading() {
			return convert.Skipped, nil
		}
		return convert.Damaged, nil
	case len(r.fields) != r.width:
		return convert.Damaged, nil
	}
	e := &r.made
	*e = trace.Syscall{FD: -1, FD2: -1, Offset: trace.NoOffset, Offset2: trace.NoOffset}
	if !r.when(e) || !r.who(e) {
		return convert.Damaged, nil
	}
	r.rows++
	k, known := table[string(r.field(inOperation))]
	if !known {
		if v, done, err := r.process(e); done {
			return v, err
		}
		r.others++
		return convert.Skipped, nil
	}
	e.Op, e.Call = k.op, k.call
	if string(r.field(inResult)) == "FAST IO DISALLOWED" {
		r.again++
		return convert.Skipped, nil
	}
	return r.done(e)
}

// split takes a line apart: fields between quotes, in which a quote stands twice.
func (r *reader) split(text []byte) bool {
	r.fields, r.quoted = r.fields[:0], append(r.quoted[:0], text...)
	rest := r.quoted
	for len(r.fields) < bounded.MaxFields {
		if len(rest) == 0 || rest[0] != '"' {
			value, after, more := bytes.Cut(rest, []byte(","))
			r.fields = append(r.fields, value)
			if rest = after; !more {
				return true
			}
			continue
		}
		n, i, closed := 0, 1, false
		for ; i < len(rest); i++ {
			if rest[i] == '"' {
				if i++; i >= len(rest) || rest[i] != '"' {
					closed = true
					break
				}
			}
			rest[n] = rest[i]
			n++
		}
		if !closed {
			return false
		}
		r.fields = append(r.fields, rest[:n])
		if rest = rest[i:]; len(rest) == 0 {
			return true
		}
		if rest[0] != ',' {
			return false
		}
		rest = rest[1:]
	}
	return false // no table has as many columns
}
