package copies

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// flushes are what the devices did to make data safe, whoever asked for it: umount, the kernel's write-back, and syncs
// of processes that were not recorded have no call in the trace. Which of them made a file safe no request tells. But
// the recorder syncs all that was written, after the command: where the device had nothing left to write for that, all
// was safe with the last flush before it. What a file system writes in its own time, nobody waits for.
type flushes struct {
	devices world.Table[flushed]
	files   world.Table[placed]
	end     int64 // of the command; -1: the recorder synced nothing after it

	unjournaled func(*world.File) bool
}

func newFlushes(s *survey.Survey) flushes {
	if !s.Whole || s.End.Durable < 0 || s.Lost.Kinds[trace.KindRequest.String()] > 0 {
		return flushes{end: -1, unjournaled: s.Unjournaled}
	}
	return flushes{end: s.End.CommandEnd, unjournaled: s.Unjournaled}
}

// flushed is what one device did.
type flushed struct {
	issued int64 // the last flush before the command's end
	safe   int64 // when that, or the last write that went past the cache, was completed
	wrote  int64 // the last write before that was completed, whatever it was of
	after  bool  // somebody waited for something to be written after the command's end
	more   bool  // something was, whoever waited
}

// placed is where the data of a file was written, and when the last of it was there.
type placed struct {
	on   []*world.Device
	last int64
}

// request enters what a device did.
func (x *flushes) request(e *world.Request) {
	other := e.Flags&trace.ReqRecorder != 0 && e.Request.File != 0 // else it may be what the recorder syncs
	if x.end < 0 || e.Op != trace.ReqWrite && e.Op != trace.ReqFlush || other {
		return
	}
	d, done := x.devices.Of(e.Device.Number), max(e.Issued, e.Completed)
	// A device without a volatile cache is never told to flush: what it has written is safe.
	through := e.Op == trace.ReqWrite && e.Device.WriteCache == "write through"
	if done > x.end {
		d.more = d.more || e.Op == trace.ReqWrite
		d.after = d.after || e.Op == trace.ReqWrite && e.Flags&trace.ReqSync != 0
		return
	}
	if e.Op == trace.ReqWrite {
		d.wrote = max(d.wrote, done)
	}
	switch {
	case e.Error != 0:
	case e.Op == trace.ReqFlush, through:
		d.issued, d.safe = max(d.issued, e.Issued), max(d.safe, done)
	case e.Flags&trace.ReqFUA != 0:
		d.safe = max(d.safe, done)
	}
}

// wrote notes that a request has carried data of a file.
func (x *flushes) wrote(e *world.Request, f *world.File) {
	if x.end < 0 || e.Op != trace.ReqWrite {
		return
	}
	p := x.files.Of(f.Number)
	p.last = max(p.last, e.Issued, e.Completed)
	if !slices.Contains(p.on, e.Device) {
		p.on = append(p.on, e.Device)
	}
}

// of is when what was written to a file until a time was safe by these, 0 if they do not tell.
func (x *flushes) of(f *world.File, written int64) (at int64) {
	p := x.files.Known(f.Number)
	if x.end < 0 || p == nil {
		return 0
	}
	for _, device := range p.on {
		d := x.devices.Known(device.Number)
		through, last := device.WriteCache == "write through", p.last
		if d == nil {
			return 0
		}
		after := d.after
		if x.unjournaled(f) {
			last, after = d.wrote, after || d.more // the metadata is in no journal
		}
		if after || d.safe < last || !through && d.issued < last {
			return 0
		}
		at = max(at, d.safe)
	}
	if at < written {
		return 0
	}
	return at
}
