package block

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/iotrace/iotrace/convert"

	"github.com/iotrace/iotrace/trace"
)

// Iosnoop reads what iosnoop of perf-tools prints, a line for each request. Its times come with -s and -t.
var Iosnoop = convert.Importer{
	From:  "iosnoop",
	About: "iosnoop -st > FILE\n(perf-tools; -s and -t are the times)",
	Header: trace.Header{Backend: "import:iosnoop", OS: "linux", Scope: "import",
		Limits: append(Limits("iosnoop"), trace.Limit{Code: trace.LimitNoErrors,
			Text: "iosnoop does not say whether a request failed."}, trace.LimitNoQueue.Limit(), trace.LimitNoMerges.Limit())},
	Limits: timeless,
	Import: reading("iosnoop", perfTools),
}

// IosnoopDTrace reads what iosnoop of the DTraceToolkit prints, which macOS brings along.
var IosnoopDTrace = convert.Importer{
	From:  "iosnoop-dtrace",
	About: "sudo iosnoop -stD > FILE\n(DTraceToolkit; -s and -t are the times)",
	Header: trace.Header{Backend: "import:iosnoop-dtrace", OS: "darwin", Scope: "import", Limits: []trace.Limit{
		{Code: trace.LimitNoCalls, Text: "iosnoop shows requests only: system calls are not seen."},
		{Code: trace.LimitNoPaths, Text: "iosnoop names the file of some requests alone, and on macOS the end of its path."},
		trace.LimitNoFaults.Limit(), trace.LimitNoWaits.Limit(), trace.LimitNoFill.Limit(),
		{Code: trace.LimitNoProcesses, Text: "The process of a request is the one that was running when it was made: for " +
			"written-back data the kernel's."},
		{Code: trace.LimitNoErrors, Text: "iosnoop does not say whether a request failed."},
		trace.LimitNoQueue.Limit(), trace.LimitNoMerges.Limit(), trace.LimitNoFlushes.Limit()}},
	Limits: timeless,
	Import: reading("iosnoop-dtrace", toolkit),
}

// timeless are the limits of tables without the columns that tell times.
func timeless(head []byte) (limits []trace.Limit) {
	names := bytes.Fields(head[:min(len(head), 1<<10)])
	has := func(name string) bool {
		return slices.ContainsFunc(names, func(n []byte) bool { return string(n) == name })
	}
	begins, ends := has("STARTs") || has("STIME(us)"), has("ENDs") || has("TIME(us)")
	if !begins && !ends {
		limits = append(limits, trace.LimitNoTimes.Limit())
	}
	if !(begins && ends) && !has("LATms") && !has("DELTA(us)") {
		limits = append(limits, trace.LimitNoDurations.Limit())
	}
	return limits
}

// reading is the import of one of the tables, which a dialect describes.
func reading(from string, d dialect) func(io.Reader, trace.Sink) (convert.Counts, error) {
	return convert.Checked(func(in io.Reader, sink trace.Sink) (c convert.Counts, err error) {
		r := iosnoopReader{dialect: d, finished: NewFinished(sink)}
		if err = c.Each(in, r.line); err == nil {
			err = r.finished.Flush()
		}
		switch {
		case err != nil:
			return c, err
		case r.shifted > 0 && r.finished.Rows == 0:
			return c, fmt.Errorf("importing from %s: %w: its BLOCK is \"+\" and its BYTES are 0: iosnoop does not know the "+
				"events of this kernel and has read the wrong columns; record with iotrace record --all or biosnoop", from,
				convert.ErrFormat)
		case c.Lines > 0 && r.finished.Rows == 0:
			return c, fmt.Errorf("importing from %s: %w: none of %d lines is a request below a heading with %s", from,
				convert.ErrFormat, c.Lines, d.columns())
		}
		c.Notes = append(c.Notes, r.finished.Notes()...)
		if r.names > 0 {
			c.Notes = append(c.Notes, "disks are named without their numbers: the device numbers of this trace are made up")
		}
		return c, nil
	})
}

type iosnoopReader struct {
	dialect
	finished *Finished
	heading  []field
	last     int64  // when the row before ended, where rows do not say when they were
	shifted  uint64 // rows in which iosnoop itself has read the wrong columns
	names    uint64 // rows whose disk has a name alone
	words    [][]byte
	row      row // that is read
}

// line reads a line of the table.
func (r *iosnoopReader) line(text []byte) (convert.Verdict, error) {
	f := convert.SplitFields(r.words[:0], text)
	r.words = f
	if len(f) == 0 || string(f[0]) == "Tracing" || string(f[0]) == "Ending" || r.takeHeading(f) {
		return convert.Skipped, nil
	}
	if r.heading == nil {
		return convert.Damaged, nil
	}
	w := &r.row
	w.init()
	if !w.take(r.heading, f) {
		if w.block < 0 && string(w.unread) == "+" {
			r.shifted++
		}
		return convert.Damaged, nil
	}
	w.timed(&r.last)
	if w.Device == 0 {
		r.names++
	}
	return r.finished.Add(&w.Row)
}

// takeHeading reads the names of the columns.
func (r *iosnoopReader) takeHeading(f [][]byte) bool {
	var list []field
	for _, name := range f {
		c, known := r.dialect[string(name)]
		if !known {
			return false
		}
		list = append(list, c)
	}
	for _, needed := range []column{pid, kind, block, size} {
		if !slices.ContainsFunc(list, func(c field) bool { return c.what == needed }) {
			return false
		}
	}
	r.heading = list
	return true
}
