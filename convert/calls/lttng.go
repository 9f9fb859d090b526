package calls

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/iotrace/iotrace/convert"

	"github.com/iotrace/iotrace/convert/block"
	"github.com/iotrace/iotrace/internal/linux"
	"github.com/iotrace/iotrace/trace"
)

// LTTng reads what babeltrace prints of a trace of the kernel by LTTng.
var LTTng = convert.Importer{
	From: "lttng",
	About: "lttng create; lttng enable-event -k --syscall --all\n" +
		"lttng enable-event -k 'block_bio_*,block_rq_*'\n" +
		"lttng add-context -k -t pid -t tid -t procname; lttng start; CMD; lttng destroy\n" +
		"babeltrace2 DIRECTORY > FILE (the calls, the block events, or both)",
	Header: lttngHeader(),
	Limits: func(head []byte) []trace.Limit {
		return limits(bytes.ReplaceAll(head, []byte("syscall_"), []byte("sys_")))
	},
	Import: convert.Checked(func(in io.Reader, sink trace.Sink) (convert.Counts, error) {
		return readEvents(in, sink, "lttng", nil)
	}),
}

// lttngHeader is as that of the other tools, but that names are seen.
func lttngHeader() trace.Header {
	h := header("lttng")
	i := slices.IndexFunc(h.Limits, func(l trace.Limit) bool { return l.Code == trace.LimitNoPaths })
	h.Limits[i].Text = "Files are known by the names that programs opened them with: where relative ones begin is not " +
		"seen, nor what was open before."
	return h
}

// lttngLine reads "[17:02:57.265276947] (+0.000960778) host block_rq_issue: { cpu_id = 2 }, { pid = 1 }, { dev = 5 }".
func (r *eventReader) lttngLine(text []byte) (convert.Verdict, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return convert.Skipped, nil
	}
	l := &r.parsed
	*l = eventLine{}
	before, groups, ok := bytes.Cut(text, []byte(": {"))
	if !ok || !r.stamped(l, before) || !r.take(groups) {
		if bytes.Contains(text, []byte("Tracer discarded ")) || bytes.HasPrefix(text, []byte("WARNING: ")) {
			return convert.Skipped, r.discarded(text)
		}
		return convert.Damaged, nil
	}
	r.events++
	if !r.started {
		r.started, r.zero = true, l.time
	}
	r.last = max(l.time-r.zero, r.last)
	r.context(l)
	if action, ok := actions[string(l.event)]; ok {
		return r.lttngBlock(action)
	}
	name, enters := bytes.CutPrefix(l.event, []byte("syscall_entry_"))
	_, exits := bytes.CutPrefix(l.event, []byte("syscall_exit_"))
	switch {
	case !enters && !exits:
		return convert.Skipped, nil
	case l.tid == 0:
		r.nameless++
		return convert.Skipped, nil
	case exits:
		return r.exit(l, l.event, r.value("ret"))
	}
	return r.lttngEnter(l, string(name))
}

// context takes in who it was. A thread may be known by its number in a namespace alone.
func (r *eventReader) context(l *eventLine) {
	for i := range r.pairs {
		p := &r.pairs[i]
		if p.payload {
			break
		}
		n, isNumber := p.number()
		switch string(p.name) {
		case "tid", "vtid":
			if isNumber && (l.tid == 0 || p.name[0] == 't') {
				l.tid = uint32(n)
			}
		case "pid", "vpid":
			if isNumber && (l.pid == 0 || p.name[0] == 'p') {
				l.pid = uint32(n)
			}
		case "procname":
			l.command = p.text()
		}
	}
	if l.pid == 0 {
		l.pid = l.tid
	}
}

