package whatif

import (
	"cmp"
	"maps"
	"slices"

	"github.com/iotrace/iotrace/analyzer/program"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/whatif/drive"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// piece is a part of a file that a request read or wrote.
type piece struct {
	offset, bytes int64
	request       int32
}

// pieces are those of a file, in the order in which their requests were complete.
type pieces struct{ reads, writes []piece }

// events is a recording before it is put in order.
type events struct {
	survey   *survey.Survey
	threads  map[uint32]*history
	requests []Request
	devices  []*world.Device
	numbers  map[*world.Device]int32 // of devices
	files    map[trace.FileID]*pieces
	advice   map[trace.FileID][]advice
	syncs    []span // asynchronous operations that make data durable
	held     int64  // how much of the room for events they take
}

func newEvents(s *survey.Survey) *events {
	return &events{
		survey: s, threads: map[uint32]*history{}, numbers: map[*world.Device]int32{}, files: map[trace.FileID]*pieces{},
		advice: map[trace.FileID][]advice{},
	}
}

// What is held beside events counts like this many of them.
const (
	threadWeight = 4
	fileWeight   = 2
)

// of is what was recorded of a thread.
func (e *events) of(thread, process uint32) *history {
	h := e.threads[thread]
	if h == nil {
		h = &history{thread: thread}
		e.threads[thread] = h
		e.held += threadWeight
	}
	if process != 0 {
		h.process = process
	}
	return h
}

// batch takes the next events.
func (e *events) batch(b *trace.Batch) {
	program.Steps(b, e.step)
	for i := range b.Waits {
		w := &b.Waits[i]
		h := e.of(w.TID, w.PID)
		h.helps = h.helps || w.Flags&trace.WaitHelper != 0
		if w.Cause == trace.WaitReady {
			h.ran = max(h.ran, w.Start+w.Duration)
			continue // it could have run: that stays as it was, like the time it ran
		}
		h.waits = append(h.waits, *w)
	}
	for i := range b.Processes {
		e.life(&b.Processes[i])
	}
	for i := range b.Requests {
		e.request(&b.Requests[i])
	}
	e.held += int64(len(b.Waits) + len(b.Processes))
}

// step takes what a thread did.
func (e *events) step(s *program.Step) {
	h := e.of(s.TID, s.PID)
	e.held++
	switch {
	case s.API == 0:
		e.advised(s)
		h.calls = append(h.calls, *s)
	case s.API == trace.APILibaio: // its thread collects it
		h.asyncs = append(h.asyncs, *s)
	}
	if s.API != 0 && s.Op.Durability() {
		e.syncs = append(e.syncs, span{s.Start, s.End})
	}
}

// safe reports whether a call writes, and returns when what it wrote is safe.
func (e *events) safe(s *program.Step) bool {
	f := e.survey.Files.File(s.File)
	return s.Op == trace.OpWrite && (s.Synced() || f != nil && f.Synced)
}

// durable reports whether a call makes data durable.
func (e *events) durable(s *program.Step) bool { return s != nil && (s.Op.Durability() || e.safe(s)) }

func (e *events) life(p *trace.Process) {
	switch p.Action {
	case trace.ProcessFork:
		h := e.of(p.TID, p.PID)
		h.begin, h.begun = begin{p.Time, p.Parent}, true
		parent := e.of(p.Parent, 0)
		parent.acted = append(parent.acted, p.Time)
	case trace.ProcessRunning:
		if e.survey.ComputingLast(p.PID) {
			h := e.of(p.PID, p.PID)
			h.exit, h.exited, h.computes = p.Time, true, true
		}
	case trace.ProcessHelper:
		h := e.of(p.TID, p.PID)
		h.helps, h.since = true, p.Time
	case trace.ProcessExec:
		e.of(p.PID, p.PID)
	case trace.ProcessExit:
		h := e.of(p.PID, 0)
		h.exit, h.exited = p.Time, true
	}
}

// request takes a request, unless one above it stands for it.
func (e *events) request(r *trace.Request) {
	d := e.survey.Devices.Get(r.Device)
	if r.Op > trace.ReqDiscard || (r.Flags&trace.ReqForeign != 0 || d.Level > 1) && e.beneath(r, d) {
		return
	}
	n, ok := e.numbers[d]
	if !ok {
		n = int32(len(e.devices))
		e.devices, e.numbers[d] = append(e.devices, d), n
	}
	queued := r.Queued
	if queued < 0 {
		queued = r.Issued
	}
	e.requests = append(e.requests, Request{
		Request: drive.Request{
			Queued: queued, Completed: max(r.Completed, queued), Sector: r.Sector, Bytes: r.Bytes, Op: r.Op,
		},
		Thread: r.TID, process: r.Owner, issued: r.Issued, Device: n, file: r.File, offset: r.Offset, end: r.Offset,
	})
	e.held++
	number := int32(len(e.requests) - 1)
	world.Pieces(r, func(id trace.FileID, offset, bytes int64) {
		if x := &e.requests[number]; id == x.file {
			x.end = max(x.end, offset+bytes)
		}
		f := e.files[id]
		if f == nil {
			f = &pieces{}
			e.files[id] = f
			e.held += fileWeight
		}
		list := &f.reads
		if r.Op != trace.ReqRead {
			list = &f.writes
		}
		*list = append(*list, piece{offset, bytes, number})
		e.held++
	})
}

// beneath reports whether a request is one of the layers below another device, or
// of somebody else: not of a file of the workload that lies on this very device.
func (e *events) beneath(r *trace.Request, d *world.Device) bool {
	if d.Level == 1 {
		return r.Flags&trace.ReqForeign != 0 && !d.Used
	}
	f := e.survey.Files.File(r.File)
	return f == nil || f.Backing || r.Flags&trace.ReqForeign != 0
}

// order sorts what was gathered, and numbers requests by their completion.
func (e *events) order() {
	for _, h := range e.threads {
		sorting.Stably(h.calls, func(a, b program.Step) int { return cmp.Compare(a.Start, b.Start) })
		sorting.Stably(h.waits, func(a, b trace.Wait) int { return cmp.Compare(a.Start, b.Start) })
	}
	sorting.Stably(e.syncs, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	index := make([]int32, len(e.requests))
	for i := range index {
		index[i] = int32(i)
	}
	slices.SortStableFunc(index, func(a, b int32) int {
		return cmp.Compare(e.requests[a].Completed, e.requests[b].Completed)
	})
	sorted, number := make([]Request, len(index)), make([]int32, len(index))
	for i, was := range index {
		sorted[i], number[was] = e.requests[was], int32(i)
	}
	e.requests = sorted
	for _, f := range e.files {
		for _, list := range [][]piece{f.reads, f.writes} {
			for i := range list {
				list[i].request = number[list[i].request]
			}
			sorting.Stably(list, func(a, b piece) int { return cmp.Compare(a.request, b.request) })
		}
	}
}

// known are the threads about which something was recorded, in the order of their numbers.
func (e *events) known() []*history {
	var list []*history
	for _, id := range slices.Sorted(maps.Keys(e.threads)) {
		if h := e.threads[id]; h.known() {
			list = append(list, h)
		}
	}
	return list
}
