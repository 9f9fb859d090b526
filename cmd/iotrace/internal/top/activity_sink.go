package top

import (
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// Syscall adds a call that has returned.
func (a *activity) Syscall(e *trace.Syscall) error {
	w := a.at(e.End())
	w.events++
	if e.Op.MovesData() {
		x := transfer{pid: e.PID, bytes: e.Bytes()}
		if e.Op.Reads() {
			x.from = a.files.get(e.File)
		}
		switch {
		case e.Op == trace.OpWrite:
			x.to = a.files.get(e.File)
		case !e.Op.HasPeer():
			x.to = a.files.get(e.File2)
		}
		if e.Result >= 0 {
			a.move(w, x)
		}
		return nil
	}
	if e.Op.Durability() {
		a.sync(w, e.PID, a.files.get(e.File), e.Start, e.End())
	}
	return nil
}

// AsyncOp adds an operation that has completed.
func (a *activity) AsyncOp(e *trace.AsyncOp) error {
	w := a.at(e.Complete)
	w.events++
	f := a.files.get(e.File)
	switch {
	case e.Op.MovesData() && e.Result >= 0:
		x := transfer{pid: e.PID, bytes: e.Bytes()}
		if x.from = f; e.Op == trace.OpWrite {
			x.from, x.to = nil, f
		}
		a.move(w, x)
	case e.Op.Durability():
		a.sync(w, e.PID, f, e.Complete, e.Complete) // its thread need not have waited
	}
	return nil
}

// transfer is data that a call moved from one file, to another, or both.
type transfer struct {
	pid      uint32
	from, to *file
	bytes    int64
}

func (a *activity) move(w *window, x transfer) {
	reads, writes := x.from != nil && x.from.data, x.to != nil && x.to.data
	if !reads && !writes {
		return // a pipe, a socket, what the kernel makes up
	}
	p := w.process(x.pid)
	if reads {
		p.readCalls++
		a.direction(w, x, x.from, false)
	}
	if writes {
		p.writeCalls++
		a.direction(w, x, x.to, true)
	}
}

// direction adds what was read from or written to one file.
func (a *activity) direction(w *window, x transfer, f *file, write bool) {
	w.process(x.pid).calls.add(x.bytes, write)
	a.on(f.device).add(x.bytes, write)
	if u := w.file(f); u != nil {
		u.calls.add(x.bytes, write)
		u.count++
		u.pid = x.pid
	}
	if u := w.pair(x.pid, f); u != nil {
		u.calls.add(x.bytes, write)
		u.count++
	}
}

func (m *moved) add(bytes int64, write bool) {
	if write {
		m.write += bytes
	} else {
		m.read += bytes
	}
}

// sync adds a call that returned when data was durable.
func (a *activity) sync(w *window, pid uint32, f *file, start, end int64) {
	w.process(pid).syncs++
	if f != nil && f.data {
		if u := w.file(f); u != nil {
			u.syncs++
			u.pid = pid
		}
	}
	a.waited(pid, start, end)
}

// waited adds a time in which a thread could not go on before data had been moved.
func (a *activity) waited(pid uint32, start, end int64) {
	a.each(start, end, func(w *window, from, to int64) { w.process(pid).waited.add(from, to) })
}

// Fault adds a page fault that had to wait for a file. Its bytes came by requests.
func (a *activity) Fault(e *trace.Fault) error {
	a.at(e.Start+e.Duration).events++
	a.waited(e.PID, e.Start, e.Start+e.Duration)
	return nil
}

// RPC adds what a client asked of a server. Whoever waits for it does so in a call.
func (a *activity) RPC(e *trace.RPC) error {
	a.at(e.End()).events++
	return nil
}

// Wait adds a time that a thread was off the processor.
func (a *activity) Wait(e *trace.Wait) error {
	a.at(e.End()).events++
	if e.Flags&trace.WaitHelper != 0 {
		return nil
	}
	if e.Cause == trace.WaitIO || e.Cause == trace.WaitThrottle || e.By.Completion() {
		a.waited(e.PID, e.Start, e.Woken())
	}
	return nil
}

// Request adds a request that has completed.
func (a *activity) Request(q *trace.Request) error {
	w := a.at(q.Completed)
	w.events++
	d := a.devices.uses(q.Device)
	w.device(d.ID).add(q)
	if q.Op == trace.ReqRead || q.Op == trace.ReqWrite {
		a.each(q.Issued, q.Completed, func(w *window, from, to int64) { w.device(d.ID).busy.add(from, to) })
	}
	data := q.Op == trace.ReqRead || q.Op == trace.ReqWrite
	write := q.Op == trace.ReqWrite
	switch {
	case q.Flags&trace.ReqRecorder != 0:
		if data {
			w.own.add(q.Bytes, write)
		}
		return nil
	case q.Flags&trace.ReqForeign != 0:
		return nil // of somebody who is not looked at
	case !a.direct(d, q):
		return nil // the device above it was asked
	case data:
		d.device.add(q.Bytes, write)
	}
	pid := a.processes.requester(world.Requester(q), q.Op)
	p := w.process(pid)
	if q.Latency() >= w.least {
		w.keep(q, pid, a.files.of(q))
	}
	if p.requests++; !data {
		return nil
	}
	p.device.add(q.Bytes, write)
	world.Pieces(q, func(id trace.FileID, _, bytes int64) {
		f := a.files.get(id)
		if f.inode != 0 && !f.block && !f.backing && len(d.systems) < maxDevices {
			d.systems[f.device] = true
		}
		if u := w.file(f); u != nil {
			u.device.add(bytes, write)
		}
		if u := w.pair(pid, f); u != nil {
			u.device.add(bytes, write)
			u.requests++
		}
	})
	return nil
}

// direct reports whether a request was asked for by a file system or a program, not by a device that is built on this
// one: it then counts for who asked. Of a device with others above it, that is what files in file systems of its own
// are read and written for. Who writes to a device by its own name is taken to mean the uppermost.
func (a *activity) direct(d *device, q *trace.Request) bool {
	if !d.covered(layers) {
		return true
	}
	own := false
	world.Pieces(q, func(id trace.FileID, _, _ int64) {
		f := a.files.get(id)
		if f.backing || f.block || own {
			return
		}
		higher := d.above(f.device, layers)
		for _, u := range d.uppers {
			higher = higher || u.holds(f.device, layers)
		}
		own = !higher
	})
	return own
}

// holds reports whether a file system was seen on a device, or on one that is built on it.
func (d *device) holds(fileSystem trace.DeviceID, depth int) bool {
	if d.systems[fileSystem] {
		return true
	}
	for _, u := range d.uppers {
		if depth > 0 && u.holds(fileSystem, depth-1) {
			return true
		}
	}
	return false
}

// Process follows forks, execs and exits.
func (a *activity) Process(e *trace.Process) error {
	a.at(e.Time).events++
	a.processes.event(e)
	return nil
}

// File takes the identity of a file.
func (a *activity) File(e *trace.File) error {
	a.files.learn(e)
	return nil
}

// Device takes the identity of a device.
func (a *activity) Device(e *trace.Device) error {
	a.devices.describe(e)
	a.files.under(e.Backing)
	return nil
}

// Lost counts what could not be recorded.
func (a *activity) Lost(e *trace.Lost) error {
	a.lost += e.Count
	return nil
}
