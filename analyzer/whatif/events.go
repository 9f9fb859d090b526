package whatif

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// wait is a time off the CPU.
type wait struct {
	start, end int64
	cause      trace.WaitCause
}

// call is an operation that may depend on requests.
type call struct {
	start, end int64
	op         trace.Op
	file       trace.FileID
	offset     int64
	bytes      int64
}

// piece is a part of a file that a request read or wrote.
type piece struct {
	offset, bytes int64
	request       int32
}

// events is a recording before it is put in order.
type events struct {
	survey   *survey.Survey
	calls    map[uint32][]call // by thread
	waits    map[uint32][]wait
	asyncs   map[uint32][]call // start when handed in, end when collected
	process  map[uint32]uint32 // of each thread
	begins   map[uint32]begin
	ends     map[uint32]int64
	requests []request
	numbers  map[trace.DeviceID]int
	reads    map[trace.FileID][]piece
	writes   map[trace.FileID][]piece
}

// begin is how a thread came to be.
type begin struct {
	at     int64
	parent uint32 // the thread that made it
}

func newEvents(s *survey.Survey) *events {
	return &events{
		survey: s, calls: map[uint32][]call{}, waits: map[uint32][]wait{}, asyncs: map[uint32][]call{},
		process: map[uint32]uint32{}, begins: map[uint32]begin{}, ends: map[uint32]int64{},
		numbers: map[trace.DeviceID]int{}, reads: map[trace.FileID][]piece{}, writes: map[trace.FileID][]piece{},
	}
}

// batch takes the next events.
func (e *events) batch(b *trace.Batch) {
	for i := range b.Syscalls {
		s := &b.Syscalls[i]
		e.process[s.TID] = s.PID
		e.calls[s.TID] = append(e.calls[s.TID], call{s.Start, s.End(), s.Op, s.File, s.Offset, s.Result})
	}
	for i := range b.Faults {
		f := &b.Faults[i]
		e.process[f.TID] = f.PID
		e.calls[f.TID] = append(e.calls[f.TID], call{f.Start, f.Start + f.Duration, trace.OpRead, f.File, f.Offset, 4096})
	}
	for i := range b.AsyncOps {
		a := &b.AsyncOps[i]
		e.process[a.TID] = a.PID
		if a.API == trace.APILibaio {
			e.asyncs[a.TID] = append(e.asyncs[a.TID], call{a.Submit, a.Complete, a.Op, a.File, a.Offset, a.Result})
		}
	}
	for i := range b.Waits {
		w := &b.Waits[i]
		e.process[w.TID] = w.PID
		if w.Cause == trace.WaitReady {
			continue // it could have run: that stays as it was, like the time it ran
		}
		e.waits[w.TID] = append(e.waits[w.TID], wait{w.Start, w.Start + w.Duration, w.Cause})
	}
	for i := range b.Processes {
		e.life(&b.Processes[i])
	}
	for i := range b.Requests {
		e.request(&b.Requests[i])
	}
}

func (e *events) life(p *trace.Process) {
	switch p.Action {
	case trace.ProcessFork:
		e.begins[p.TID] = begin{p.Time, p.Parent}
		e.process[p.TID] = p.PID
	case trace.ProcessExec:
		e.process[p.PID] = p.PID
	case trace.ProcessExit:
		e.ends[p.PID] = p.Time
	}
}

// request takes a request, unless one above it stands for it.
func (e *events) request(r *trace.Request) {
	if r.Op > trace.ReqDiscard || r.Flags&trace.ReqForeign != 0 && e.beneath(r) {
		return
	}
	if d := e.survey.Devices.Get(r.Device); d.Level > 1 && e.beneath(r) {
		return
	}
	n, ok := e.numbers[r.Device]
	if !ok {
		n = len(e.numbers)
		e.numbers[r.Device] = n
	}
	queued := r.Queued
	if queued < 0 {
		queued = r.Issued
	}
	e.requests = append(e.requests, request{
		queued: queued, completed: max(r.Completed, queued), thread: r.TID, process: r.Owner, device: n,
		sector: r.Sector, bytes: r.Bytes, op: r.Op, file: r.File,
	})
	number := int32(len(e.requests) - 1)
	world.Pieces(r, func(id trace.FileID, offset, bytes int64) {
		pieces := e.reads
		if r.Op != trace.ReqRead {
			pieces = e.writes
		}
		if id != 0 {
			pieces[id] = append(pieces[id], piece{offset, bytes, number})
		}
	})
}

// beneath reports whether a request is one of the layers below another device, or
// of somebody else: not of a file of the workload that lies on this very device.
func (e *events) beneath(r *trace.Request) bool {
	d := e.survey.Devices.Get(r.Device)
	if d.Level == 1 {
		return r.Flags&trace.ReqForeign != 0 && !d.Used
	}
	f := e.survey.Files.File(r.File)
	return f == nil || f.Backing || r.Flags&trace.ReqForeign != 0
}

// order sorts what was gathered, and numbers requests by their completion.
func (e *events) order() {
	for _, list := range e.calls {
		slices.SortStableFunc(list, func(a, b call) int { return cmp.Compare(a.start, b.start) })
	}
	for _, list := range e.waits {
		slices.SortStableFunc(list, func(a, b wait) int { return cmp.Compare(a.start, b.start) })
	}
	index := make([]int32, len(e.requests))
	for i := range index {
		index[i] = int32(i)
	}
	slices.SortStableFunc(index, func(a, b int32) int {
		return cmp.Compare(e.requests[a].completed, e.requests[b].completed)
	})
	sorted, number := make([]request, len(index)), make([]int32, len(index))
	for i, was := range index {
		sorted[i], number[was] = e.requests[was], int32(i)
	}
	e.requests = sorted
	for _, pieces := range []map[trace.FileID][]piece{e.reads, e.writes} {
		for _, list := range pieces {
			for i := range list {
				list[i].request = number[list[i].request]
			}
			slices.SortStableFunc(list, func(a, b piece) int { return cmp.Compare(a.offset, b.offset) })
		}
	}
}

// end is when a thread ended, or was last heard of; 0 if it never was.
func (e *events) end(id uint32) int64 {
	end, ok := e.ends[id]
	if ok {
		return end
	}
	for _, c := range e.calls[id] {
		end = max(end, c.end)
	}
	for _, w := range e.waits[id] {
		end = max(end, w.end)
	}
	return end
}
