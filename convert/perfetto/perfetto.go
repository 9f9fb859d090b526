// Package perfetto writes traces in Perfetto's own format, a stream of protocol buffers. It has threads with their
// calls, files with their reads and writes, and devices with their requests, queue depth and throughput. Flows lead
// from what a thread did to the requests that it waited for. It is a package of its own, as every format is: none knows
// another.
package perfetto

import (
	"bufio"
	"errors"
	"io"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/schema"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// writer turns events into packets. A trace is read once: what an event needs of others
// is kept, in bounded memory.
type writer struct {
	header   trace.Header
	names    *schema.Resolver
	out      *packets
	tracks   *tracks
	flows    flows
	counters counters
	requests uint64 // so far: the number of one is that of its flow
}

// Export writes a trace, which it reads to its end.
func Export(r *tracefile.Reader, w *bufio.Writer) error {
	out := newPackets(w)
	c := &writer{header: r.Header(), names: schema.NewResolver(r.Header()), out: out, tracks: newTracks(out),
		flows: flows{open: map[uint32][]link{}}, counters: counters{}}
	out.began(c.header)
	var b trace.Batch
	for out.err == nil {
		if err := r.Next(&b); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		c.batch(&b)
	}
	c.counters.write(c.tracks)
	c.tracks.close()
	return out.err
}

func (c *writer) batch(b *trace.Batch) {
	c.names.Learn(b)
	for e := range b.InOrder() {
		switch i := e.Index; e.Kind {
		case trace.KindProcess:
			c.tracks.process(&b.Processes[i])
		case trace.KindSyscall:
			c.call(&b.Syscalls[i])
		case trace.KindFault:
			c.fault(&b.Faults[i])
		case trace.KindWait:
			e := &b.Waits[i]
			c.out.slice(slice{category: "wait", name: e.Cause.String(), start: e.Start, end: e.Start + e.Duration,
				track: c.tracks.ofThread(waits, "waits", e.PID, e.TID, e.Start, e.Start+e.Duration)})
		case trace.KindAsyncOp:
			c.operation(&b.AsyncOps[i])
		case trace.KindRequest:
			c.request(&b.Requests[i])
		case trace.KindRPC:
			c.rpc(&b.RPCs[i])
		case trace.KindLost:
			e := &b.Lost[i]
			c.out.number("count", int64(e.Count))
			c.out.slice(slice{category: "lost", name: e.Kind.String(), start: e.From, end: e.To,
				track: c.tracks.lane(subject{losses, 0, 0}, 0, "lost events", e.From, e.To)})
		}
	}
}

func (c *writer) call(e *trace.Syscall) {
	c.out.text("op", e.Op.String())
	c.place("file", "offset", e.File, e.Offset)
	c.place("file2", "offset2", e.File2, e.Offset2)
	c.out.number("requested", e.Requested)
	c.out.number("result", e.Result)
	if e.Filled > 0 {
		c.out.number("filled", e.Filled)
	}
	c.out.slice(slice{category: "call", name: c.header.CallName(e.Call), start: e.Start, end: e.End(),
		track: c.tracks.lane(subject{calls, e.PID, e.TID}, c.tracks.thread(e.PID, e.TID), "calls", e.Start, e.End()),
		flows: c.flows.call(e)})
	if e.Op.MovesData() || e.Op.Durability() {
		c.file(e.File, e.Offset, e.Bytes(), e.Op, e.PID, e.Start, e.End())
		if !e.Op.HasPeer() {
			c.file(e.File2, e.Offset2, e.Bytes(), e.Op, e.PID, e.Start, e.End())
		}
	}
}

func (c *writer) operation(e *trace.AsyncOp) {
	c.out.text("api", e.API.String())
	c.place("file", "offset", e.File, e.Offset)
	c.place("file2", "offset2", e.File2, trace.NoOffset)
	c.out.number("requested", e.Requested)
	c.out.number("result", e.Result)
	c.out.slice(slice{category: "asyncop", name: e.Op.String(), start: e.Submit, end: e.Complete,
		track: c.tracks.ofThread(operations, "asynchronous operations", e.PID, e.TID, e.Submit, e.Complete),
		flows: c.flows.operation(e)})
	if e.Op.MovesData() || e.Op.Durability() {
		c.file(e.File, e.Offset, e.Bytes(), e.Op, e.PID, e.Submit, e.Complete)
	}
}

func (c *writer) fault(e *trace.Fault) {
	end := e.Start + e.Duration
	c.place("file", "offset", e.File, e.Offset)
	c.out.slice(slice{category: "fault", name: "page fault", start: e.Start, end: end,
		track: c.tracks.ofThread(faults, "faults", e.PID, e.TID, e.Start, end),
		flows: c.flows.claim(e.TID, e.Start, end, func(*link) bool { return true })})
	c.file(e.File, e.Offset, e.Filled, trace.OpMmap, e.PID, e.Start, end)
}

func (c *writer) request(e *trace.Request) {
	c.requests++
	c.out.number("bytes", e.Bytes)
	c.out.number("sector", int64(e.Sector))
	if e.Error != 0 {
		c.out.number("error", int64(e.Error))
	}
	c.out.text("evidence", e.Evidence.String())
	c.place("file", "offset", e.File, e.Offset)
	c.out.number("pid", int64(e.PID))
	s := slice{category: "request", name: e.Op.String(), start: e.Issued, end: e.Completed}
	if e.Queued >= 0 {
		c.out.number("queued_ns", e.Issued-e.Queued)
		c.flows.add(c.requests, e)
		s.flows = []uint64{c.requests}
	}
	device := c.tracks.device(e.Device, c.names.Device(e.Device))
	s.track = c.tracks.lane(subject{requests, uint32(e.Device), 0}, device, "requests", e.Issued, e.Completed)
	c.out.slice(s)
	c.counters.add(e)
}

// rpc writes what was asked of a server to the tracks of that protocol.
func (c *writer) rpc(e *trace.RPC) {
	c.out.text("server", e.Server)
	c.place("file", "offset", e.File, e.Offset)
	c.out.number("bytes", e.Bytes)
	c.out.number("sends", int64(e.Sends))
	if e.Queued >= 0 {
		c.out.number("queued_ns", e.Queued)
	}
	if e.RTT >= 0 {
		c.out.number("rtt_ns", e.RTT)
	}
	if e.Status != 0 {
		c.out.number("error", int64(e.Status))
	}
	c.out.number("pid", int64(e.PID))
	of := uint32(e.Protocol)
	client := c.tracks.only(subject{clients, of, 0}, func() (uint64, message) {
		return 0, message(nil).text(descriptorName, "server requests: "+e.Protocol.String())
	})
	c.out.slice(slice{category: "rpc", name: e.Procedure, start: e.Start, end: e.End(),
		track: c.tracks.lane(subject{rpcs, of, 0}, client, "rpcs", e.Start, e.End())})
}

// file writes what was done with a file to its track.
func (c *writer) file(id trace.FileID, offset, bytes int64, op trace.Op, pid uint32, start, end int64) {
	path, known := c.names.Path(id)
	if id == 0 || !known {
		return
	}
	c.out.number("bytes", bytes)
	if offset != trace.NoOffset {
		c.out.number("offset", offset)
	}
	c.out.number("pid", int64(pid))
	name := op.String()
	if op == trace.OpMmap {
		name = "page fault"
	}
	c.out.slice(slice{category: "file", name: name, start: start, end: end, track: c.tracks.file(id, path, start, end)})
}

// place says which file an event is of, and where in it.
func (c *writer) place(file, offset string, id trace.FileID, at int64) {
	path, known := c.names.Path(id)
	if id == 0 || !known {
		return
	}
	c.out.text(file, path)
	if at != trace.NoOffset {
		c.out.number(offset, at)
	}
}
