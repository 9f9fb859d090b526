package calls

import (
	"bytes"
	"fmt"
	"io"
	"regexp"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/block"
	"github.com/iotrace/iotrace/trace"
)

// PerfScript reads what perf script prints.
var PerfScript = convert.Importer{
	From: "perf",
	About: "perf record -a -e block:block_bio_queue,block:block_rq_issue \\\n" +
		"  -e block:block_rq_requeue,block:block_rq_complete \\\n" +
		"  -e raw_syscalls:* CMD\n" +
		"perf script -F comm,pid,tid,cpu,time,event,trace > FILE\n" +
		"(the block events, the calls, or both)",
	Header: header("perf"),
	Refuse: deltas,
	Limits: limits,
	Joins:  true,
	Import: convert.Checked(func(in io.Reader, sink trace.Sink) (convert.Counts, error) {
		return readEvents(in, sink, "perf", perfWho)
	}),
}

// Ftrace reads what the kernel's trace and trace_pipe and trace-cmd report hold.
var Ftrace = convert.Importer{
	From: "ftrace",
	About: "trace-cmd record -e block -e raw_syscalls CMD; trace-cmd report > FILE\n" +
		"(or /sys/kernel/tracing/trace; the block events, the calls, or both)",
	Header: header("ftrace"),
	Limits: limits,
	Joins:  true,
	Import: convert.Checked(func(in io.Reader, sink trace.Sink) (convert.Counts, error) {
		return readEvents(in, sink, "ftrace", ftraceWho)
	}),
}

func header(tool string) trace.Header {
	return trace.Header{Backend: "import:" + tool, OS: "linux", Scope: "import", Calls: Names(),
		Limits: []trace.Limit{
			{Code: trace.LimitNoPaths, Text: "Tracepoints show addresses, not names: most files are not known by name, " +
				"nor that one is a device such as /dev/zero."},
			trace.LimitNoFaults.Limit(),
			{Code: trace.LimitNoWaits, Text: "What a thread waited for is not seen."},
			trace.LimitNoFill.Limit(),
			{Code: trace.LimitNoAsync, Text: "Asynchronous operations (io_uring, libaio) are seen as the calls that submit " +
				"them, without files and results."},
			{Code: trace.LimitNoRequestFiles, Text: "Tracepoints do not say which file a request is of."},
			{Code: trace.LimitNoRequested, Text: "How much readv, writev and their kin asked for is not seen: it is taken to " +
				"be what they moved."},
			{Code: trace.LimitNoProcesses, Text: "Threads are told apart, but not always which process they are of; starts " +
				"and ends of processes are seen only as calls."},
		}}
}

// limits are those of what was not recorded, as far as the beginning tells.
func limits(head []byte) (list []trace.Limit) {
	if !bytes.Contains(head, []byte("sys_")) {
		list = append(list, trace.Limit{Code: trace.LimitNoCalls,
			Text: "The tracepoints of system calls were not recorded: none is at the beginning."})
	}
	if !bytes.Contains(head, []byte("block_rq_")) && !bytes.Contains(head, []byte("block_bio_")) {
		list = append(list, trace.Limit{Code: trace.LimitNoRequests,
			Text: "The tracepoints of the block layer were not recorded: none is at the beginning."})
	}
	return list
}

func readEvents(in io.Reader, sink trace.Sink, tool string, who dialect) (c convert.Counts, err error) {
	r := &eventReader{sink: sink, who: who, requests: block.NewAssembler(sink), follower: NewFollower(sink),
		under: underWay{calls: map[uint32]*entered{}}, known: map[uint32]bool{}}
	each := r.line
	if who == nil {
		each = r.lttngLine
	}
	if err := c.Each(in, each); err != nil {
		return c, err
	}
	if r.nameless > 0 && r.nameless == r.events {
		return c, fmt.Errorf("importing from %s: its events do not say which thread they are of; record with "+
			"lttng add-context -k -t pid -t tid -t procname", tool)
	}
	if c.Lines > 0 && r.events == 0 {
		return c, fmt.Errorf("importing from %s: %w: none of %d lines has a command, a thread, a time in seconds and an "+
			"event", tool, convert.ErrFormat, c.Lines)
	}
	c.Notes = append(c.Notes, r.requests.Notes()...)
	if n := r.requests.Halves(); n > 0 {
		c.Notes = append(c.Notes, "most requests have only one end in the input: it takes the events of all CPUs "+
			"(perf record -a)")
		if err := sink.Lost(&trace.Lost{To: r.last, Count: n, Kind: trace.KindRequest, CPU: -1}); err != nil {
			return c, err
		}
	}
	c.AddCount(r.nameless, "events of calls without a thread, left out (lttng add-context -k -t pid -t tid): %d")
	c.AddCount(r.orphans, "calls that had begun before the text does: %d")
	c.AddCount(uint64(len(r.under.calls)), "calls that had not returned when the text ended: %d")
	c.AddCount(r.lost, "the tracer lost %d events")
	c.AddCount(r.gaps, "%d times the tracer lost events and does not say how many")
	c.AddCount(r.follower.Unnamed, "files opened by names of which tracepoints show the addresses, and told apart: %d")
	c.AddCount(r.follower.Unknown, "uses of descriptors whose opening was not seen: %d")
	c.AddNote(r.follower.Note())
	return c, nil
}

