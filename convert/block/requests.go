// Package block reads what tools print of the block layer alone: blktrace and blkparse, biosnoop, the programs called
// iosnoop, and the block traces that researchers and providers have published. It writes blkparse's text, too.
//
// It puts disk requests together from the steps of their lives: Q of the bios, D, R if the driver gave one back, C
// (blkparse(1)). Readers of tracepoints share that.
package block

import (
	"fmt"

	"github.com/iotrace/iotrace/trace"
)

// Action is a step in the life of a bio or of a request.
type Action byte

// The actions, by blkparse's letters.
const (
	Queue    Action = 'Q'
	Issue    Action = 'D'
	Requeue  Action = 'R'
	Complete Action = 'C'
)

// Event is one step.
type Event struct {
	Time    int64
	Device  trace.DeviceID
	Action  Action
	Sector  uint64
	Sectors uint64 // 0: it has no data and lies nowhere, as a flush
	Op      trace.ReqOp
	Flags   trace.ReqFlags
	PID     uint32
	Command string // "" if it is not known
	Error   int32
}

// Limits are those of tools that show nothing but requests.
func Limits(tool string) []trace.Limit {
	return []trace.Limit{
		{Code: trace.LimitNoCalls, Text: tool + " shows requests only: system calls are not seen."},
		{Code: trace.LimitNoPaths, Text: tool + " does not say which file a request is of."},
		{Code: trace.LimitNoFaults, Text: "Reading and writing of mapped files is seen as requests only."},
		{Code: trace.LimitNoWaits, Text: "What a thread waited for is not seen."},
		trace.LimitNoFill.Limit(),
		{Code: trace.LimitNoProcesses, Text: "The process of a request is the one that queued it: for written-back data a " +
			"kernel thread. Starts, ends and command lines of processes are not seen."},
	}
}

// Bounds of what is remembered: bios and requests under way, and devices and processes that were named.
const (
	maxBegun = 1 << 18
	maxSeen  = 1 << 16
)

// place is where a bio or a request begins. Those without data have a place of
// their own: a flush lies nowhere.
type place struct {
	sector uint64
	device trace.DeviceID
	empty  uint32 // 1 or 0: the type has no bytes between its fields, so that it is hashed at once
}

// begun is a bio that was queued, or a request that was issued.
type begun struct {
	trace.Request
	sectors uint64
}

// Assembler makes requests of events.
type Assembler struct {
	sink    trace.Sink
	queued  map[place]*begun // bios
	issued  map[place]*begun
	back    map[place]*begun // given back by the driver
	free    []*begun         // that are used again
	done    begun            // the request that is complete
	devices map[trace.DeviceID]bool
	procs   map[uint32]bool
	made    uint64
	orphans uint64
	forgot  uint64
	again   uint64 // issued twice
}

// NewAssembler returns an assembler that gives its requests to a sink.
func NewAssembler(sink trace.Sink) *Assembler {
	return &Assembler{sink: sink, queued: map[place]*begun{}, issued: map[place]*begun{}, back: map[place]*begun{},
		devices: map[trace.DeviceID]bool{}, procs: map[uint32]bool{}}
}

// Add takes the next event. If times go back, as in texts that were put one behind the other, a step that lies before
// the one that it follows is taken for that of another request.
func (a *Assembler) Add(e *Event) error {
	at := place{e.Sector, e.Device, 0}
	if e.Sectors == 0 {
		at.sector, at.empty = 0, 1
	}
	switch e.Action {
	case Queue:
		e.begin(a.keep(a.queued, at), at)
		return a.introduce(e)
	case Issue:
		return a.issue(e, at)
	case Requeue:
		a.requeue(at)
		return nil
	}
	return a.complete(e, at)
}

// Halves is how many requests have only one end in the input, if most have: the tracer did not see all CPUs.
func (a *Assembler) Halves() uint64 {
	if n := uint64(len(a.issued)) + a.orphans; n > a.made {
		return n
	}
	return 0
}

// Notes says, at the end, what could not be put together.
func (a *Assembler) Notes() (notes []string) {
	if n := len(a.issued); n > 0 {
		notes = append(notes, fmt.Sprintf("requests that were not complete when the input ended, left out: %d", n))
	}
	if n := len(a.queued); n > 0 {
		notes = append(notes, fmt.Sprintf("bios that were queued and neither issued nor complete when the input ended, left "+
			"out: %d", n))
	}
	if n := len(a.back); n > 0 {
		notes = append(notes, fmt.Sprintf("requests that were given back and not issued again, left out: %d", n))
	}
	if a.orphans > 0 {
		notes = append(notes, fmt.Sprintf("completions without a beginning in the input, left out: %d", a.orphans))
	}
	if a.forgot > 0 {
		notes = append(notes, fmt.Sprintf("bios or requests that never went on, forgotten: %d", a.forgot))
	}
	if a.again > 0 {
		notes = append(notes, fmt.Sprintf("requests issued again without having been given back, the first time left out: %d",
			a.again))
	}
	return notes
}

