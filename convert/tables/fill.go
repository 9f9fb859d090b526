package tables

import (
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/convert/names"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/trace"
)

// filler makes rows of the events of a trace.
type filler struct {
	trace  string // its name
	header trace.Header
	timed  bool // how long calls and requests took is told: what took no time is not NULL
	// Names of flags. Tables are filled side by side, so each has its own.
	callFlags, asyncFlags, reqFlags map[uint32]string
}

func newFiller(name string, h trace.Header) *filler {
	return &filler{trace: name, header: h, timed: !h.Limited(trace.LimitNoDurations), callFlags: map[uint32]string{},
		asyncFlags: map[uint32]string{}, reqFlags: map[uint32]string{}}
}

// mostFlags bounds the sets of flags whose names are kept: there are few, unless a
// trace is made to have many.
const mostFlags = 10_000

// bits are the names of flags, as "direct|read".
func bits(known map[uint32]string, n names.Bits, set uint32) string {
	text, ok := known[set]
	if !ok {
		if text = string(n.Append(nil, set)); len(known) < mostFlags {
			known[set] = text
		}
	}
	return text
}

// unless is a pointer to a field that holds something, nil if it holds none.
func unless[T comparable](field *T, none T) *T {
	if *field == none {
		return nil
	}
	return field
}

// took is how long something took, nil if the recording does not tell.
func (f *filler) took(duration *int64) *int64 {
	if !f.timed && *duration == 0 {
		return nil
	}
	return duration
}

func file(id *trace.FileID) *uint32 { return unless((*uint32)(id), 0) }

func (f *filler) call(e *trace.Syscall, r *callRow) {
	*r = callRow{Trace: f.trace, Start: e.Start, Duration: f.took(&e.Duration), PID: e.PID, TID: e.TID, Op: e.Op.String(),
		Flags: bits(f.callFlags, names.IOFlags, uint32(e.Flags)), FD: unless(&e.FD, -1), FD2: unless(&e.FD2, -1),
		File: file(&e.File), File2: file(&e.File2), Offset: unless(&e.Offset, trace.NoOffset),
		Offset2: unless(&e.Offset2, trace.NoOffset), Requested: e.Requested, Result: e.Result, Bytes: e.Bytes(),
		Filled: e.Filled, Buffer: unless(&e.Buffer, 0)}
	if int(e.Call) < len(f.header.Calls) {
		r.Call = f.header.Calls[e.Call]
	}
}

func (f *filler) async(e *trace.AsyncOp, r *asyncRow) {
	*r = asyncRow{Trace: f.trace, Submit: e.Submit, took: e.Complete - e.Submit, PID: e.PID, TID: e.TID,
		API: e.API.String(), Op: e.Op.String(), Flags: bits(f.asyncFlags, names.IOFlags, uint32(e.Flags)),
		File: file(&e.File), Offset: unless(&e.Offset, trace.NoOffset), Requested: e.Requested, Result: e.Result,
		Bytes: e.Bytes(), Buffer: unless(&e.Buffer, 0)}
	r.Duration = f.took(&r.took)
}

func (f *filler) fault(e *trace.Fault, r *faultRow) {
	*r = faultRow{Trace: f.trace, Start: e.Start, Duration: e.Duration, PID: e.PID, TID: e.TID, File: file(&e.File),
		Offset: unless(&e.Offset, trace.NoOffset), Filled: e.Filled}
}

func (f *filler) request(e *trace.Request, r *requestRow) {
	*r = requestRow{Trace: f.trace, Queued: unless(&e.Queued, -1), Issued: e.Issued, Completed: e.Completed,
		Device: uint32(e.Device), Sector: e.Sector, Bytes: e.Bytes, Op: e.Op.String(),
		Flags: bits(f.reqFlags, names.ReqFlags, uint32(e.Flags)), PID: e.PID, TID: e.TID, Owner: unless(&e.Owner, 0),
		File: file(&e.File), Offset: unless(&e.Offset, trace.NoOffset), Evidence: e.Evidence.String(), Bios: e.Bios,
		Requeues: e.Requeues, Error: e.Error, Pieces: int32(1 + len(e.More))}
	if !f.timed && e.Completed == e.Issued {
		r.Completed = 0
	}
}

