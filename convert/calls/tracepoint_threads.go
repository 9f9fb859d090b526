package calls

import (
	"bytes"
	"strconv"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/trace"
)

// enter begins a call.
func (r *eventReader) enter(l *eventLine, name, text []byte) (convert.Verdict, error) {
	r.begun = entered{index: -1, start: r.last}
	e, ok := &r.begun, false
	if name == nil {
		var rest []byte
		if e.number, rest, ok = rawNumber(text); ok {
			ok = rawArgs(&e.args, rest)
		}
		if i, found := ByNumber(e.number); found {
			e.index = i
		}
	} else {
		e.number = lives[string(name)]
		if i, found := ByName(string(name)); found {
			e.index = i
		}
		// trace-cmd prints some of the others in its own way: "op=FUTEX_WAKE|FUTEX_PRIVATE_FLAG uaddr=0x7f5a val=1".
		ok = namedArgs(&e.args, text, &r.texts) || e.index < 0 || e.number > 0
	}
	if !ok {
		return convert.Damaged, nil
	}
	return r.goesOn(l, e)
}

// goesOn takes note of a call that a thread has begun.
func (r *eventReader) goesOn(l *eventLine, e *entered) (convert.Verdict, error) {
	if e.number == callExit || e.number == callExitGroup { // it does not return
		r.follower.Exited(l.tid)
		r.under.forget(l.tid)
		return convert.Skipped, nil
	}
	if !r.under.keep(l.tid, e) {
		return convert.Damaged, nil
	}
	return convert.Read, r.introduce(l)
}

// exit ends a call.
func (r *eventReader) exit(l *eventLine, name, text []byte) (convert.Verdict, error) {
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
	e := r.under.calls[l.tid]
	if e == nil || number >= 0 && e.number != number && e.index < 0 {
		r.orphans++
		return convert.Skipped, nil
	}
	r.under.forget(l.tid)
	switch e.number {
	case callClone, callFork, callVfork, callClone3:
		if n > 0 && n < 1<<31 {
			r.follower.Forked(l.pid, uint32(n), e.shares())
		}
	case callExec, callExecAt:
		return convert.Skipped, r.executed(l, n)
	}
	if e.index < 0 {
		return convert.Skipped, nil
	}
	r.made = Call{PID: l.pid, TID: l.tid, Start: e.start, Duration: r.last - e.start, Index: e.index, Args: e.args,
		Result: n}
	return convert.Read, r.follower.Add(&r.made)
}

// executed is the return of an exec: the process is another program from here.
func (r *eventReader) executed(l *eventLine, result int64) error {
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
func (r *eventReader) losses(text []byte) bool {
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
func (r *eventReader) loss() error {
	r.follower.Lost()
	r.under.clear()
	n := r.lost + r.gaps - r.told
	r.told += n
	return r.sink.Lost(&trace.Lost{From: r.last, To: r.last, Count: n, Kind: trace.KindSyscall, CPU: -1})
}