// begin makes of an event what it says of a bio or a request.
func (e *Event) begin(b *begun, at place) {
	*b = begun{trace.Request{Queued: -1, Issued: e.Time, Device: e.Device, Sector: at.sector,
		Bytes: int64(e.Sectors) * 512, Op: e.Op,
		Flags: e.Flags, PID: e.PID, TID: e.PID, Offset: trace.NoOffset, Bios: 1}, e.Sectors}
}

// keep is what is to be known of a place from here.
func (a *Assembler) keep(m map[place]*begun, at place) *begun {
	if len(m) >= maxBegun {
		a.forgot += uint64(len(m))
		clear(m)
	}
	b := m[at]
	if b == nil {
		if last := len(a.free) - 1; last >= 0 {
			b, a.free = a.free[last], a.free[:last]
		} else {
			b = new(begun)
		}
		m[at] = b
	}
	return b
}

// drop forgets what was known of a place, and b is free for another.
func (a *Assembler) drop(m map[place]*begun, at place, b *begun) {
	delete(m, at)
	a.free = append(a.free, b)
}

// issue begins a request: it takes the bios that it was made of, which lie one
// behind the other. A bio that was split leaves its rest behind.
func (a *Assembler) issue(e *Event, at place) error {
	var r begun
	e.begin(&r, at)
	if old := a.back[at]; old != nil && old.Issued <= e.Time {
		r.Queued, r.Bios, r.PID, r.TID, r.Requeues = old.Queued, old.Bios, old.PID, old.TID, old.Requeues+1
		a.drop(a.back, at, old)
	}
	bios := uint32(0)
	for at, left := at, e.Sectors; ; {
		q := a.queued[at]
		if q == nil || q.Issued > e.Time || (at.empty == 1) != (q.sectors == 0) {
			break
		}
		if bios++; r.Queued < 0 || q.Issued < r.Queued {
			r.Queued, r.PID, r.TID = q.Issued, q.PID, q.TID
		}
		used, rest := min(q.sectors, left), *q
		a.drop(a.queued, at, q)
		at.sector += used
		if left -= used; rest.sectors > used {
			rest.sectors -= used
			*a.keep(a.queued, at) = rest
		}
		if left == 0 {
			break
		}
	}
	r.Bios = max(r.Bios, bios)
	if a.issued[at] != nil {
		a.again++
	}
	*a.keep(a.issued, at) = r
	return a.introduce(e)
}

// requeue takes back a request that the driver did not accept.
func (a *Assembler) requeue(at place) {
	if r := a.issued[at]; r != nil {
		*a.keep(a.back, at) = *r
		a.drop(a.issued, at, r)
	}
}

// complete ends a request, or its first part. What was queued and never issued
// is a bio of a device without a queue, such as one of the device mapper.
func (a *Assembler) complete(e *Event, at place) error {
	from := a.issued
	r := from[at]
	if r == nil {
		if from, r = a.queued, a.queued[at]; r == nil || r.sectors != e.Sectors {
			if e.Sectors > 0 { // a write whose flush has ended completes once more, without data
				a.orphans++
			}
			return nil
		}
		r.Queued = r.Issued
		r.Flags |= trace.ReqBioBased
	}
	a.drop(from, at, r)
	a.done = *r
	if e.Sectors < a.done.sectors {
		rest := a.keep(a.issued, place{a.done.Sector + e.Sectors, e.Device, 0})
		*rest = a.done
		rest.sectors -= e.Sectors
		rest.Sector += e.Sectors
		rest.Bytes = int64(rest.sectors) * 512
		a.done.Bytes = int64(e.Sectors) * 512
	}
	a.done.Completed = max(e.Time, a.done.Issued)
	a.done.Error = e.Error
	a.made++
	return a.sink.Request(&a.done.Request)
}

// introduce names the device and the process of a line, once each.
func (a *Assembler) introduce(e *Event) error {
	if d := e.Device; !a.devices[d] && len(a.devices) < maxSeen {
		a.devices[d] = true
		if err := a.sink.Device(&trace.Device{Time: e.Time, ID: d,
			Name: fmt.Sprintf("%d:%d", d.Major(), d.Minor())}); err != nil {
			return err
		}
	}
	if e.PID == 0 || e.Command == "" || a.procs[e.PID] || len(a.procs) >= maxSeen {
		return nil
	}
	a.procs[e.PID] = true
	return a.sink.Process(&trace.Process{Time: e.Time, Action: trace.ProcessPresent, PID: e.PID, TID: e.PID,
		Command: e.Command})
}
