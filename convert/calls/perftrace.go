package calls

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"github.com/iotrace/iotrace/convert"

	"github.com/iotrace/iotrace/internal/bounded"
	"github.com/iotrace/iotrace/trace"
)

// PerfTrace reads the lines of calls; those of other events are skipped.
var PerfTrace = convert.Importer{
	From:  "perf-trace",
	About: "perf trace -o FILE COMMAND",
	Header: trace.Header{Backend: "import:perf-trace", OS: "linux", Scope: "import", Calls: Names(),
		Limits: []trace.Limit{
			{Code: trace.LimitNoRequests, Text: "perf trace shows system calls only: disk requests are not seen."},
			{Code: trace.LimitNoPaths, Text: "perf trace names the files of descriptors that it could look up in time; " +
				"some it does not name."},
			trace.LimitNoFaults.Limit(),
			{Code: trace.LimitNoWaits, Text: "What a thread waited for between its calls is not seen."},
			trace.LimitNoFill.Limit(),
			{Code: trace.LimitNoAsync, Text: "Asynchronous operations (io_uring, libaio) are seen as the calls that submit " +
				"them, without files and results."},
			{Code: trace.LimitNoRequested, Text: "How much readv, writev and their kin asked for is not seen: it is taken to " +
				"be what they moved."},
			{Code: trace.LimitNoProcesses, Text: "Threads are told apart, but not which process they are of; starts and ends " +
				"of processes are seen only as calls."},
		}},
	Joins:  true,
	Import: convert.Checked(perftraceRead),
}

func perftraceRead(in io.Reader, sink trace.Sink) (c convert.Counts, err error) {
	r := &perftraceReader{sink: sink, follower: NewFollower(sink), under: map[uint32]line{}, known: map[uint32]bool{}}
	if err := c.Each(in, r.line); err != nil {
		return c, err
	}
	if c.Lines > 0 && r.calls == 0 {
		return c, fmt.Errorf("importing from perf-trace: %w: none of %d lines has a time and a duration in ms, a command "+
			"with its thread and a call", convert.ErrFormat, c.Lines)
	}
	c.AddCount(r.orphans, "calls that had begun before the text does: %d")
	c.AddCount(uint64(len(r.under)), "calls that had not returned when the text ended: %d")
	c.AddCount(r.lost, "perf lost %d events")
	c.AddCount(r.follower.Unnamed, "files opened by names of which perf shows the addresses, and told apart: %d")
	c.AddCount(r.follower.Unknown, "uses of descriptors whose opening was not seen: %d")
	c.AddNote(r.follower.Note())
	return c, nil
}

type perftraceReader struct {
	sink     trace.Sink
	follower *Follower
	under    map[uint32]line // calls that go on, by thread
	held     bounded.Held    // their texts
	known    map[uint32]bool
	calls    uint64
	orphans  uint64
	lost     uint64
	begun    bool
	zero     int64
	last     int64
	parsed   line
	made     Call
	texts    convert.Texts
}

func (r *perftraceReader) line(text []byte) (convert.Verdict, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return convert.Skipped, nil
	}
	if rest, ok := bytes.CutPrefix(text, []byte("LOST ")); ok { // "LOST 12 events!"
		return convert.Skipped, r.loss(rest)
	}
	l := &r.parsed
	if !r.parse(l, text) {
		return convert.Damaged, nil
	}
	r.calls++
	if l.unknown {
		r.orphans++
		return convert.Skipped, nil
	}
	if !r.begun {
		r.begun, r.zero = true, l.start
	}
	l.start = max(l.start-r.zero, 0)
	r.last = max(r.last, l.start)
	if err := r.introduce(l); err != nil {
		return convert.Read, err
	}
	if l.unfinished {
		return r.keep(l), nil
	}
	if l.continued {
		first, ok := r.under[l.tid]
		if !ok || first.name != l.name {
			r.orphans++
			return convert.Skipped, nil
		}
		r.forget(l.tid)
		l.args = first.args
	}
	return r.call(l)
}

// keep remembers a call that goes on.
func (r *perftraceReader) keep(l *line) convert.Verdict {
	r.forget(l.tid)
	if len(r.under) >= convert.MaxSeen || len(l.command) > bounded.MaxName || len(l.name) > bounded.MaxName ||
		!r.held.Add(len(l.args)) {
		return convert.Damaged
	}
	l.args = bytes.Clone(l.args)
	r.under[l.tid] = *l
	return convert.Read
}

// forget drops the call of a thread that goes on.
func (r *perftraceReader) forget(tid uint32) {
	r.held.Drop(len(r.under[tid].args))
	delete(r.under, tid)
}

func (r *perftraceReader) call(l *line) (convert.Verdict, error) {
	if l.lives {
		r.follower.Exited(l.tid)
		return convert.Skipped, nil
	}
	switch l.name {
	case "clone", "clone3", "fork", "vfork":
		if l.result > 0 && l.result < 1<<31 {
			// The flags of clone3 lie in memory.
			r.follower.Forked(l.tid, uint32(l.result), l.name == "clone3" || bytes.Contains(l.args, []byte("FILES")))
		}
	case "execve", "execveat":
		if l.result != 0 {
			return convert.Skipped, nil
		}
		r.follower.Executed(l.tid)
		return convert.Read, r.sink.Process(&trace.Process{Time: l.start + l.duration, Action: trace.ProcessExec,
			PID: l.tid, TID: l.tid, Command: l.command})
	}
	i, ok := ByName(l.name)
	if !ok {
		return convert.Skipped, nil
	}
	r.made = Call{PID: l.tid, TID: l.tid, Start: l.start, Duration: l.duration, Index: i, Result: l.result,
		Path: l.path}
	r.arguments(&r.made, l.args)
	return convert.Read, r.follower.Add(&r.made)
}

// introduce names a process, once.
func (r *perftraceReader) introduce(l *line) error {
	if l.command == "" || r.known[l.tid] || len(r.known) >= convert.MaxSeen {
		return nil
	}
	r.known[l.tid] = true
	return r.sink.Process(&trace.Process{Time: l.start, Action: trace.ProcessPresent, PID: l.tid, TID: l.tid,
		Command: l.command})
}

// loss notes events that perf lost: what is missing may have opened or closed a file.
func (r *perftraceReader) loss(rest []byte) error {
	word, _, _ := bytes.Cut(rest, []byte(" "))
	n, err := strconv.ParseUint(string(word), 10, 40)
	if err != nil || n == 0 {
		return nil
	}
	r.lost += n
	r.follower.Lost()
	clear(r.under)
	r.held.Clear()
	return r.sink.Lost(&trace.Lost{From: r.last, To: r.last, Count: n, Kind: trace.KindSyscall, CPU: -1})
}