// piece is one piece of a request that has several.
type piece struct {
	of *trace.Request
	n  int
	trace.Extent
}

// pieces are those of the requests of a batch that have several.
func pieces(b *trace.Batch) (all []piece) {
	for i := range b.Requests {
		r := &b.Requests[i]
		if len(r.More) == 0 {
			continue
		}
		first := trace.Extent{File: r.File, Offset: r.Offset, Bytes: r.Bytes}
		for _, m := range r.More {
			first.Bytes -= m.Bytes
		}
		all = append(all, piece{r, 0, first})
		for n, m := range r.More {
			all = append(all, piece{r, n + 1, m})
		}
	}
	return all
}

func (f *filler) piece(e *piece, r *pieceRow) {
	*r = pieceRow{Trace: f.trace, Completed: e.of.Completed, Device: uint32(e.of.Device), Sector: e.of.Sector,
		Piece: int32(e.n), File: file(&e.File), Offset: unless(&e.Offset, trace.NoOffset), Bytes: e.Bytes}
}

func (f *filler) wait(e *trace.Wait, r *waitRow) {
	*r = waitRow{Trace: f.trace, Start: e.Start, Duration: e.Duration, PID: e.PID, TID: e.TID, Cause: e.Cause.String(),
		Ready: e.Ready, By: e.By.String(), Waker: unless(&e.Waker, 0), Helper: e.Flags&trace.WaitHelper != 0}
	if e.By == trace.WokenByRequest {
		r.Completed = &e.Completed
	}
}

func (f *filler) process(e *trace.Process, r *processRow) {
	*r = processRow{Trace: f.trace, Time: e.Time, Action: e.Action.String(), PID: e.PID, TID: e.TID, Parent: e.Parent,
		Command: utf8(e.Command), Exe: utf8(e.Exe), UID: e.UID, CPU: unless(&e.CPU, 0)} // nothing runs without any
	if e.Args != "" {
		r.Args = visible.Command(strings.Split(e.Args, "\x00"))
	}
	if e.Action == trace.ProcessExit {
		r.Status = &e.Status
	}
}

// utf8 is a text as a table has it: what is no UTF-8 becomes U+FFFD.
func utf8(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

func (f *filler) file(e *trace.File, r *fileRow) {
	*r = fileRow{Trace: f.trace, Time: e.Time, File: uint32(e.ID), Path: utf8(e.Path), Device: uint32(e.Device),
		Inode: unless(&e.Inode, 0), Size: e.Size, Type: e.Type.String(), FSType: utf8(e.FSType), Mount: utf8(e.Mount),
		Flags: string(names.FileFlags.Append(nil, uint32(e.Flags)))}
}

func (f *filler) device(e *trace.Device, r *deviceRow) {
	*r = deviceRow{Trace: f.trace, Time: e.Time, Device: uint32(e.ID), Name: utf8(e.Name), Model: utf8(e.Model),
		Scheduler: utf8(e.Scheduler), Rotational: e.Rotational, LogicalBlock: e.LogicalBlock,
		PhysicalBlock: e.PhysicalBlock, MaxRequest: e.MaxRequest, ReadAhead: e.ReadAhead, QueueDepth: e.QueueDepth,
		Size: e.Size, Backing: utf8(e.Backing), WriteCache: utf8(e.WriteCache),
		Firmware: utf8(e.Firmware)}
	var parents []string
	for _, p := range e.Parents {
		parents = append(parents, strconv.FormatUint(uint64(p), 10))
	}
	r.Parents = strings.Join(parents, ",")
}

func (f *filler) lost(e *trace.Lost, r *lostRow) {
	*r = lostRow{Trace: f.trace, From: e.From, To: e.To, Count: e.Count, Kind: e.Kind.String(), CPU: unless(&e.CPU, -1)}
}
