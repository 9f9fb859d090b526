package analyzer

import "github.com/iotrace/iotrace/trace"

// runLength is how many events are resolved before they are handed on: few
// enough to stay in the caches of the processor.
const runLength = 2048

// resolver finds out, once for each event, which files, processes and devices
// it is about. It is the visitor of the order of starts.
type resolver struct {
	files     *identities
	devices   *devices
	processes *processes
	begins    []begin // still to come
	run       *run
	handed    *run // that may be in use
	hand      func(*run)
}

// newResolver makes one that hands on what it has resolved: hand may use a run
// until it is called again.
func newResolver(files *identities, devices *devices, begins []begin, hand func(*run)) *resolver {
	return &resolver{
		files: files, devices: devices, processes: newProcesses(), begins: begins, run: new(run), handed: new(run), hand: hand,
	}
}

// Flush hands on what was resolved, and ends the use of what was handed on before.
func (r *resolver) Flush() {
	r.hand(r.run)
	r.run, r.handed = r.handed, r.run
	r.run.clear()
}

// reached puts in the starts of programs up to a time.
func (r *resolver) reached(at int64) {
	if len(r.run.order) >= runLength {
		r.Flush()
	}
	for len(r.begins) > 0 && r.begins[0].at <= at {
		b := r.begins[0]
		r.begins = r.begins[1:]
		*next(r.run, aStart, &r.run.starts) = start{b.at, b.exec, r.processes.expect(b.pid)}
	}
}

// Process takes a fork, an exec or an exit.
func (r *resolver) Process(e *trace.Process) {
	r.reached(e.Time)
	r.processes.event(e)
	l := life{Process: e, who: r.processes.get(e.PID, e.Time)}
	if parent := r.processes.byPID[l.who.Parent]; e.Action == trace.ProcessExec && parent != l.who {
		l.parent = parent
	}
	*next(r.run, aLife, &r.run.lives) = l
}

// Syscall takes a call.
func (r *resolver) Syscall(e *trace.Syscall) {
	r.reached(e.Start)
	c := next(r.run, aCall, &r.run.calls)
	c.Syscall, c.file, c.file2, c.process = e, r.files.file(e.File), r.files.file(e.File2), r.processes.get(e.PID, e.Start)
	if e.Op.MovesData() {
		x := next(r.run, anAccess, &r.run.accesses)
		x.call(e, c.file, c.file2)
		x.by(c.process)
	}
}

// AsyncOp takes an asynchronous operation.
func (r *resolver) AsyncOp(e *trace.AsyncOp) {
	r.reached(e.Submit)
	a := next(r.run, anAsync, &r.run.asyncs)
	*a = async{e, r.files.file(e.File), r.processes.get(e.PID, e.Submit)}
	if e.Op.MovesData() {
		x := next(r.run, anAccess, &r.run.accesses)
		x.async(e, a.file)
		x.by(a.process)
	}
}

// Fault takes a page fault that had to wait.
func (r *resolver) Fault(e *trace.Fault) {
	r.reached(e.Start)
	*next(r.run, aFault, &r.run.faults) = fault{e, r.files.file(e.File), r.processes.get(e.PID, e.Start)}
}

// Wait takes a time off the CPU.
func (r *resolver) Wait(e *trace.Wait) {
	r.reached(e.Start)
	*next(r.run, aWait, &r.run.waits) = wait{e, r.processes.get(e.PID, e.Start)}
}

// Queued takes the time a request waited in the block layer.
func (r *resolver) Queued(e *trace.Request) {
	r.reached(e.Queued)
	if ours := !others(e); ours {
		*next(r.run, aQueued, &r.run.requests) = request{Request: e, ours: ours}
	}
}

// Request takes a block request.
func (r *resolver) Request(e *trace.Request) {
	r.reached(e.Issued)
	q := request{Request: e, ours: !others(e), device: r.devices.get(e.Device), file: r.files.file(e.File)}
	if !q.ours {
		q.process = r.processes.byPID[e.PID]
	} else {
		q.process = r.processes.byPID[requester(e)]
		first := len(r.run.pieces)
		pieces(e, func(id trace.FileID, at, bytes int64) {
			if f := r.files.file(id); f != nil && (f.top == q.device || f.other && q.device.level == 1) {
				r.run.pieces = append(r.run.pieces, part{f, at, bytes})
			}
		})
		q.pieces = r.run.pieces[first:]
	}
	*next(r.run, aRequest, &r.run.requests) = q
}
