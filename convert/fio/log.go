// Package fio reads what fio writes of single I/Os: its latency logs and its iologs. It writes the data operations of a
// trace for fio: a log that it replays, operation for operation, or a job whose operations are like those of the trace.
// It is a package of its own, as every format is: none knows another.
package fio

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/internal/bounded"
	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/trace"
)

// Log reads latency logs of fio, one of each job: a line for each I/O, at its end.
var Log = convert.Importer{
	From: "fio-log",
	About: "fio --write_lat_log=X --log_offset=1 JOB\n" +
		"iotrace import --from fio-log X_clat.*.log",
	Header: trace.Header{Backend: "import:fio-log", OS: "linux", Scope: "import", Limits: []trace.Limit{
		{Code: trace.LimitNoCalls, Text: "A log of fio has the I/O of its jobs, not the system calls that did it, and no " +
			"flushes."},
		{Code: trace.LimitNoPaths, Text: "A log of fio does not say which file an I/O was of: all of a job are shown as " +
			"one."},
		trace.LimitNoRequests.Limit(), trace.LimitNoFaults.Limit(), trace.LimitNoWaits.Limit(),
		trace.LimitNoFill.Limit(), trace.LimitNoProcesses.Limit()}},
	Refuse: refuse,
	Merge:  convert.Checked(readLogs),
}

// refuse says what to do with results, which hold no single I/O.
func refuse(head []byte) string {
	if rates(head) {
		return "it is a log of fio of rates or averages (write_bw_log, write_iops_log, log_avg_msec), which has no single " +
			"I/O: record with fio --write_lat_log=X --log_offset=1, without log_avg_msec, and import X_clat.*.log"
	}
	if !bytes.Contains(head, []byte(`"fio version"`)) {
		return ""
	}
	return "it is the result of fio, which sums up all I/O: no trace can be made of it. A log of each I/O comes with " +
		"fio --write_lat_log=X --log_offset=1 (iotrace import X_clat.*.log), and iotrace record fio … records all of it"
}

// rates reports whether a text is a log of fio whose lines are no I/Os: none has a size, or each counts as one.
func rates(head []byte) bool {
	if end := bytes.LastIndexByte(head, '\n'); end >= 0 {
		head = head[:end] // the last line may be cut
	}
	var e entry
	lines, sizeless, ones := 0, 0, 0
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		if !e.parse(line) {
			return false
		}
		lines++
		if e.size == 0 {
			sizeless++
		}
		if e.latency == 1 {
			ones++
		}
	}
	return sizeless == lines || lines > 8 && ones == lines
}

// otherLogs are the kinds of logs that hold rates or parts of latencies, by the part of their names.
var otherLogs = []string{"_bw.", "_iops.", "_slat.", "_hist."}

// named refuses logs that are no lists of I/Os, as their names have it, and those that tell the same twice.
func named(inputs []convert.Input) error {
	totals, completions := 0, 0
	for _, in := range inputs {
		base := filepath.Base(in.Name)
		for _, kind := range otherLogs {
			if strings.Contains(base, kind) {
				return fmt.Errorf("importing from fio-log: %w: %s is a log of rates or of parts of latencies; import those of "+
					"latencies (X_clat.*.log, of write_lat_log)", convert.ErrFormat, in.Name)
			}
		}
		switch {
		case strings.Contains(base, "_clat."):
			completions++
		case strings.Contains(base, "_lat."):
			totals++
		}
	}
	if totals > 0 && completions > 0 {
		return errors.New("importing from fio-log: the logs of clat and of lat tell of the same I/O: import one kind")
	}
	return nil
}

func readLogs(inputs []convert.Input, sink trace.Sink) (c convert.Counts, err error) {
	if err := named(inputs); err != nil {
		return c, err
	}
	m := merger{sink: sink, count: &c, files: fdtable.NewFiles(sink.File, nil)}
	jobs := make([]*job, len(inputs))
	for k, in := range inputs {
		jobs[k] = &job{all: &m, number: uint32(k + 1), name: in.Name, lines: bounded.NewLines(in, longest, longest)}
	}
	if err := convert.All(jobs, m.write); err != nil {
		return c, err
	}
	switch {
	case m.averages > 0:
		return c, fmt.Errorf("importing from fio-log: %w: its lines are averages or have no block size; record without "+
			"log_avg_msec", convert.ErrFormat)
	case c.Lines > 0 && m.entries == 0:
		return c, fmt.Errorf("importing from fio-log: %w: none of %d lines is an I/O (time, latency, direction, size)",
			convert.ErrFormat, c.Lines)
	case m.entries > 8 && m.ones == m.entries:
		return c, fmt.Errorf("importing from fio-log: %w: all latencies are 1: it is a log of rates (write_iops_log)",
			convert.ErrFormat)
	}
	if m.issued == 0 {
		c.Notes = append(c.Notes, "fio tells the end of an I/O in whole milliseconds, and how long it took in nanoseconds: "+
			"order and depth within a millisecond are not known")
	}
	if m.placeless > m.entries/2 {
		c.Notes = append(c.Notes, "the log has no offsets: fio --log_offset=1 adds them")
	}
	return c, nil
}
