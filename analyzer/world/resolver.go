package world

import "github.com/iotrace/iotrace/trace"

// runLength is how many events are resolved before they are handed on: few
// enough to stay in the caches of the processor.
const runLength = 2048

// Ahead is how many runs may have been handed on and be still in use: when one of their users takes longer, it can
// make up for that before another has to wait for it.
const Ahead = 16

// Takers use what was resolved.
type Takers interface {
	// Take hands on a run, which may be used until Ahead further ones were taken.
	Take(*Run)
	// Flush says that the events of the runs that were taken before the last Flush are about to be freed.
	Flush()
}

// Resolver finds out, once for each event, which files, processes and devices
// it is about. It is the visitor of the order of starts.
type Resolver struct {
	files     *Files
	devices   *Devices
	processes *Processes
	begins    []Begin // still to come
	run       *Run    // the next to be handed on, one of runs
	runs      [Ahead + 1]Run
	handed    int
	takers    Takers
}

// NewResolver makes one that hands on what it has resolved.
func NewResolver(f *Files, d *Devices, p *Processes, begins []Begin, takers Takers) *Resolver {
	r := &Resolver{files: f, devices: d, processes: p, begins: begins, takers: takers}
	r.run = &r.runs[0]
	return r
}

// Flush hands on what was resolved, and ends the use of the events up to the Flush before.
func (r *Resolver) Flush() {
	r.hand()
	r.takers.Flush()
}

// hand hands on what was resolved.
func (r *Resolver) hand() {
	if len(r.run.Order) == 0 {
		return
	}
	r.takers.Take(r.run)
	r.handed++
	r.run = &r.runs[r.handed%len(r.runs)]
	r.run.clear()
}

// reached puts in the starts of programs up to a time.
func (r *Resolver) reached(at int64) {
	if len(r.run.Order) >= runLength {
		r.hand()
	}
	for len(r.begins) > 0 && r.begins[0].At <= at {
		b := r.begins[0]
		r.begins = r.begins[1:]
		*next(r.run, AStart, &r.run.Starts) = Start{b.At, b.Exec, r.processes.expect(b.PID)}
	}
}

// Process takes a fork, an exec or an exit.
func (r *Resolver) Process(e *trace.Process) {
	if e.Action == trace.ProcessHelper {
		return
	}
	r.reached(e.Time)
	r.processes.event(e)
	l := Life{Process: e, Who: r.processes.get(e.PID, e.Time)}
	if parent := r.processes.byPID[l.Who.Parent]; e.Action == trace.ProcessExec && parent != l.Who {
		l.Parent = parent
	}
	*next(r.run, ALife, &r.run.Lives) = l
}

// Syscall takes a call.
func (r *Resolver) Syscall(e *trace.Syscall) {
	r.reached(e.Start)
	kind, moves := ACall, e.Op.MovesData()
	if moves {
		kind = ADataCall
	}
	c := next(r.run, kind, &r.run.Calls)
	c.Syscall, c.File, c.File2, c.Process = e, r.files.File(e.File), r.files.File(e.File2), r.processes.get(e.PID, e.Start)
	if e.Op.HasPeer() { // an address is no file
		c.File2 = nil
	}
	if c.Awaits = false; moves {
		c.Awaits = r.processes.asked(c)
		x := next(r.run, AnAccess, &r.run.Accesses)
		x.call(e, c.File, c.File2)
		r.by(x, c.Process)
	}
}

// AsyncOp takes an asynchronous operation.
func (r *Resolver) AsyncOp(e *trace.AsyncOp) {
	r.reached(e.Submit)
	a := next(r.run, AnAsync, &r.run.Asyncs)
	*a = Async{e, r.files.File(e.File), r.files.File(e.File2), r.processes.get(e.PID, e.Submit)}
	if e.Op.HasPeer() {
		a.File2 = nil
	}
	if e.Op.MovesData() {
		x := next(r.run, AnAccess, &r.run.Accesses)
		x.async(e, a.File)
		r.by(x, a.Process)
	}
}

// by says who did the access that came last, and whether it is one to files that hold data.
func (r *Resolver) by(x *Access, p *Process) {
	if x.by(p); x.Reads || x.Writes {
		r.run.Order[len(r.run.Order)-1].Kind = AData
	}
}

// Fault takes a page fault that had to wait.
func (r *Resolver) Fault(e *trace.Fault) {
	r.reached(e.Start)
	*next(r.run, AFault, &r.run.Faults) = Fault{e, r.files.File(e.File), r.processes.get(e.PID, e.Start)}
}

// Wait takes a time off the CPU. Those of helpers are no part of what the workload did.
func (r *Resolver) Wait(e *trace.Wait) {
	if e.Flags&trace.WaitHelper != 0 {
		return
	}
	r.reached(e.Start)
	*next(r.run, AWait, &r.run.Waits) = Wait{e, r.processes.get(e.PID, e.Start)}
}

// RPC takes what a client asked of a server. What others asked is no part of what the workload did, nor is what this
// machine was asked as a server.
func (r *Resolver) RPC(e *trace.RPC) {
	if e.Foreign || e.Served {
		return
	}
	r.reached(e.Start)
	*next(r.run, AnRPC, &r.run.RPCs) = RPC{e, r.files.File(e.File)}
}

// Queued takes the time a request waited in the block layer.
func (r *Resolver) Queued(e *trace.Request) {
	r.reached(e.Queued)
	if ours := !Others(e); ours {
		*next(r.run, AQueued, &r.run.Requests) = Request{Request: e, Ours: ours}
	}
}

// Request takes a block request.
func (r *Resolver) Request(e *trace.Request) {
	r.reached(e.Issued)
	q := Request{Request: e, Ours: !Others(e), Device: r.devices.Get(e.Device), File: r.files.File(e.File)}
	if !q.Ours {
		q.Process = r.processes.byPID[e.PID]
	} else {
		q.Process = r.processes.byPID[Requester(e)]
		first := len(r.run.pieces)
		q.Direct = q.Device.Level == 1
		Pieces(e, func(id trace.FileID, at, bytes int64) {
			if f := r.files.File(id); f != nil && (f.Top == q.Device || f.Other && q.Device.Level == 1) {
				r.run.pieces = append(r.run.pieces, part{f, at, bytes})
				q.Direct = q.Direct || !f.Backing
			}
		})
		q.Pieces = r.run.pieces[first:]
	}
	*next(r.run, ARequest, &r.run.Requests) = q
}