// lttngEnter begins a call. What the kernel fills in is not among the arguments, so they go by their names.
func (r *eventReader) lttngEnter(l *eventLine, name string) (convert.Verdict, error) {
	r.begun = entered{index: -1, start: r.last, number: lives[name]}
	e := &r.begun
	if i, found := ByName(name); found {
		e.index = i
	}
	for i := range r.pairs {
		p := &r.pairs[i]
		place := 0
		switch {
		case !p.payload:
		case string(p.name) == "clone_flags":
			place = 1
		case e.index >= 0:
			place = placeOf(linux.Calls[e.index].Shape, string(p.name))
		}
		if place == 0 {
			continue
		}
		if n, ok := p.number(); ok {
			e.args[place-1].Number = uint64(n)
		} else {
			e.args[place-1].Path = r.texts.Get(p.text())
		}
	}
	return r.goesOn(l, e)
}

// The bits of rwbs (lttng-modules, block.h).
const (
	rwbsWrite, rwbsDiscard, rwbsRead, rwbsAhead, rwbsSync, rwbsMeta = 1, 2, 4, 8, 32, 64
	rwbsFlush, rwbsFUA, rwbsPreflush                                = 256, 512, 1024
)

var rwbsFlags = map[int64]trace.ReqFlags{rwbsAhead: trace.ReqReadahead, rwbsSync: trace.ReqSync,
	rwbsMeta: trace.ReqMeta, rwbsFUA: trace.ReqFUA, rwbsPreflush: trace.ReqPreflush}

// lttngBlock reads { dev = 8388608, sector = 1000, nr_sector = 8, bytes = 0, tid = 7, rwbs = 1, comm = "dd" }.
func (r *eventReader) lttngBlock(action block.Action) (convert.Verdict, error) {
	e := &r.event
	*e = block.Event{Time: r.last, Action: action, PID: r.parsed.pid, Command: r.texts.Get(r.parsed.command)}
	dev, ok1 := convert.ParseUint(r.value("dev"), 32)
	sectors, ok2 := convert.ParseUint(r.value("nr_sector"), 32)
	bits, ok3 := convert.ParseInt(r.value("rwbs"), 32)
	if !ok1 || !ok2 || !ok3 {
		return convert.Damaged, nil
	}
	if tid, ok := convert.ParseUint(r.value("tid"), 32); ok && e.PID == 0 {
		e.PID = uint32(tid)
	}
	if e.Command == "" {
		e.Command = r.texts.Get(pair{value: r.value("comm")}.text())
	}
	if action == block.Complete {
		e.Command = "" // who was interrupted
		failed, _ := convert.ParseInt(r.value("error"), 32)
		if e.Error = int32(max(failed, -failed)); e.Error >= 4096 {
			return convert.Damaged, nil
		}
	}
	e.Device, e.Sectors, e.Op = trace.MakeDeviceID(uint32(dev>>20), uint32(dev&(1<<20-1))), sectors, trace.ReqOther
	if sectors > 0 {
		if e.Sector, ok1 = convert.ParseUint(r.value("sector"), 54); !ok1 {
			return convert.Damaged, nil
		}
	}
	switch {
	case bits&rwbsDiscard != 0:
		e.Op = trace.ReqDiscard
	case bits&rwbsFlush != 0 || bits&rwbsPreflush != 0 && sectors == 0:
		e.Op = trace.ReqFlush
	case bits&rwbsWrite != 0:
		e.Op = trace.ReqWrite
	case bits&(rwbsRead|rwbsAhead) != 0:
		e.Op = trace.ReqRead
	}
	for bit, flag := range rwbsFlags {
		if bits&bit != 0 {
			e.Flags |= flag
		}
	}
	return convert.Read, r.requests.Add(e)
}

// discarded reads what babeltrace says of events that the tracer had no room for.
func (r *eventReader) discarded(text []byte) error {
	_, after, _ := bytes.Cut(text, []byte("discarded "))
	var n uint64
	if _, err := fmt.Sscanf(string(after[:min(len(after), 32)]), "%d events", &n); err != nil || n == 0 || n > 1<<40 {
		return nil
	}
	r.lost += n
	return r.loss()
}
