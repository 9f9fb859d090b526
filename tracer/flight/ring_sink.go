package flight

import "github.com/iotrace/iotrace/trace"

// Syscall implements trace.Sink, as do the others.
func (r *Ring) Syscall(e *trace.Syscall) error {
	r.file(e.File)
	r.file(e.File2)
	r.process(e.PID)
	return r.added(e.End(), r.events.Syscall(e))
}

// AsyncOp keeps an asynchronous operation.
func (r *Ring) AsyncOp(e *trace.AsyncOp) error {
	r.file(e.File)
	r.file(e.File2)
	r.process(e.PID)
	return r.added(e.Complete, r.events.AsyncOp(e))
}

// Fault keeps a page fault.
func (r *Ring) Fault(e *trace.Fault) error {
	r.file(e.File)
	r.process(e.PID)
	return r.added(e.Start+e.Duration, r.events.Fault(e))
}

// Request keeps a block request.
func (r *Ring) Request(e *trace.Request) error {
	r.device(e.Device)
	r.file(e.File)
	for i := range e.More {
		r.file(e.More[i].File)
	}
	r.process(e.PID)
	r.process(e.Owner)
	return r.added(e.Completed, r.events.Request(e))
}

// RPC keeps a remote procedure call.
func (r *Ring) RPC(e *trace.RPC) error {
	r.file(e.File)
	r.process(e.PID)
	return r.added(e.End(), r.events.RPC(e))
}

// Wait keeps a wait.
func (r *Ring) Wait(e *trace.Wait) error {
	r.process(e.PID)
	return r.added(e.Start+e.Duration, r.events.Wait(e))
}

// Process keeps a process event, and what it says of the process.
func (r *Ring) Process(e *trace.Process) error {
	r.process(e.Parent)
	if e.Action != trace.ProcessFork || e.TID != e.PID { // of a new one nothing is known: the number is another's
		r.process(e.PID)
	}
	r.learn(e)
	r.told.processes[e.PID] = true // by the event itself
	return r.added(e.Time, r.events.Process(e))
}

// File keeps a file.
func (r *Ring) File(e *trace.File) error {
	r.device(e.Device)
	r.files.put(e.ID, *e)
	r.told.files[e.ID] = true
	return r.added(e.Time, r.events.File(e))
}

// Device keeps a device.
func (r *Ring) Device(e *trace.Device) error {
	d := *e
	d.Parents = append([]trace.DeviceID(nil), e.Parents...)
	r.devices.put(e.ID, d)
	r.told.devices[e.ID] = true
	for _, p := range d.Parents {
		r.device(p)
	}
	return r.added(e.Time, r.events.Device(e))
}

// Lost keeps a loss.
func (r *Ring) Lost(e *trace.Lost) error { return r.added(e.To, r.events.Lost(e)) }

// file describes a file in the block, unless that has been done.
func (r *Ring) file(id trace.FileID) {
	if id == 0 || r.told.files[id] {
		return
	}
	r.told.files[id] = true
	if f, ok := r.files.get(id); ok {
		_ = r.known.File(&f) // it is memory
		r.device(f.Device)
	}
}

// process does so for a process and for those above it.
func (r *Ring) process(pid uint32) {
	for range mostAncestors {
		if pid == 0 || r.told.processes[pid] {
			return
		}
		r.told.processes[pid] = true
		p, ok := r.processes.get(pid)
		if !ok {
			return
		}
		_ = r.known.Process(&p)
		pid = p.Parent
	}
}

// device does so for a device and for those beneath it.
func (r *Ring) device(id trace.DeviceID) {
	if id == 0 || r.told.devices[id] {
		return
	}
	r.told.devices[id] = true
	d, ok := r.devices.get(id)
	if !ok {
		return
	}
	_ = r.known.Device(&d)
	for _, p := range d.Parents {
		r.device(p)
	}
}

// FileOf is what is known of a file.
func (r *Ring) FileOf(id trace.FileID) (trace.File, bool) { return r.files.get(id) }

// ProcessOf is what is known of a process.
func (r *Ring) ProcessOf(pid uint32) (trace.Process, bool) { return r.processes.get(pid) }

// DeviceOf is what is known of a device.
func (r *Ring) DeviceOf(id trace.DeviceID) (trace.Device, bool) { return r.devices.get(id) }
