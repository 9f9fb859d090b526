package tracepoint

import (
	"bytes"
	"strconv"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/calls"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/linux"
)

// maxUnder bounds the calls under way.
const maxUnder = 1 << 16

// enter begins a call.
func (r *reader) enter(l *line, name, text []byte) (convert.Verdict, error) {
	r.begun = entered{index: -1, start: r.last}
	e, ok := &r.begun, false
	if name == nil {
		var rest []byte
		if e.number, rest, ok = rawNumber(text); ok {
			ok = rawArgs(&e.args, rest)
		}
		if i, found := calls.ByNumber(e.number); found {
			e.index = i
		}
	} else {
		e.number = lives[string(name)]
		if i, found := calls.ByName(string(name)); found {
			e.index = i
		}
		// trace-cmd prints some of the others in its own way: "op=FUTEX_WAKE|FUTEX_PRIVATE_FLAG uaddr=0x7f5a val=1".
		ok = r.namedArgs(&e.args, text) || e.index < 0
	}
	if !ok {
		return convert.Damaged, nil
	}
	if e.number == callExit || e.number == callExitGroup { // it does not return
		r.follower.Exited(l.tid)
		r.forget(l.tid)
		return convert.Skipped, nil
	}
	if len(r.under) >= maxUnder {
		clear(r.under)
		r.held.Clear()
	}
	if !r.keep(l.tid) {
		return convert.Damaged, nil
	}
	return convert.Read, r.introduce(l)
}

// keep notes what a thread has begun, if there is room for its texts.
func (r *reader) keep(tid uint32) bool {
	e := r.under[tid]
	if e != nil {
		r.held.Drop(e.text())
	}
	if !r.held.Add(r.begun.text()) {
		delete(r.under, tid)
		return false
	}
	if e == nil {
		if last := len(r.free) - 1; last >= 0 {
			e, r.free = r.free[last], r.free[:last]
		} else {
			e = new(entered)
		}
		r.under[tid] = e
	}
	*e = r.begun
	return true
}

// text is how many bytes the texts of a call have.
func (e *entered) text() (n int) {
	for i := range e.args {
		n += len(e.args[i].Path)
	}
	return n
}

// forget drops what a thread has begun; what it was can be read until keep is called again.
func (r *reader) forget(tid uint32) {
	if e := r.under[tid]; e != nil {
		r.held.Drop(e.text())
		delete(r.under, tid)
		if last := len(r.free) - 1; last >= 0 {
			*r.free[last] = entered{} // its texts are not needed any more
		}
		r.free = append(r.free, e)
	}
}

// exit ends a call.
func (r *reader) exit(l *line, name, text []byte) (convert.Verdict, error) {
	number, value := -1, text
	if name == nil {
		var ok bool
		if number, value, ok = rawNumber(text); ok {
			value, ok = bytes.CutPrefix(value, []byte("= "))
		}
		if !ok {
			return convert.Damaged, nil
		}
	}
	n, ok := result(value)
	if !ok {
		return convert.Damaged, nil
	}
	e := r.under[l.tid]
	if e == nil || number >= 0 && e.number != number && e.index < 0 {
		r.orphans++
		return convert.Skipped, nil
	}
	r.forget(l.tid)
	switch e.number {
	case callClone, callFork, callVfork, callClone3:
		if n > 0 && n < 1<<31 {
			r.follower.Forked(l.pid, uint32(n), e.shares())
		}
		return convert.Skipped, nil
	case callExec, callExecAt:
		return convert.Skipped, r.executed(l, n)
	}
	if e.index < 0 {
		return convert.Skipped, nil
	}
	r.made = calls.Call{PID: l.pid, TID: l.tid, Start: e.start, Duration: r.last - e.start, Index: e.index, Args: e.args,
		Result: n}
	return convert.Read, r.follower.Add(&r.made)
}

// shares reports whether what a call made shares its descriptors, or may. The flags of clone3 lie in memory.
func (e *entered) shares() bool {
	return e.number == callClone3 || e.number == callClone && e.args[0].Number&linux.CloneFiles != 0
}

// executed is the return of an exec: the process is another program from here.
func (r *reader) executed(l *line, result int64) error {
	if result != 0 {
		return nil
	}
	r.known[l.pid] = true
	r.follower.Executed(l.pid)
	return r.sink.Process(&trace.Process{Time: r.last, Action: trace.ProcessExec, PID: l.pid, TID: l.pid,
		Command: r.texts.Get(l.command)})
}

// losses reads what the tracers say of events that they lost: "CPU:1 [LOST 39 EVENTS]" (ftrace),
// "CPU:1 [39 EVENTS DROPPED]" (trace-cmd), "… PERF_RECORD_LOST lost 39" (perf script --show-lost-events).
func (r *reader) losses(text []byte) bool {
	var word []byte
	switch {
	case bytes.HasPrefix(text, []byte("CPU:")) || bytes.HasPrefix(text, []byte("CPU ")):
		_, inside, ok := bytes.Cut(text, []byte("["))
		if !ok || !bytes.Contains(inside, []byte("EVENTS")) {
			return false
		}
		word, _, _ = bytes.Cut(bytes.TrimPrefix(inside, []byte("LOST ")), []byte(" "))
	case bytes.Contains(text, []byte("PERF_RECORD_LOST")):
		_, word, _ = bytes.Cut(text, []byte(" lost "))
	default:
		return false
	}
	if n, err := strconv.ParseUint(string(bytes.TrimSpace(word)), 10, 40); err == nil && n > 0 {
		r.lost += n
	} else {
		r.gaps++ // "CPU:1 [LOST EVENTS]"
	}
	return true
}

// loss notes what was lost since it was last asked. What is missing may have opened or closed a file, so nothing is
// known of descriptors from here.
func (r *reader) loss() error {
	r.follower.Lost()
	clear(r.under)
	r.held.Clear()
	n := r.lost + r.gaps - r.told
	r.told += n
	return r.sink.Lost(&trace.Lost{From: r.last, To: r.last, Count: n, Kind: trace.KindSyscall, CPU: -1})
}