type eventReader struct {
	sink     trace.Sink
	who      dialect
	requests *block.Assembler
	follower *Follower
	under    underWay
	known    map[uint32]bool // processes that were named
	events   uint64
	orphans  uint64
	nameless uint64 // events that do not say their thread
	pairs    []pair // of the line, of LTTng's
	days     int64  // that have passed there
	clock    int64  // time of the line before
	lost     uint64
	gaps     uint64
	told     uint64 // of both, as lost events
	started  bool
	zero     int64
	last     int64
	parsed   eventLine
	begun    entered // in it
	event    block.Event
	made     Call
	texts    convert.Texts
}

func (r *eventReader) line(text []byte) (convert.Verdict, error) {
	if len(text) == 0 || text[0] == '#' {
		return convert.Skipped, nil
	}
	if r.losses(text) {
		return convert.Skipped, r.loss()
	}
	l := &r.parsed
	if !l.parse(text, r.who) {
		if bytes.HasPrefix(text, []byte("cpus=")) || bytes.HasPrefix(text, []byte("\t")) { // a heading, a stack
			return convert.Skipped, nil
		}
		return convert.Damaged, nil
	}
	r.events++
	if !r.started {
		r.started, r.zero = true, l.time
	}
	r.last = max(l.time-r.zero, r.last)
	if action, ok := actions[string(l.event)]; ok {
		return r.block(action, l)
	}
	what, name, args := syscallEvent(l)
	switch what {
	case stepEnter:
		return r.enter(l, name, args)
	case stepExit:
		return r.exit(l, name, args)
	}
	return convert.Skipped, nil
}

func (r *eventReader) block(action block.Action, l *eventLine) (convert.Verdict, error) {
	if !r.blockEvent(&r.event, action, l) {
		return convert.Damaged, nil
	}
	return convert.Read, r.requests.Add(&r.event)
}

// introduce names a process, once.
func (r *eventReader) introduce(l *eventLine) error {
	if l.pid == 0 || r.known[l.pid] || len(r.known) >= convert.MaxSeen {
		return nil
	}
	r.known[l.pid] = true
	return r.sink.Process(&trace.Process{Time: r.last, Action: trace.ProcessPresent, PID: l.pid, TID: l.pid,
		Command: r.texts.Get(l.command)})
}

// stamped is the time of an event: "dd 600 [000] 36752.001060: ".
var stamped = regexp.MustCompile(`^ *\S.*? +(\d+\.\d{6,9}): +\S`)

// fewestDeltas is how often a time has to be before that of the line above for the times to be no times.
const fewestDeltas = 2

// deltas says that the times of a text are those between its events, as perf script --deltatime prints them: they begin
// with 0 and go down again and again, which those of perf never do otherwise.
func deltas(head []byte) string {
	var last []byte
	down := 0
	for line := range bytes.Lines(head) {
		at := stamped.FindSubmatch(line)
		if at == nil {
			continue
		}
		switch now := at[1]; {
		case last == nil && len(bytes.Trim(now, "0.")) > 0:
			return ""
		case last != nil && (len(now) < len(last) || len(now) == len(last) && string(now) < string(last)):
			down++
			last = now
		default:
			last = now
		}
	}
	if down < fewestDeltas {
		return ""
	}
	return "its times are those between events (perf script --deltatime), of which threads and CPUs cannot be told " +
		"apart: import what perf script prints without that option"
}
