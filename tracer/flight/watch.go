package flight

import "github.com/iotrace/iotrace/trace"

// met says that a condition holds. Exactly one of the events is there; for a condition of a device that is the slowest
// request of the interval.
type met struct {
	Condition *Condition
	At        int64 // on the clock of the recording, ns
	Request   *trace.Request
	Syscall   *trace.Syscall
	AsyncOp   *trace.AsyncOp
	Fault     *trace.Fault
	Lost      *trace.Lost
}

// Watch looks at the events of a recording, in their order, and tells when a condition holds. A condition of single
// events is told of with each of them; one of a device when it begins to hold, and again after it did not.
type Watch struct {
	all []*Condition
	// Met is called when a condition holds. The events are valid until it returns.
	Met func(met)

	devices map[trace.DeviceID]*device
	losses  int64 // in the interval
	lostIn  int64 // which interval that is
}

// newWatch watches for some conditions.
func newWatch(all []*Condition, met func(met)) *Watch {
	return &Watch{all: all, Met: met, devices: map[trace.DeviceID]*device{}}
}

// device is what is known of a device in the interval that runs.
type device struct {
	interval int64
	total    int64
	slowest  trace.Request
	above    []int64 // by condition: requests that took longer
	held     []int64 // by condition: intervals in a row until this one
}

// mostDevices bounds the devices that are told apart. Machines have fewer.
const mostDevices = 1 << 12

// rare is whether a rank of n values exceeds what all but above of them do not exceed.
func rare(rank, n, above int64) bool { return n-above < (n*rank+999)/1000 }

// Request looks at a disk request. Those of the recorder itself, which writes traces, count for nothing.
func (w *Watch) Request(e *trace.Request) {
	if e.Flags&trace.ReqRecorder != 0 {
		return
	}
	judged := false
	for _, c := range w.all {
		v := int64(0)
		switch c.field.of {
		case requestLatency:
			v = e.Latency()
		case requestQueued:
			v = max(e.Issued-e.Queued, 0)
			if e.Queued == -1 {
				v = 0
			}
		case requestBytes:
			v = e.Bytes
		case deviceRank, deviceIOPS:
			judged = true
			continue
		default:
			continue
		}
		if c.exceeds(v) {
			w.Met(met{Condition: c, At: e.Completed, Request: e})
		}
	}
	if judged {
		w.count(e)
	}
}

// count adds a request to the interval of its device.
func (w *Watch) count(e *trace.Request) {
	d := w.devices[e.Device]
	if d == nil {
		if len(w.devices) == mostDevices {
			return
		}
		n := len(w.all)
		d = &device{interval: e.Completed / int64(checkInterval), above: make([]int64, n), held: make([]int64, n)}
		w.devices[e.Device] = d
	}
	w.reach(d, e.Completed/int64(checkInterval))
	d.total++
	if d.total == 1 || e.Latency() > d.slowest.Latency() {
		d.slowest = *e
		d.slowest.More = nil // the caller's
	}
	for i, c := range w.all {
		if c.field.of == deviceRank && c.exceeds(e.Latency()) {
			d.above[i]++
		}
	}
}

// reach ends the intervals of a device before one.
func (w *Watch) reach(d *device, interval int64) {
	if interval <= d.interval {
		return // of the same interval, or it was told of late
	}
	for i, c := range w.all {
		holds := d.total > 0
		switch c.field.of {
		case deviceRank:
			holds = holds && rare(c.field.rank, d.total, d.above[i])
		case deviceIOPS:
			holds = holds && c.exceeds(d.total)
		default:
			continue
		}
		if !holds {
			d.held[i] = 0
			continue
		}
		if d.held[i]++; d.held[i] == max(c.during/int64(checkInterval), 1) {
			w.Met(met{Condition: c, At: (d.interval + 1) * int64(checkInterval), Request: &d.slowest})
		}
	}
	if interval > d.interval+1 {
		clear(d.held) // nothing was done meanwhile
	}
	d.interval, d.total = interval, 0
	clear(d.above)
}

// Reached ends intervals in time also when a device has nothing more to do.
func (w *Watch) Reached(now int64) {
	for _, d := range w.devices {
		w.reach(d, now/int64(checkInterval))
	}
}

// Syscall looks at a call. stored says whether a file is one of a file system or a disk.
func (w *Watch) Syscall(e *trace.Syscall, stored func(trace.FileID) bool) {
	for _, c := range w.all {
		if c.field.of == callLatency && c.exceeds(e.Duration) && disk(e.Op) &&
			(stored(e.File) || e.File2 != 0 && stored(e.File2) || e.Op == trace.OpSyncFS) {
			w.Met(met{Condition: c, At: e.End(), Syscall: e})
		}
	}
}

// AsyncOp looks at an asynchronous operation.
func (w *Watch) AsyncOp(e *trace.AsyncOp, stored func(trace.FileID) bool) {
	for _, c := range w.all {
		if c.field.of == callLatency && c.exceeds(e.Complete-e.Submit) && disk(e.Op) &&
			(stored(e.File) || e.File2 != 0 && stored(e.File2)) {
			w.Met(met{Condition: c, At: e.Complete, AsyncOp: e})
		}
	}
}

// disk reports whether an operation takes as long as file systems and disks do. The others wait for other programs.
func disk(op trace.Op) bool {
	switch op {
	case trace.OpOther, trace.OpLock, trace.OpFcntl, trace.OpUringEnter, trace.OpAIOGetEvents, trace.OpConnect,
		trace.OpAccept, trace.OpTimeout, trace.OpPoll, trace.OpFork, trace.OpSpawn:
		return false
	}
	return true
}

// Fault looks at a page fault.
func (w *Watch) Fault(e *trace.Fault) {
	for _, c := range w.all {
		if c.field.of == faultLatency && c.exceeds(e.Duration) {
			w.Met(met{Condition: c, At: e.Start + e.Duration, Fault: e})
		}
	}
}

// Lost looks at a loss.
func (w *Watch) Lost(e *trace.Lost) {
	if in := e.To / int64(checkInterval); in != w.lostIn {
		w.lostIn, w.losses = in, 0
	}
	w.losses += int64(min(e.Count, trace.MaxLost))
	for _, c := range w.all {
		if c.field.of == lost && c.exceeds(w.losses) {
			w.Met(met{Condition: c, At: e.To, Lost: e})
		}
	}
}
