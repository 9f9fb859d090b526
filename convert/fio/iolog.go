package fio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/calls"
	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/trace"
)

// Iolog reads what fio's write_iolog writes and its read_iolog replays, versions 2 and 3.
var Iolog = convert.Importer{
	From:  "fio-iolog",
	About: "fio --write_iolog=FILE JOB",
	Header: trace.Header{Backend: "import:fio-iolog", OS: "linux", Scope: "import", Calls: calls.Names(),
		Limits: []trace.Limit{
			{Code: trace.LimitNoDurations, Text: "An iolog says when an I/O was issued, not how long it took, nor what " +
				"came of it: each is taken to have moved all that it asked for, in no time."},
			trace.LimitNoRequests.Limit(), trace.LimitNoFaults.Limit(), trace.LimitNoWaits.Limit(), trace.LimitNoFill.Limit(),
			trace.LimitNoProcesses.Limit()}},
	Limits: func(head []byte) []trace.Limit {
		if bytes.HasPrefix(head, []byte(version2)) {
			return []trace.Limit{trace.LimitNoTimes.Limit()}
		}
		return nil
	},
	Import: convert.Checked(readIolog),
}

// The first lines.
const (
	version2 = "fio version 2 iolog"
	version3 = "fio version 3 iolog"
)

// versions are those of logs, by their first lines.
var versions = map[string]int{version2: 2, version3: 3}

func readIolog(in io.Reader, sink trace.Sink) (c convert.Counts, err error) {
	r := iolog{sink: sink, files: fdtable.NewFiles(sink.File, nil)}
	err = c.Each(in, r.line)
	if r.waits > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d pauses are left out: versions of fio disagree about their unit", r.waits))
	}
	if r.logs > 0 {
		c.AddNote(fmt.Sprintf("%d iologs stand in the file: they are taken one after the other", r.logs+1))
	}
	c.AddNote(r.files.Note())
	return c, err
}

// step is the time between I/Os of which it is not known when they were, in ns.
const step = 1000

type iolog struct {
	sink    trace.Sink
	files   *fdtable.Files
	version int
	now     int64
	base    int64 // when the log began
	logs    int
	waits   uint64
}

var errIolog = errors.New("it does not begin with \"" + version2 + "\" or \"" + version3 + "\"")

// line reads a line: "147 /data open", "155 /data read 61440 4096". The time, in microseconds, is not there in
// version 2.
func (r *iolog) line(text []byte) (convert.Verdict, error) {
	f := bytes.Fields(text)
	if r.version == 0 {
		if r.version = versions[string(bytes.TrimSpace(text))]; r.version == 0 {
			return convert.Damaged, fmt.Errorf("importing from fio-iolog: %w: %w", convert.ErrFormat, errIolog)
		}
		return convert.Skipped, nil
	}
	if next := versions[string(bytes.TrimSpace(text))]; next != 0 { // one log behind the other
		r.version, r.base = next, r.now+step
		r.logs++
		return convert.Skipped, nil
	}
	if r.version == 3 && len(f) > 0 {
		us, err := strconv.ParseInt(string(f[0]), 10, 52)
		if err != nil || us < 0 {
			return convert.Damaged, nil
		}
		r.now, f = r.base+us*1000, f[1:]
	} else {
		r.now += step
	}
	if len(f) != 2 && len(f) != 4 {
		return convert.Damaged, nil
	}
	return r.action(f)
}

// actions are the calls that fio's actions stand for.
var actions = map[string]struct {
	call string
	op   trace.Op
}{
	"open": {"openat", trace.OpOpen}, "close": {"close", trace.OpClose}, "read": {"pread64", trace.OpRead},
	"write": {"pwrite64", trace.OpWrite}, "sync": {"fsync", trace.OpSync}, "datasync": {"fdatasync", trace.OpDataSync},
	"trim": {"ioctl", trace.OpDiscard},
}

// action makes the event of an action: the file's name, the action, and the offset and length of those that move data.
func (r *iolog) action(f [][]byte) (convert.Verdict, error) {
	switch name := string(f[1]); name {
	case "add":
		return convert.Skipped, nil
	case "wait":
		r.waits++
		return convert.Skipped, nil
	}
	a, known := actions[string(f[1])]
	if !known {
		return convert.Damaged, nil
	}
	index, _ := calls.ByName(a.call)
	e := trace.Syscall{Start: r.now, PID: 1, TID: 1, Op: a.op, Call: uint16(index), FD: -1, FD2: -1,
		Offset: trace.NoOffset, Offset2: trace.NoOffset}
	moves := a.op == trace.OpRead || a.op == trace.OpWrite || a.op == trace.OpDiscard
	if moves && len(f) != 4 {
		return convert.Damaged, nil
	}
	if moves {
		at, err1 := strconv.ParseInt(string(f[2]), 10, 62)
		length, err2 := strconv.ParseInt(string(f[3]), 10, 41)
		if err1 != nil || err2 != nil || at < 0 || length < 0 {
			return convert.Damaged, nil
		}
		e.Offset, e.Requested, e.Flags = at, length, trace.FlagPositioned
		if a.op != trace.OpDiscard {
			e.Result = length
		}
	}
	id, err := r.files.ID(f[0], r.now, 0)
	if err != nil {
		return convert.Read, err
	}
	if e.File, e.FD = id, int32(id)+2; a.op == trace.OpOpen {
		e.Result = int64(e.FD)
	}
	return convert.Read, r.sink.Syscall(&e)
}
