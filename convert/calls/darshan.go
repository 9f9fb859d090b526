package calls

import (
	"bytes"
	"fmt"
	"io"

	"github.com/iotrace/iotrace/convert"

	"github.com/iotrace/iotrace/convert/block"
	"github.com/iotrace/iotrace/trace"
)

// Darshan reads a line for each read and write of a file, below one that says their file.
var Darshan = convert.Importer{
	From: "darshan-dxt",
	About: "DXT_ENABLE_IO_TRACE=1 mpiexec PROGRAM (with Darshan's library)\n" +
		"darshan-dxt-parser LOG.darshan > FILE",
	Header: trace.Header{Backend: "import:darshan-dxt", OS: "linux", Scope: "import", Calls: Names(),
		Limits: []trace.Limit{
			{Code: trace.LimitNoRequested, Text: "How much a call asked for is not seen, only how much it moved; both are " +
				"taken to be the same. Opens, syncs and other calls are not in the log."},
			trace.LimitNoAsync.Limit(), trace.LimitNoClones.Limit(), trace.LimitNoRequests.Limit(), trace.LimitNoFaults.Limit(),
			trace.LimitNoWaits.Limit(), trace.LimitNoFill.Limit(),
			{Code: trace.LimitNoProcesses, Text: "Processes are those of ranks: rank 0 is process 1. Their starts, ends and " +
				"command lines are not seen."}}},
	Import: convert.Checked(read),
}

func read(in io.Reader, sink trace.Sink) (c convert.Counts, err error) {
	r := reader{out: NewFinished(sink, MostRows)}
	if err = c.Each(in, r.line); err == nil {
		err = r.out.Flush()
	}
	if err != nil {
		return c, err
	}
	if c.Lines > 0 && r.out.Rows == 0 {
		return c, fmt.Errorf("importing from darshan-dxt: %w: none of %d lines is an X_POSIX line of darshan-dxt-parser "+
			"below one with file_name", convert.ErrFormat, c.Lines)
	}
	if r.mpi > 0 {
		c.AddNote(fmt.Sprintf("lines of X_MPIIO, left out: %d; what MPI-IO does stands in the log as X_POSIX as well, "+
			"unless it goes past POSIX", r.mpi))
	}
	c.AddNote("Darshan prints times to a tenth of a millisecond: shorter calls seem to take none")
	c.Notes = append(c.Notes, r.out.Notes()...)
	return c, nil
}

type reader struct {
	out     *Finished
	file    []byte // of the lines that follow; nil before the first
	mpi     uint64
	rank    int64 // of the line before, and what its process is called
	command string
	f       [][]byte
	row     Row
}

// line reads a line: " X_POSIX  0  write  0  4096  1048576  4.8324  4.8436  [OST]", or one about the file of those that
// follow: "# DXT, file_id: 7, file_name: /a b".
func (r *reader) line(text []byte) (convert.Verdict, error) {
	if bytes.HasPrefix(text, []byte("#")) {
		r.about(text)
		return convert.Skipped, nil
	}
	f := convert.SplitFields(r.f[:0], text)
	r.f = f
	switch {
	case len(f) == 0:
		return convert.Skipped, nil
	case string(f[0]) == "X_MPIIO":
		r.mpi++
		return convert.Skipped, nil
	case string(f[0]) != "X_POSIX" || len(f) < 8 || r.file == nil || !r.segment(f):
		return convert.Damaged, nil
	}
	if ok, err := r.out.Add(&r.row); !ok || err != nil {
		return convert.Damaged, err
	}
	return convert.Read, nil
}

// about takes in which file what follows is of.
func (r *reader) about(text []byte) {
	if _, name, ok := bytes.Cut(text, []byte(", file_name: ")); ok && bytes.HasPrefix(text, []byte("# DXT, file_id: ")) {
		r.file = append(r.file[:0:0], name...)
	}
}

// segment takes a line apart: module, rank, direction, number, offset, length, start, end.
func (r *reader) segment(f [][]byte) bool {
	rank, ok1 := convert.ParseInt(f[1], 32)
	offset, ok2 := convert.ParseUint(f[4], 63)
	length, ok3 := convert.ParseUint(f[5], 62)
	start, ok4 := block.ParseDecimal(f[6], 9)
	end, ok5 := block.ParseDecimal(f[7], 9)
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || rank < 0 || start < 0 || end < start {
		return false
	}
	name := string(f[2])
	if name != "read" && name != "write" {
		return false
	}
	index, _ := ByName(name)
	r.row = Row{Start: start, End: end, Call: index, PID: uint32(rank + 1), Path: r.file, Offset: int64(offset),
		Requested: int64(length), Bytes: int64(length)}
	if r.rank != rank || r.command == "" {
		r.rank, r.command = rank, fmt.Sprintf("rank %d", rank)
	}
	r.row.Command = r.command
	return true
}
